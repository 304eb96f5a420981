"""The exercise of lesson 05 on attention whose values are rotated as well."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from torch.nn import functional as F

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import Answer, Exercise
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.rotary.rotation import angles_of
from posenc_lessons.exercises.rotating import rotated_interleaved
from posenc_lessons.exercises.solutions import rotary as solutions
from posenc_lessons.language import Text

Turn = Callable[[Tensor, Tensor], Tensor]


def _turn(x: Tensor, positions: Tensor) -> Tensor:
    """Rotate interleaved pairs of x [..., L, d], with the base that the questions have."""
    return rotated_interleaved(x, angles_of(x, positions, 100.0))


def _heads() -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor, Turn]]:
    for shape, start in (((2, 5, 3, 4), 7), ((1, 4, 1, 8), 0), ((2, 4, 4, 6), 30)):
        query, key, value = 2 * random_numbers(3, *shape)
        yield query, key, value, torch.arange(start, start + shape[1]), _turn


ATTEND = Exercise(
    solutions.attend,
    questions=_heads,
    praise=Text(
        "对。值也转，输出转回去：每个值只带着相对位置 n−m 到达，两处的位置一起平移，输出不变。",
        "Right. Values rotated and the output rotated back: each value arrives with only its relative "
        "position n−m, and a common shift of all positions changes nothing.",
    ),
    tolerance=1e-4,
    call=lambda query, key, value, positions, turn: f"attend(q, k, v {list(query.shape)}, positions)",
)

Weigh = Callable[[Tensor, int], Tensor]
Mix = Callable[[Tensor, Tensor, Tensor, Turn], Tensor]


def _attention(
    weigh: Weigh = lambda scores, d: scores.softmax(dim=-1),
    mix: Mix = lambda weights, v, positions, turn: turn(weights @ turn(v, positions), -positions),
) -> Answer:
    """Return the attention that mixes v [B, H, L, d] by weights ``weigh(q·k/√d, d)`` [B, H, L, L]."""

    def attend(query: Tensor, key: Tensor, value: Tensor, positions: Tensor, turn: Turn) -> Tensor:
        q, k = (turn(x.transpose(1, 2), positions) for x in (query, key))
        weights = weigh(q @ k.mT / math.sqrt(query.shape[-1]), query.shape[-1])
        return mix(weights, value.transpose(1, 2), positions, turn).transpose(1, 2)

    return attend


@ATTEND.mistake(
    "注意力跑到头那一维上去了：[B, L, H, d] 里倒数第二维是头，不是位置。先 transpose(1, 2)。",
    "Attention runs over the head axis: in [B, L, H, d] the last axis but one is heads, not positions. "
    "transpose(1, 2) first.",
)
def over_the_heads(query: Tensor, key: Tensor, value: Tensor, positions: Tensor, turn: Turn) -> Tensor:
    q, k, v = (turn(x.transpose(1, 2), positions).transpose(1, 2) for x in (query, key, value))
    out = F.scaled_dot_product_attention(q, k, v)
    return turn(out.transpose(1, 2), -positions).transpose(1, 2)


ATTEND.mistake(
    "值没有转，输出也没有转回：这是普通的 RoPE。这里值也要转。",
    "Values are not rotated and the output is not rotated back: that is ordinary RoPE. Here they are.",
)(_attention(mix=lambda weights, v, positions, turn: weights @ v))
ATTEND.mistake(
    "值转了，输出没有转回去：输出里留着绝对位置。用查询的位置往回转，turn(out, -positions)。",
    "Values are rotated, but the output is not rotated back and keeps absolute positions. Rotate it back by "
    "the query's position, turn(out, -positions).",
)(_attention(mix=lambda weights, v, positions, turn: weights @ turn(v, positions)))
ATTEND.mistake(
    "输出又往前转了一次，应当往回转：-positions。",
    "The output was rotated forward once more; it goes back: -positions.",
)(_attention(mix=lambda weights, v, positions, turn: turn(weights @ turn(v, positions), positions)))


@ATTEND.mistake("查询和键没有转。", "Queries and keys are not rotated.")
def scores_not_rotated(query: Tensor, key: Tensor, value: Tensor, positions: Tensor, turn: Turn) -> Tensor:
    q, k = (turn(x.transpose(1, 2), -positions).transpose(1, 2) for x in (query, key))
    return solutions.attend(q, k, value, positions, turn)


@ATTEND.mistake(recurring.POSITIONS_NOT_USED)
def counted_from_0(query: Tensor, key: Tensor, value: Tensor, positions: Tensor, turn: Turn) -> Tensor:
    out = solutions.attend(query, key, value, torch.arange(query.shape[1]), turn).transpose(1, 2)
    return turn(out, torch.arange(query.shape[1]) - positions).transpose(1, 2)


ATTEND.mistake(
    "输出往回转了，值却没有转：两样要一起做。",
    "The output is rotated back, but the values were not rotated: it takes both.",
)(_attention(mix=lambda weights, v, positions, turn: turn(weights @ v, -positions)))
ATTEND.mistake(
    "多了一个因果掩码：这里每个词元都看得见所有的词元。",
    "There is a causal mask too many: here every token sees all of them.",
)(_attention(lambda scores, d: (scores + torch.full_like(scores, -math.inf).triu(1)).softmax(dim=-1)))
ATTEND.mistake(recurring.NOT_DIVIDED)(_attention(lambda scores, d: (scores * math.sqrt(d)).softmax(dim=-1)))
ATTEND.mistake(recurring.DIVIDED_BY_THE_WIDTH)(
    _attention(lambda scores, d: (scores / math.sqrt(d)).softmax(dim=-1))
)
ATTEND.mistake(recurring.SOFTMAX_OVER_QUERIES)(_attention(lambda scores, d: scores.softmax(dim=-2)))
ATTEND.mistake(recurring.WITHOUT_SOFTMAX)(_attention(lambda scores, d: scores))
ATTEND.mistake("这就是 v 自己：每个词元只看了自己。", "That is v itself: each token saw only itself.")(
    lambda query, key, value, *_: value
)
ATTEND.mistake(
    "形状是 {shape}：头还在位置前面，最后要再 transpose(1, 2) 换回来。",
    "The shape is {shape}: heads still stand before positions. transpose(1, 2) back at the end.",
)(lambda *given: solutions.attend(*given).transpose(1, 2))
