"""The exercise of lesson 06 on CoPE's positions."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.solutions import cope as solutions
from posenc_lessons.exercises.values import brief
from posenc_lessons.language import Text

DIRECTION = Text(
    "累加的方向反了：cumsum 从第 0 个键加起，数的是开头到键；要从键加到查询：flip、cumsum、再 flip。",
    "The cumsum runs in the wrong direction: from the key to the query it is flip, cumsum, flip.",
)
GATES_FIRST = Text(
    "先算了门控，后用掩码：查询后面的键也被数进去了，未来漏了出来。先把它们的分数变成 −∞，σ(−∞) = 0，再加。",
    "The gates come before the mask: set the scores of later keys to −∞ first, σ(−∞) = 0, then add up.",
)
KEY_LEFT_OUT = Text(
    "键自己没有数进去：从 l = n 加起，不是 n + 1。门控全开时，自己到自己的位置是 1。",
    "The key itself was not counted: the sum starts at l = n, not at n + 1.",
)
NOT_ADDED_UP = Text("这只是门控，还没有加起来。", "Those are the gates; they have not been added up.")
NO_CLAMP = Text(
    "p 没有封顶：门控开得多，它就超过表的最后一行。封的是加起来的 p，不是单个门控：clamp(max=行数 − 1)。",
    "p is not clamped: clamp the sums, not the single gates, with clamp(max=rows − 1).",
)


def _from_key_on(gates: Tensor) -> Tensor:
    """Return sums whose entry n is gates n + (n + 1) + …"""
    return gates.flip(-1).cumsum(dim=-1).flip(-1)


def _questions() -> list[tuple[Tensor, Tensor, float]]:
    """Return each shape with three masks: causal, a causal window of three keys, a chunk after a cache."""
    questions = []
    for shape, max_position in (((5, 5), 5), ((2, 3, 7, 7), 7), ((6, 6), 2), ((6, 6), 1.5)):
        causal = torch.ones(shape[-2:], dtype=torch.bool).tril()
        scores = 2 * random_numbers(*shape, seed=shape[-1])
        questions += [(scores, causal, max_position), (scores, causal.triu(-2), max_position)]
        questions += [(scores[..., -2:, :], causal[-2:], max_position)]
    return [*questions, (random_numbers(1, 1), torch.ones(1, 1, dtype=torch.bool), 1)]


def _named(scores: Tensor, mask: Tensor, max_position: float) -> str:
    square = mask.shape[0] == mask.shape[1]
    name = ("causal" if bool(mask[-1].all()) else "window") if square else "causal, cached"
    return f"positions({brief('scores', scores)}, {name}, {max_position:g})"


POSITIONS = Exercise(
    solutions.positions,
    questions=_questions,
    praise=Text(
        "对。先掩码，再算门控，从键往查询加，封顶，被遮住的是 0。改动未来的键，过去的 p 一个也不动。",
        "Right. Mask first, gates next, summed from key to query, clamped, 0 where hidden. Change a later "
        "key, and no earlier p moves.",
    ),
    tolerance=1e-4,
    call=_named,
    changed=CHANGED,
)


def _gates(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -math.inf).sigmoid()


def _unclamped_sum_of_clamped_gates(scores: Tensor, mask: Tensor, most: float) -> Tensor:
    return _from_key_on(_gates(scores, mask).clamp(max=most)).masked_fill(~mask, 0)


def _counting(count: Callable[[Tensor, Tensor], Tensor]) -> Answer:
    """Return the answer that counts by ``count(scores, mask)``, clamped, and 0 where hidden."""
    return lambda scores, mask, most: count(scores, mask).clamp(max=most).masked_fill(~mask, 0)


POSITIONS.mistake(DIRECTION)(
    _counting(lambda scores, mask: _gates(scores, mask).cumsum(-1)),
    lambda scores, mask, most: _gates(scores, mask).cumsum(-1).clamp(max=most),
    _counting(lambda scores, mask: scores.sigmoid().cumsum(-1)),
)
POSITIONS.mistake(GATES_FIRST)(
    _counting(lambda scores, mask: _from_key_on(scores.sigmoid())),
    lambda scores, mask, most: _from_key_on(scores.sigmoid()).clamp(max=most),
    _counting(lambda scores, mask: _from_key_on((scores * mask).sigmoid())),  # σ(0) is 1/2
    lambda scores, mask, most: _from_key_on((scores * mask).sigmoid()).clamp(max=most),
)
POSITIONS.mistake(
    "被遮住的键应当是 0：窗口外面的键没有被数，可是累加的结果还留在它们那一格里。",
    "Hidden keys should be 0: the running sum still stands in the cells outside the window.",
)(lambda scores, mask, most: _from_key_on(_gates(scores, mask)).clamp(max=most))
POSITIONS.mistake(
    "只翻了一次：累加以后还要翻回去（flip、cumsum、flip），不然每个数都在另一头。",
    "You flipped only once: after the sum, flip back (flip, cumsum, flip).",
)(
    lambda scores, mask, most: _gates(scores, mask).flip(-1).cumsum(-1).clamp(max=most),
    _counting(lambda scores, mask: _gates(scores, mask).flip(-1).cumsum(-1)),
)
POSITIONS.mistake(NO_CLAMP)(
    lambda scores, mask, most: solutions.positions(scores, mask, math.inf), _unclamped_sum_of_clamped_gates
)
POSITIONS.mistake(KEY_LEFT_OUT)(
    _counting(lambda scores, mask: _from_key_on(_gates(scores, mask)) - _gates(scores, mask))
)
POSITIONS.mistake(
    "门控是 σ(分数)，在 0 和 1 之间：不是分数本身，不是 softmax，也不是非开即关。",
    "A gate is σ(score), between 0 and 1: not the score, not a softmax, and not either open or shut.",
)(
    _counting(lambda scores, mask: _from_key_on(scores.masked_fill(~mask, -math.inf).softmax(-1))),
    _counting(lambda scores, mask: _from_key_on(scores * mask)),
    lambda scores, mask, most: _from_key_on(scores * mask).clamp(max=most),
    _counting(lambda scores, mask: _from_key_on(((scores > 0) & mask).double())),
)
POSITIONS.mistake(recurring.MASK_INVERTED)(
    lambda scores, mask, most: solutions.positions(scores, ~mask, most),
    lambda scores, mask, most: _from_key_on(_gates(scores, ~mask)).clamp(max=most).masked_fill(~mask, 0),
)
POSITIONS.mistake(NOT_ADDED_UP)(lambda scores, mask, *_: _gates(scores, mask))
