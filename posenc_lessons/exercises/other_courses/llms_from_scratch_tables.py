"""``compute_rope_params`` of *Build a Large Language Model From Scratch* by Sebastian Raschka.

The signature is that of ``pkg/llms_from_scratch/llama3.py`` and ``qwen3.py`` in
github.com/rasbt/LLMs-from-scratch, commit 28c65cd: (cos, sin), [context_length, head_dim] each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Literal

import torch
from torch import Tensor

from posenc_lessons.exercises.exercise import Answer, Exercise
from posenc_lessons.exercises.rotary.rotation import DEGREES
from posenc_lessons.exercises.solutions import other_courses as solutions
from posenc_lessons.exercises.verdict import Asked, Wrong
from posenc_lessons.language import Text

Pair = tuple[Tensor, Tensor]
Which = Literal["cos", "sin"]

NO_PAIR = Text(
    "{call}：应当返回两个张量 (cos, sin)，你返回的是 {kind}。",
    "{call}: return two tensors, (cos, sin); yours returned {kind}.",
)


def _questions() -> Iterator[tuple[int, float, int, Which]]:
    for head_dim, theta_base, context_length in (
        (8, 10_000, 5),
        (6, 500_000, 40),  # base of Llama 3
        (10, 100, 3),
        (2, 10_000, 7),
        (4, 10_000, 4),  # as many rows as columns: a transposed table has the right shape
    ):
        for which in ("cos", "sin"):
            yield head_dim, theta_base, context_length, which


def _table(answer: Asked, head_dim: int, theta_base: float, context_length: int, which: Which) -> Any:
    """Return the cosines or the sines of what the answer makes."""
    pair = answer(head_dim, theta_base, context_length)
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        call = _call(head_dim, theta_base, context_length, which)
        raise Wrong.saying(NO_PAIR, call=call, kind=type(pair).__name__)
    return pair[("cos", "sin").index(which)]


def _call(head_dim: int, theta_base: float, context_length: int, which: Which) -> str:
    return f"compute_rope_params({head_dim}, {theta_base}, {context_length}) {which}"


COMPUTE_ROPE_PARAMS = Exercise(
    solutions.compute_rope_params,
    questions=_questions,
    praise=Text(
        "对。每个位置一行，两半是同样的角度，正好给对半配对用。",
        "Right. A row for each position, the same angles in both halves: what half-split pairs need.",
    ),
    tolerance=1e-4,
    pose=_table,
    call=_call,
)
mistake = COMPUTE_ROPE_PARAMS.mistake


def _angles(head_dim: int, theta_base: float, context_length: int) -> Tensor:
    """Return the right angles of the pairs, float64 [context_length, head_dim/2]."""
    frequencies = theta_base ** (-torch.arange(0, head_dim, 2).double() / head_dim)
    return torch.arange(context_length).double()[:, None] * frequencies


def _both(angles: Tensor) -> Pair:
    return angles.cos(), angles.sin()


def _doubled(angles: Tensor) -> Pair:
    return _both(torch.cat([angles, angles], dim=-1))


def _other_base(change: Any) -> Answer:
    """Return the answer that computes with another base, made from head_dim and theta_base."""
    return lambda head_dim, theta_base, context_length: solutions.compute_rope_params(
        head_dim, change(head_dim, theta_base), context_length, torch.float64
    )


mistake("cos 和 sin 的顺序反了：先返回 cos。", "cos and sin changed places: cos comes first.")(
    lambda *given: solutions.compute_rope_params(*given)[::-1]
)
mistake(
    "{call} 只有 {pairs} 列：每个角度要在前半、后半各出现一次，cat([angles, angles], dim=1)，一共 head_dim "
    "= {d} 列。",
    "{call} has {pairs} columns: each angle belongs in both halves, cat([angles, angles], dim=1), which "
    "makes head_dim = {d} columns.",
    d=lambda head_dim, *_: head_dim,
    pairs=lambda head_dim, *_: head_dim // 2,
)(lambda *given: _both(_angles(*given)))
mistake(
    "表按另一种次序排了：repeat_interleave 给出 θ0 θ0 θ1 θ1 …，那是相邻配对用的。这里 apply_rope 把 x 分成前"
    "后两半，要 θ0 θ1 … θ0 θ1 …：cat([angles, angles], dim=1)。",
    "The tables are laid out in the other order: repeat_interleave gives θ0 θ0 θ1 θ1 …, for neighbours. "
    "apply_rope splits x into halves here and needs θ0 θ1 … θ0 θ1 …: cat([angles, angles], dim=1).",
)(lambda *given: _both(_angles(*given).repeat_interleave(2, dim=1)))
mistake(
    "角度按特征数了：你给 head_dim 个特征各一个频率 theta_base^(−j/head_dim)。一对共用一个：arange(0, "
    "head_dim, 2)，再接成两半。",
    "Angles are counted by feature: each of head_dim features has a frequency theta_base^(−j/head_dim). A "
    "pair shares one: arange(0, head_dim, 2), then joined for both halves.",
)(
    lambda head_dim, theta_base, context_length: _both(
        torch.arange(context_length).double()[:, None]
        * theta_base ** (-torch.arange(head_dim).double() / head_dim)
    )
)
mistake(
    "指数里少了 2：第 k 对的频率是 theta_base^(−2k/head_dim)。",
    "The exponent lacks its 2: pair k has the frequency theta_base^(−2k/head_dim).",
)(_other_base(lambda head_dim, theta_base: math.sqrt(theta_base)))
mistake(
    "指数的分母是 head_dim，你用了 head_dim/2：每个频率都成了平方。",
    "The exponent divides by head_dim, yours by head_dim/2: every frequency is squared.",
)(_other_base(lambda head_dim, theta_base: theta_base**2))
mistake(
    "指数少了负号：频率 theta_base^(−2k/head_dim) 应当越来越小，你的越来越大。",
    "The exponent lost its minus sign: frequencies theta_base^(−2k/head_dim) should shrink, yours grow.",
)(_other_base(lambda head_dim, theta_base: 1 / theta_base))
mistake(
    "底数写死成了 10000：请用传进来的 theta_base。",
    "The base is fixed at 10000: use the theta_base that was passed in.",
)(_other_base(lambda *_: 10_000))
mistake(
    "对数从 1 数起了：第一对的频率应当是 1，k 从 0 数。",
    "You counted pairs from 1: the first pair has the frequency 1, so k begins at 0.",
)(
    lambda head_dim, theta_base, context_length: _doubled(
        _angles(head_dim, theta_base, context_length) * theta_base ** (-2 / head_dim)
    )
)
mistake(
    "位置从 1 数起了：第一行是位置 0，cos 全是 1，sin 全是 0。",
    "Positions are counted from 1: the first row is position 0, where every cosine is 1 and every sine 0.",
)(
    lambda head_dim, theta_base, context_length: tuple(
        table[1:] for table in solutions.compute_rope_params(head_dim, theta_base, context_length + 1)
    )
)
mistake(
    "表转置了：行是位置，列是特征，形状 [context_length, head_dim]。",
    "The tables are transposed: rows are positions, columns features, [context_length, head_dim].",
)(lambda *given: tuple(table.T for table in solutions.compute_rope_params(*given)))
mistake(DEGREES)(lambda *given: _doubled(torch.deg2rad(_angles(*given))))
mistake("这是角度本身，还没有取 cos 和 sin。", "These are the angles, not yet their cosines and sines.")(
    lambda *given: (torch.cat([_angles(*given)] * 2, dim=-1),) * 2
)
mistake(
    "行数不对：返回了 4096 行的表。请用传进来的 context_length。",
    "The wrong number of rows: 4096 came back. Use the context_length that was passed in.",
)(lambda head_dim, theta_base, *_: solutions.compute_rope_params(head_dim, theta_base))
COMPUTE_ROPE_PARAMS.example(NO_PAIR)(
    lambda *given: torch.polar(torch.ones_like(_angles(*given)), _angles(*given))
)


# --- right answers in other styles -----------------------------------------------------------------------


@COMPUTE_ROPE_PARAMS.right
def in_float32(
    head_dim: int,
    theta_base: float = 10_000,
    context_length: int = 4096,
    freq_config: object = None,
    dtype: torch.dtype = torch.float32,
) -> Pair:
    inverse = 1.0 / theta_base ** (torch.arange(0, head_dim, 2, dtype=dtype) / head_dim)
    angles = torch.arange(context_length, dtype=dtype).unsqueeze(1) * inverse.unsqueeze(0)
    return _doubled(angles)


COMPUTE_ROPE_PARAMS.right(
    lambda *given: [table.repeat(1, 2) for table in _both(_angles(*given))],
    lambda head_dim, theta_base, context_length: solutions.compute_rope_params(
        head_dim, theta_base, context_length, torch.float64
    ),
)


@COMPUTE_ROPE_PARAMS.right
def entry_by_entry(head_dim: int, theta_base: float, context_length: int) -> Pair:
    half = head_dim // 2
    angles = [
        [position * theta_base ** (-2 * (j % half) / head_dim) for j in range(head_dim)]
        for position in range(context_length)
    ]
    cos, sin = ([[of(angle) for angle in row] for row in angles] for of in (math.cos, math.sin))
    return torch.tensor(cos), torch.tensor(sin)


@COMPUTE_ROPE_PARAMS.right
def from_complex_numbers(head_dim: int, theta_base: float, context_length: int) -> Pair:
    angles = _angles(head_dim, theta_base, context_length)
    z = torch.polar(torch.ones_like(angles), angles)
    return torch.cat([z.real, z.real], dim=1), torch.cat([z.imag, z.imag], dim=1)
