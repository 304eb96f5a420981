"""The exercises of lesson 06 on counting: sentences back, and CoPE's positions."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lessons.exercises.exercise import CHANGED, Exercise
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.solutions import cope as solutions
from posenc_lessons.language import Text

DIRECTION = Text(
    "累加的方向反了：cumsum 从第 0 个键加起，数的是开头到键；要从键加到查询：flip、cumsum、再 flip。",
    "The cumsum runs in the wrong direction: it starts from key 0 and counts from the beginning to the "
    "key. From the key to the query it is flip, cumsum, flip.",
)
GATES_FIRST = Text(
    "先算了门控，后用掩码：查询后面的键也被数进去了，未来漏了出来。先把它们的分数变成 −∞，σ(−∞) = 0，再加。",
    "The gates come before the mask: keys after the query are counted too, and the future leaks. Set their "
    "scores to −∞ first, σ(−∞) = 0, then add up.",
)
KEY_LEFT_OUT = Text(
    "键自己没有数进去：从 t = j 加起，不是 j + 1。门控全开时，自己到自己的位置是 1。",
    "The key itself was not counted: the sum starts at t = j, not j + 1. With all gates open, a token is at "
    "position 1 from itself.",
)
QUERY_LEFT_OUT = Text(
    "查询自己没有数进去：加到 k = i 为止，i 也算。",
    "The query itself was not counted: the sum runs through k = i, i included.",
)
TOKENS_COUNTED = Text(
    "你数的是词元（i − j + 1），门控没有用上。", "You count tokens, i − j + 1; the gates were not used."
)
NOT_ADDED_UP = Text("这只是门控，还没有加起来。", "Those are the gates; they have not been added up.")
NO_CLAMP = Text(
    "漏了封顶：门控开得多，p 就超过表的最后一行。clamp(max=行数 − 1)。",
    "The clamp is missing: with many open gates p passes the last row of the table. clamp(max=rows − 1).",
)
ROUNDED = Text("p 不要取整，它可以是小数。", "Do not round p; it may be fractional.")
ALONG_QUERIES = Text(
    "加错了方向：你沿着查询（dim=-2）加，应当沿着键（dim=-1）。",
    "Summed along the wrong axis: yours runs over queries (dim=-2), it should be keys (dim=-1).",
)


def _from_key_on(gates: Tensor) -> Tensor:
    """Entry j is the sum of gates j, j + 1, …"""
    return gates.flip(-1).cumsum(dim=-1).flip(-1)


# ---- 1 · sentences back -------------------------------------------------------------------------------

SENTENCES_BACK = Exercise(
    solutions.sentences_back,
    questions=[
        (torch.tensor(ends, dtype=torch.bool),)
        for ends in ([1, 0, 0, 1, 0, 1, 0], [0, 1, 1], [0, 0], [0, 1, 0, 0, 0, 1, 1, 0, 0])
    ],
    praise=Text(
        "对。从键数到查询，两头都算，后面的不数。把 0 和 1 换成 0 到 1 之间的门控，就是 CoPE 的 p。",
        "Right. From key to query, both ends included, nothing later counted. Put gates between 0 and 1 in "
        "place of 0 and 1, and this is CoPE's p.",
    ),
    changed=CHANGED,
)
check_sentences_back = SENTENCES_BACK.check


def _rows(is_end: Tensor) -> Tensor:
    """The ends once for each query, int64 [L, L]."""
    return is_end.long().expand(len(is_end), -1)


@SENTENCES_BACK.mistake(DIRECTION)
def from_the_beginning(is_end: Tensor) -> Tensor:
    return _rows(is_end).cumsum(-1).tril()


@SENTENCES_BACK.mistake(DIRECTION)
def from_the_beginning_unmasked(is_end: Tensor) -> Tensor:
    return _rows(is_end).cumsum(-1)


@SENTENCES_BACK.mistake(GATES_FIRST)
def later_ends_counted(is_end: Tensor) -> Tensor:
    return _from_key_on(_rows(is_end)).tril()


@SENTENCES_BACK.mistake(GATES_FIRST)
def later_ends_counted_unmasked(is_end: Tensor) -> Tensor:
    return _from_key_on(_rows(is_end))


@SENTENCES_BACK.mistake(KEY_LEFT_OUT)
def end_at_the_key_left_out(is_end: Tensor) -> Tensor:
    return (solutions.sentences_back(is_end) - _rows(is_end)).tril()


@SENTENCES_BACK.mistake(QUERY_LEFT_OUT)
def end_at_the_query_left_out(is_end: Tensor) -> Tensor:
    return (solutions.sentences_back(is_end) - _rows(is_end).T).tril()


@SENTENCES_BACK.mistake(
    "查询后面的键应当是 0；你用前缀和相减，那里出现了负数（或者把未来数了进去）。最后 tril 一下。",
    "Keys after the query should be 0. You subtract running sums, and what stands there is negative, or "
    "counts the future. Finish with tril.",
)
def running_sums_subtracted(is_end: Tensor) -> Tensor:
    so_far = is_end.long().cumsum(0)
    return so_far[:, None] - (so_far - is_end.long())


@SENTENCES_BACK.mistake("转置了：行是查询，列是键。", "Transposed: rows are queries, columns are keys.")
def transposed(is_end: Tensor) -> Tensor:
    return solutions.sentences_back(is_end).T


@SENTENCES_BACK.mistake(TOKENS_COUNTED)
def tokens_back(is_end: Tensor) -> Tensor:
    return _from_key_on(torch.ones_like(_rows(is_end)).tril())


@SENTENCES_BACK.mistake(NOT_ADDED_UP)
def ends_alone(is_end: Tensor) -> Tensor:
    return _rows(is_end).tril()


@SENTENCES_BACK.mistake(
    "要数有几个，不是有没有。", "Count how many ends there are, not whether there is one."
)
def whether_there_is_one(is_end: Tensor) -> Tensor:
    return solutions.sentences_back(is_end) > 0


@SENTENCES_BACK.example(CHANGED)
def ends_overwritten(is_end: Tensor) -> Tensor:
    back = solutions.sentences_back(is_end)
    is_end.logical_not_()
    return back


# ---- 2 · positions ------------------------------------------------------------------------------------


def _questions() -> list[tuple[Tensor, Tensor, float]]:
    """Every mask of every shape: causal, and a causal window of three keys."""
    asked = []
    for shape, max_position in (((5, 5), 5), ((2, 3, 7, 7), 7), ((6, 6), 2), ((6, 6), 1.5)):
        causal = torch.ones(shape[-2:], dtype=torch.bool).tril()
        scores = 2 * random_numbers(*shape, seed=shape[-1])
        asked += [(scores, causal, max_position), (scores, causal.triu(-2), max_position)]
    return asked


def _named(scores: Tensor, mask: Tensor, max_position: float) -> str:
    name = "causal" if bool(mask[-1].all()) else "window"
    return f"positions(scores {list(scores.shape)}, {name}, {max_position:g})"


POSITIONS = Exercise(
    solutions.positions,
    questions=_questions,
    praise=Text(
        "对。先掩码，再算门控，从键往查询加，封顶，藏着的是 0。改动未来的键，过去的 p 一个也不动。",
        "Right. Mask first, gates next, summed from key to query, clamped, 0 where hidden. Change a later "
        "key, and no earlier p moves.",
    ),
    tolerance=1e-4,
    call=_named,
    changed=CHANGED,
)
check_positions = POSITIONS.check


def _gates(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -math.inf).sigmoid()


def _finished(counts: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return counts.clamp(max=max_position).masked_fill(~mask, 0)


@POSITIONS.mistake(DIRECTION)
def up_to_the_key(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return _finished(_gates(scores, mask).cumsum(-1), mask, max_position)


@POSITIONS.mistake(DIRECTION)
def up_to_the_key_hidden_not_zero(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return _gates(scores, mask).cumsum(-1).clamp(max=max_position)


@POSITIONS.mistake(DIRECTION)
def up_to_the_key_gates_first(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return _finished(scores.sigmoid().cumsum(-1), mask, max_position)


@POSITIONS.mistake(GATES_FIRST)
def gates_before_mask(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return _finished(_from_key_on(scores.sigmoid()), mask, max_position)


@POSITIONS.mistake(GATES_FIRST)
def gates_without_mask(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return _from_key_on(scores.sigmoid()).clamp(max=max_position)


@POSITIONS.mistake(
    "藏着的键应当是 0：窗口外面的键没有被数，可是累加的结果还留在它们那一格里。",
    "Hidden keys should be 0: those outside the window were not counted, but the running sum still stands in "
    "their cells.",
)
def hidden_not_zero(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return _from_key_on(_gates(scores, mask)).clamp(max=max_position)


@POSITIONS.mistake(NO_CLAMP)
def not_clamped(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return solutions.positions(scores, mask, math.inf)


@POSITIONS.mistake(KEY_LEFT_OUT)
def key_left_out(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    gates = _gates(scores, mask)
    return _finished(_from_key_on(gates) - gates, mask, max_position)


@POSITIONS.mistake(QUERY_LEFT_OUT)
def query_left_out(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    others = _gates(scores, mask) * (1 - torch.eye(len(mask)))
    return _finished(_from_key_on(others), mask, max_position)


@POSITIONS.mistake(TOKENS_COUNTED)
def tokens_counted(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return _finished(_from_key_on(mask.to(scores.dtype).expand(scores.shape)), mask, max_position)


@POSITIONS.mistake(
    "门控用的是 sigmoid，不是 softmax：每个键开不开，各管各的，加起来不必是 1。",
    "Gates are a sigmoid, not a softmax: each key opens or shuts by itself, and they need not add up to 1.",
)
def softmax_for_sigmoid(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return _finished(_from_key_on(scores.masked_fill(~mask, -math.inf).softmax(-1)), mask, max_position)


@POSITIONS.mistake("漏了 sigmoid：你加的是分数。", "The sigmoid is missing: you add up scores.")
def scores_added_up(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return _finished(_from_key_on(scores * mask), mask, max_position)


@POSITIONS.mistake(
    "门控不是非开即关：σ 给出 0 到 1 之间的数。",
    "A gate is not either open or shut: σ gives a number between 0 and 1.",
)
def open_or_shut(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return _finished(_from_key_on(((scores > 0) & mask).double()), mask, max_position)


@POSITIONS.mistake(ROUNDED)
def rounded(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return _finished(_from_key_on(_gates(scores, mask)).round(), mask, max_position)


@POSITIONS.mistake(ALONG_QUERIES)
def from_the_query_on(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return _finished(_from_key_on(_gates(scores, mask).mT).mT, mask, max_position)


@POSITIONS.mistake(ALONG_QUERIES)
def up_to_the_query(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return _finished(_gates(scores, mask).cumsum(-2), mask, max_position)


@POSITIONS.mistake(
    "封顶差 1：最大是 max_position 本身。", "The clamp is off by one: the largest is max_position itself."
)
def clamped_one_lower(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return solutions.positions(scores, mask, max_position - 1)


@POSITIONS.mistake(NOT_ADDED_UP)
def gates_alone(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return _gates(scores, mask)


@POSITIONS.example(CHANGED)
def masked_in_place(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return solutions.positions(scores.masked_fill_(~mask, -math.inf), mask, max_position)


@POSITIONS.right
def gates_masked_by_multiplying(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    gates = scores.sigmoid() * mask
    return (gates.sum(-1, keepdim=True) - gates.cumsum(-1) + gates).clamp(max=max_position) * mask
