"""``run_rope`` of CS336, Language Modeling from Scratch (Stanford), assignment 1.

Signature and pairing are those of ``tests/adapters.py`` and ``tests/_snapshots/test_rope.npz`` in
github.com/stanford-cs336/assignment1-basics, commit 25a8a49: interleaved pairs, the first of which has the
frequency 1. Its test has positions 0 … 11 and one base only; here they differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from posenc_lessons import encodings
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.rotary.rotation import (
    DEGREES,
    frequencies,
    rotated_in_halves,
    rotated_interleaved,
)
from posenc_lessons.exercises.solutions import other_courses as solutions
from posenc_lessons.exercises.verdict import Asked, Wrong
from posenc_lessons.language import Text

WIDENED = Text(
    "数都对，可是 {given} 进去，{dtype} 出来。cos 和 sin 换成 in_query_or_key.dtype 再乘，要不然后面和 "
    "{given} 的值相乘时，PyTorch 会说两边类型不同。",
    "The numbers are right, but {given} went in and {dtype} came out. Convert cos and sin to "
    "in_query_or_key.dtype before you multiply, or the product with values in {given} raises an error for "
    "two dtypes later on.",
)

Question = tuple[int, float, int, Tensor, Tensor]


def _questions() -> Iterator[Question]:
    """Ask for positions of all sentences alike and of each its own, for one or more axes in front."""
    for shape, theta, longest, positions in (
        ((3, 4), 10000.0, 8, [0, 1, 2]),
        ((2, 5, 6), 10000.0, 16, [5, 6, 7, 8, 15]),  # the last is the last row of a table
        ((2, 3, 8), 500.0, 40, [[2, 0, 39], [7, 7, 1]]),  # a row for each sentence
        ((2, 3, 3, 10), 100.0, 12, [4, 9, 2]),
        ((1, 1, 2), 10000.0, 4, [3]),
    ):
        yield shape[-1], theta, longest, random_numbers(*shape), torch.tensor(positions)


def _call(d_k: int, theta: float, longest: int, x: Tensor, positions: Tensor) -> str:
    return f"run_rope({d_k}, {theta:g}, {longest}, x {list(x.shape)}, {positions.tolist()})"


RUN_ROPE = Exercise(
    solutions.run_rope,
    questions=_questions,
    praise=Text(
        "对。相邻配对、逆时针、每一对有自己的角度，位置按 token_positions 取：不从 0 开始、每句各不相同，都"
        "对。",
        "Right: neighbours as pairs, anticlockwise, an angle for each pair, and positions as token_positions "
        "has them, whether or not they begin at 0 or differ by sentence.",
    ),
    tolerance=1e-4,
    call=_call,
    changed=CHANGED,
)


@RUN_ROPE.probe
def _keeps_its_type(answer: Asked) -> None:
    x = random_numbers(2, 3, 4)
    dtype = answer(4, 10000.0, 8, x, torch.arange(3)).dtype
    if dtype != x.dtype:
        raise Wrong.saying(WIDENED, given=x.dtype, dtype=dtype)


# --- the wrong angles ------------------------------------------------------------------------------------


def _angles(d_k: int, theta: float, positions: Tensor) -> Tensor:
    """Return the right angles, float64 [..., L, d_k/2]."""
    return positions.double()[..., None] * frequencies(d_k, theta)


def _by(angles: Callable[[int, float, Tensor], Tensor]) -> Answer:
    """Return the answer that rotates neighbours by other angles."""
    return lambda d_k, theta, longest, x, positions: rotated_interleaved(x, angles(d_k, theta, positions))


def _with(change: Callable[[int, float, Tensor], tuple[float, Tensor]]) -> Answer:
    """Return the answer that changes base and positions first."""
    return _by(lambda d_k, theta, positions: _angles(d_k, *change(d_k, theta, positions)))


RUN_ROPE.mistake(
    "旋转转置了：sin 的两个符号放反，转成了顺时针。应当是 (a cos − b sin, a sin + b cos)。",
    "Your rotation is transposed: the two signs of sin are swapped, so it rotates clockwise. It should be "
    "(a cos − b sin, a sin + b cos).",
)(_with(lambda d_k, theta, positions: (theta, -positions)))
RUN_ROPE.mistake(
    "没有用上 token_positions：你数的是 0、1、2 …。作业自带的测试只有位置 0 到 11，看不出来；可这里的位置不"
    "从 0 开始。用它取 cos 和 sin 的行：cos[token_positions]。",
    "token_positions was not used: you count 0, 1, 2 …. The assignment's own test has positions 0 to 11 only "
    "and cannot tell; here they do not begin at 0. Take rows of cos and sin by it: cos[token_positions].",
)(
    lambda d_k, theta, longest, x, positions: rotated_interleaved(
        x, _angles(d_k, theta, torch.arange(x.shape[-2]))
    )
)
RUN_ROPE.mistake(
    "每句话都用了第一句的位置：token_positions 是 [B, L] 的时候，每句有自己的一行。",
    "Every sentence has the first one's positions: where token_positions is [B, L], each has a row of its "
    "own.",
)(
    lambda d_k, theta, longest, x, positions: solutions.run_rope(
        d_k, theta, longest, x, positions.reshape(-1, positions.shape[-1])[0]
    )
)
RUN_ROPE.mistake("位置多数了 1：位置 0 不转。", "Positions are off by one: position 0 is not rotated.")(
    _with(lambda d_k, theta, positions: (theta, positions + 1))
)
RUN_ROPE.mistake(
    "对数从 1 数起了，θ 整个错开一格：第一对的频率应当是 1。讲义里的 k 从 1 开始，指数是 (2k−2)/d；代码里从 "
    "0 数，指数是 2k/d。",
    "You counted pairs from 1, so every θ is the next one's: the first pair has the frequency 1. With k from "
    "1, as the handout counts, the exponent is (2k−2)/d; counted from 0 it is 2k/d.",
)(_by(lambda d_k, theta, positions: _angles(d_k, theta, positions) * theta ** (-2 / d_k)))
RUN_ROPE.mistake(
    "对数从 1 数起，指数写成了 (2k−1)/d。第一对的频率应当是 1：k 从 1 数，指数是 (2k−2)/d；从 0 数，是 2k/d"
    "。",
    "With pairs counted from 1 your exponent is (2k−1)/d. The first pair has the frequency 1: the exponent "
    "is (2k−2)/d for k from 1, 2k/d for k from 0.",
)(_by(lambda d_k, theta, positions: _angles(d_k, theta, positions) * theta ** (-1 / d_k)))
RUN_ROPE.mistake(
    "指数里少了 2：第 k 对（从 0 数）的频率是 theta^(−2k/d_k)。",
    "The exponent lacks its 2: pair k, counted from 0, has the frequency theta^(−2k/d_k).",
)(_with(lambda d_k, theta, positions: (math.sqrt(theta), positions)))
RUN_ROPE.mistake(
    "指数的分母是 d_k，你用了 d_k/2：每个频率都成了平方。",
    "The exponent divides by d_k, yours by d_k/2: every frequency is squared.",
)(_with(lambda d_k, theta, positions: (theta**2, positions)))
RUN_ROPE.mistake(
    "指数少了负号：频率 theta^(−2k/d_k) 应当越来越小，你的越来越大。",
    "The exponent lost its minus sign: frequencies theta^(−2k/d_k) should shrink, yours grow.",
)(_with(lambda d_k, theta, positions: (1 / theta, positions)))
RUN_ROPE.mistake(
    "底数写死成了 10000：请用传进来的 theta。",
    "The base is fixed at 10000: use the theta that was passed in.",
)(_with(lambda d_k, theta, positions: (10000.0, positions)))
RUN_ROPE.mistake(
    "每一对都转了同样的角度：第 k 对有自己的频率。",
    "Every pair is rotated by the same angle: pair k has its own frequency.",
)(_with(lambda d_k, theta, positions: (1.0, positions)))
RUN_ROPE.mistake(
    "频率的次序反了：第 0 对最快，最后一对最慢。",
    "The frequencies are in reverse order: pair 0 is the fastest, the last pair the slowest.",
)(_by(lambda *given: _angles(*given).flip(-1)))
RUN_ROPE.mistake("cos 和 sin 换了位置。", "cos and sin have changed places.")(
    _by(lambda *given: math.pi / 2 - _angles(*given))
)
RUN_ROPE.mistake(DEGREES)(_by(lambda *given: torch.deg2rad(_angles(*given))))


# --- the wrong pairs, tables and places ------------------------------------------------------------------


RUN_ROPE.mistake(
    "配对错了：你让前半和后半配对（k 和 k + d_k/2），Llama 的 Hugging Face 代码是这样。CS336 要相邻配对：2k "
    "和 2k+1。",
    "The wrong pairing: half-split (k with k + d_k/2), as in Hugging Face's Llama. CS336 pairs neighbours: "
    "2k with 2k+1.",
)(lambda d_k, theta, longest, x, positions: rotated_in_halves(x, _angles(d_k, theta, positions)))


def _interleaved(a: Tensor, b: Tensor) -> Tensor:
    return torch.stack([a, b], dim=-1).flatten(-2)


def _neighbours(x: Tensor) -> Tensor:
    return _interleaved(-x[..., 1::2], x[..., 0::2])


def _halves(x: Tensor) -> Tensor:
    return torch.cat([-x.chunk(2, dim=-1)[1], x.chunk(2, dim=-1)[0]], dim=-1)


def _twice(d_k: int, theta: float, positions: Tensor) -> Tensor:
    """Return the right angles for tables as wide as x: θ0 θ0 θ1 θ1 …."""
    return _angles(d_k, theta, positions).repeat_interleave(2, dim=-1)


def _with_tables(
    partners: Callable[[Tensor], Tensor], angles: Callable[[int, float, Tensor], Tensor] = _twice
) -> Answer:
    """Return the answer x cos + partners(x) sin, with tables as wide as x."""

    def run_rope(d_k: int, theta: float, longest: int, x: Tensor, positions: Tensor) -> Tensor:
        wide = angles(d_k, theta, positions)
        return x * wide.cos().to(x.dtype) + partners(x) * wide.sin().to(x.dtype)

    return run_rope


RUN_ROPE.mistake(
    "cos 和 sin 的表按另一种次序排了：cat([t, t]) 给出 θ0 θ1 … θ0 θ1 …，那是对半配对用的。相邻配对要 θ0 θ0 "
    "θ1 θ1 …：t.repeat_interleave(2, dim=-1)。",
    "The cos and sin tables are laid out in the other order: cat([t, t]) gives θ0 θ1 … θ0 θ1 …, for halves. "
    "Neighbours need θ0 θ0 θ1 θ1 …: t.repeat_interleave(2, dim=-1).",
)(_with_tables(_neighbours, lambda *given: _angles(*given).repeat(*[1] * given[2].ndim, 2)))
RUN_ROPE.mistake(
    "两种写法混在一起了：表是相邻配对的（θ0 θ0 θ1 θ1 …），交换伙伴却按前半、后半。两样要用同一种配对。",
    "Two conventions are mixed: the tables are laid out for neighbours (θ0 θ0 θ1 θ1 …), but halves change "
    "places. Both must use one pairing.",
)(_with_tables(_halves))
RUN_ROPE.mistake(
    "角度按特征数了：第 j 个特征用了 theta^(−j/d_k)，一对里的两个特征就转得不一样了。一对共用一个角度：2k "
    "和 2k+1 都用 theta^(−2k/d_k)。",
    "Angles are counted by feature: feature j has theta^(−j/d_k), so the two of a pair rotate differently. A "
    "pair shares one angle: 2k and 2k+1 both have theta^(−2k/d_k).",
)(
    _with_tables(
        _neighbours,
        lambda d_k, theta, positions: positions[..., None] * theta ** (-torch.arange(d_k).double() / d_k),
    )
)
RUN_ROPE.mistake(
    "少了负号：交换一对特征时，第一个要取负，(a, b) → (−b, a)。",
    "A minus sign is missing: when a pair changes places the first becomes negative, (a, b) → (−b, a).",
)(_with_tables(lambda x: _interleaved(x[..., 1::2], x[..., 0::2])))
RUN_ROPE.mistake(
    "转得对，放错了地方：你用 cat 把两半接了起来。要交错放回去：torch.stack([…], dim=-1).flatten(-2)。",
    "Rotated well, put back wrongly: you joined the two with cat. Interleave them: "
    "torch.stack([…], dim=-1).flatten(-2).",
)(
    lambda *given: torch.cat(
        [solutions.run_rope(*given)[..., 0::2], solutions.run_rope(*given)[..., 1::2]], dim=-1
    )
)
RUN_ROPE.mistake("x 原样返回了，没有转。", "x came back unchanged; nothing was rotated.")(
    lambda d_k, theta, longest, x, positions: x
)


@RUN_ROPE.example(CHANGED)
def rotated_in_place(d_k: int, theta: float, longest: int, x: Tensor, positions: Tensor) -> Tensor:
    return x.copy_(solutions.run_rope(d_k, theta, longest, x, positions))


@RUN_ROPE.example(CHANGED)
def second_from_a_first_already_rotated(
    d_k: int, theta: float, longest: int, x: Tensor, positions: Tensor
) -> Tensor:
    angles = _angles(d_k, theta, positions)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    x[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    x[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
    return x


RUN_ROPE.example(WIDENED)(
    lambda d_k, theta, longest, x, positions: solutions.run_rope(d_k, theta, longest, x.double(), positions)
)


# --- right answers in other styles -----------------------------------------------------------------------


RUN_ROPE.right(
    _with_tables(_neighbours),
    lambda d_k, theta, longest, x, positions: rotated_interleaved(x, _angles(d_k, theta, positions)),
    lambda d_k, theta, longest, x, positions: torch.einsum(
        "...lij,...lj->...li", encodings.rotation_matrix(_angles(d_k, theta, positions)).to(x.dtype), x
    ),
)


@RUN_ROPE.right
def from_float32_tables(d_k: int, theta: float, longest: int, x: Tensor, positions: Tensor) -> Tensor:
    frequencies = 1.0 / theta ** (torch.arange(0, d_k, 2).float() / d_k)
    table = torch.arange(longest).float()[:, None] * frequencies[None]
    cos, sin = table.cos()[positions], table.sin()[positions]
    rotated = torch.empty_like(x)
    rotated[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    rotated[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
    return rotated


@RUN_ROPE.right
def by_complex_numbers(d_k: int, theta: float, longest: int, x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(d_k, theta, positions)
    z = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)))
    turned = z * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


@RUN_ROPE.right
def pair_by_pair(d_k: int, theta: float, longest: int, x: Tensor, positions: Tensor) -> Tensor:
    out = torch.zeros_like(x)
    for k in range(d_k // 2):
        angle = positions * theta ** (-2 * k / d_k)
        a, b = x[..., 2 * k], x[..., 2 * k + 1]
        out[..., 2 * k] = a * torch.cos(angle) - b * torch.sin(angle)
        out[..., 2 * k + 1] = a * torch.sin(angle) + b * torch.cos(angle)
    return out
