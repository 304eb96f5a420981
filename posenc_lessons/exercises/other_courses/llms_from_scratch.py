"""``apply_rope`` of *Build a Large Language Model From Scratch* by Sebastian Raschka.

The signature is that of ``pkg/llms_from_scratch/llama3.py`` and ``qwen3.py`` in
github.com/rasbt/LLMs-from-scratch, commit 28c65cd: x [batch, heads, L, head_dim], half-split pairs, tables
that may have more rows than x has tokens, and a result in the type of x.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from posenc_lessons import encodings
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise, Question
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.solutions import other_courses as solutions
from posenc_lessons.exercises.verdict import Asked, Wrong
from posenc_lessons.language import Text

ALL_ROWS = Text(
    "{call}：表有 9 行，句子只有 4 个词元，你的函数报错了。只取前 seq_len 行：cos[:seq_len]。",
    "{call}: the tables have 9 rows, the text has 4 tokens, and your function raised an error. Take the "
    "first seq_len rows only: cos[:seq_len].",
)
OTHER_TYPE = Text(
    "数都对，可是 {given} 进去，{dtype} 出来：表是 float32，乘完就成了 float32。最后换回来：.to(x.dtype)。",
    "The numbers are right, but {given} went in and {dtype} came out: the tables are float32, and so is the "
    "product. Convert it at the end: .to(x.dtype).",
)


def _questions() -> Iterator[Question]:
    for shape, theta, begin, rows, raising in (
        # As many sentences as heads and tokens, because a wrong axis then raises no error.
        ((3, 3, 3, 4), 100, 1, 3, None),
        ((2, 3, 5, 8), 10_000, 0, 5, None),
        ((1, 2, 3, 6), 500_000, 30, 3, None),  # tables that begin at position 30, as beside a cache
        ((2, 3, 4, 6), 10_000, 0, 9, ALL_ROWS),
        ((1, 1, 1, 2), 10_000, 7, 1, None),
    ):
        cos, sin = solutions.compute_rope_params(shape[-1], theta, begin + rows)
        yield Question(random_numbers(*shape), cos[begin:], sin[begin:], raising=raising)


def _call(x: Tensor, cos: Tensor, sin: Tensor) -> str:
    return f"apply_rope(x {list(x.shape)}, cos {list(cos.shape)}, sin {list(sin.shape)})"


APPLY_ROPE = Exercise(
    solutions.apply_rope,
    questions=_questions,
    praise=Text(
        "对。前半和后半配对，逆时针，所有的头用同一张表，表长了就取前面几行，类型和 x 一样。",
        "Right: halves as pairs, anticlockwise, one table for every head, its first rows where it is longer, "
        "and the type of x.",
    ),
    tolerance=1e-4,
    call=_call,
    changed=CHANGED,
)


@APPLY_ROPE.probe
def _keeps_its_type(answer: Asked) -> None:
    x = random_numbers(1, 2, 3, 4).bfloat16()
    dtype = answer(x, *solutions.compute_rope_params(4, 10_000, 3)).dtype
    if dtype != x.dtype:
        raise Wrong.saying(OTHER_TYPE, given=x.dtype, dtype=dtype)


# --- mistakes --------------------------------------------------------------------------------------------


def _interleaved(a: Tensor, b: Tensor) -> Tensor:
    return torch.stack([a, b], dim=-1).flatten(-2)


def _partners(x: Tensor) -> Tensor:
    first, second = x.chunk(2, dim=-1)
    return torch.cat([-second, first], dim=-1)


def _with(
    partners: Callable[[Tensor], Tensor] = _partners, tables: Callable[[Tensor], Tensor] = lambda table: table
) -> Answer:
    """Return the answer x cos + partners(x) sin, with the rows of tokens that ``tables`` makes."""

    def apply_rope(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        cos, sin = (tables(table[: x.shape[2]]) for table in (cos, sin))
        return (x * cos + partners(x) * sin).to(x.dtype)

    return apply_rope


APPLY_ROPE.mistake(
    "旋转转置了：负号给了 x1，转成了顺时针。应当是 cat((-x2, x1))。",
    "Your rotation is transposed: the minus sign is on x1, so it rotates clockwise. It should be "
    "cat((-x2, x1)).",
)(_with(lambda x: -_partners(x)))
APPLY_ROPE.mistake(
    "配对错了：你把相邻的第 2k 个和第 2k+1 个配成一对，论文和 CS336 是这样。这里让前半和后半配对：k 和 k + "
    "head_dim/2。",
    "The wrong pairing: yours are neighbours, 2k with 2k+1, as in the paper and in CS336. Here halves are "
    "paired: k with k + head_dim/2.",
)(
    _with(
        lambda x: _interleaved(-x[..., 1::2], x[..., 0::2]),
        lambda table: table[..., : table.shape[-1] // 2].repeat_interleave(2, dim=-1),
    )
)
APPLY_ROPE.mistake(
    "两种写法混在一起了：表是给前后两半用的，交换伙伴时却用了相邻的两个。伙伴也按两半取：cat((-x2, x1))。",
    "Two conventions are mixed: the tables are for halves, but neighbours change places. Take partners by "
    "halves too: cat((-x2, x1)).",
)(_with(lambda x: _interleaved(-x[..., 1::2], x[..., 0::2])))
APPLY_ROPE.mistake(
    "少了负号：交换一对特征时，前一个要取负，(x1, x2) → (−x2, x1)。",
    "A minus sign is missing: when a pair changes places the first becomes negative, (x1, x2) → (−x2, x1).",
)(_with(lambda x: torch.cat(x.chunk(2, dim=-1)[::-1], dim=-1)))
APPLY_ROPE.mistake(
    "sin 前面乘的应当是 (−x2, x1)，不是 x 自己。", "What sin multiplies is (−x2, x1), not x itself."
)(_with(lambda x: x))
APPLY_ROPE.mistake("cos 和 sin 换了位置。", "cos and sin have changed places.")(
    lambda x, cos, sin: solutions.apply_rope(x, sin, cos)
)
APPLY_ROPE.mistake(
    "取错了行：表比句子长的时候，要前 seq_len 行，不是最后几行。",
    "The wrong rows: of a longer table take the first seq_len, not the last.",
)(lambda x, cos, sin: solutions.apply_rope(x, cos[-x.shape[2] :], sin[-x.shape[2] :]))
APPLY_ROPE.mistake(
    "位置没有用上：每个词元都用了表的第一行。",
    "Positions were not used: every token has the first row of the tables.",
)(lambda x, cos, sin: solutions.apply_rope(x, cos[:1], sin[:1]))
APPLY_ROPE.mistake(
    "表对错了维：行给了头，不是词元（碰巧一样多时不报错）。要 [1, 1, seq_len, head_dim]。",
    "The tables line up with the wrong axis: rows went to heads, not to tokens (where there are as many, "
    "nothing complains). Make them [1, 1, seq_len, head_dim].",
)(_with(tables=lambda table: table[:, None]))
APPLY_ROPE.mistake(
    "表对错了维：行给了一批里的句子，不是词元（碰巧一样多时不报错）。要 [1, 1, seq_len, head_dim]。",
    "The tables line up with the wrong axis: rows went to the sentences of the batch, not to tokens (where "
    "there are as many, nothing complains). Make them [1, 1, seq_len, head_dim].",
)(_with(tables=lambda table: table[:, None, None]))
APPLY_ROPE.mistake(
    "转得对，放错了地方：你把两半交错叠起来了。用 cat 接起来，前半在前。",
    "Rotated well, put back wrongly: you interleaved the halves. Join them with cat, first half first.",
)(lambda *given: _interleaved(*solutions.apply_rope(*given).chunk(2, dim=-1)))
APPLY_ROPE.mistake(
    "转得对，两半放反了：前半在前。", "Rotated well, but the halves have changed places: first half first."
)(lambda *given: torch.cat(solutions.apply_rope(*given).chunk(2, dim=-1)[::-1], dim=-1))
APPLY_ROPE.mistake("x 原样返回了，没有转。", "x came back unchanged; nothing was rotated.")(
    lambda x, cos, sin: x
)
APPLY_ROPE.example(ALL_ROWS)(lambda x, cos, sin: x * cos + _partners(x) * sin)
APPLY_ROPE.example(OTHER_TYPE)(
    lambda x, cos, sin: x * cos[: x.shape[2]] + _partners(x) * sin[: x.shape[2]],
)
APPLY_ROPE.example(CHANGED)(lambda x, cos, sin: x.copy_(solutions.apply_rope(x, cos, sin)))


# --- right answers in other styles -----------------------------------------------------------------------


@APPLY_ROPE.right
def by_halves_of_tables(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    length, half = x.shape[2], x.shape[3] // 2
    c, s = cos[:length, :half], sin[:length, half:]
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * c - b * s, b * c + a * s], dim=-1).to(x.dtype)


@APPLY_ROPE.right
def by_complex_numbers(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    half = x.shape[3] // 2
    turn = torch.complex(cos.double(), sin.double())[None, None, : x.shape[2], :half]
    z = torch.complex(*x.double().chunk(2, dim=-1)) * turn
    return torch.cat([z.real, z.imag], dim=-1).to(x.dtype)


@APPLY_ROPE.right
def by_matrices(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    half = x.shape[3] // 2
    angles = torch.atan2(sin.double(), cos.double())[: x.shape[2], :half]
    matrices = encodings.rotation_matrix(angles, "half_split")  # [L, head_dim, head_dim]
    return torch.einsum("lij,bhlj->bhli", matrices, x.double()).to(x.dtype)


@APPLY_ROPE.right
def with_an_offset(x: Tensor, cos: Tensor, sin: Tensor, offset: int = 0) -> Tensor:
    length, out = x.shape[2], x.clone()
    for token in range(length):
        row = x[:, :, token].to(cos.dtype)
        out[:, :, token] = (row * cos[offset + token] + _partners(row) * sin[offset + token]).to(x.dtype)
    return out
