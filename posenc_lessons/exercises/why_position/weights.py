"""Exercises of lesson 01 on attention: weights, and weights under a mask."""

from __future__ import annotations

import math
from contextlib import nullcontext

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import Exercise
from posenc_lessons.exercises.reading import explained, numbers, random_numbers, same_shape
from posenc_lessons.exercises.solutions import why_position as solutions
from posenc_lessons.exercises.verdict import Asked, Wrong
from posenc_lessons.language import Text

# ---- 1 · attention weights ----------------------------------------------------------------------------

NOT_ONE_IN_ALL = Text(
    "每一行的权重应该加起来等于 1，你的第一行加起来是 {total}。",
    "Each row of weights should add up to 1; your first row adds up to {total}.",
)
OTHER_WEIGHTS = Text(
    "每行加起来是 1，但数值和 softmax(q kᵀ / √d_k) 不同。",
    "The rows add up to 1, but the numbers differ from softmax(q kᵀ / √d_k).",
)


def _what_the_rows_add_up_to(weights: Tensor, right: Tensor, query: Tensor, key: Tensor) -> Text:
    sums = weights.sum(dim=-1)
    one = torch.allclose(sums, torch.ones_like(sums), atol=1e-5)
    return OTHER_WEIGHTS if one else NOT_ONE_IN_ALL.format(total=f"{float(sums.flatten()[0]):.4f}")


ALL_AXES_REVERSED = Text(
    "两句话、三个头时就报错了：{error}。.T 把所有的维都倒过来，这里只该对调最后两维：transpose(-2, -1)。",
    "With two sentences and three heads it fails: {error}. .T reverses all axes; exchange only the last two, "
    "transpose(-2, -1).",
)


def _ask_for_weights(answer: Asked, query: Tensor, key: Tensor) -> object:
    with explained("must match", ALL_AXES_REVERSED) if query.ndim > 2 else nullcontext():
        return answer(query, key)


ATTENTION_WEIGHTS = Exercise(
    solutions.attention_weights,
    questions=[
        (2 * random_numbers(*front, n_queries, d, seed=d), random_numbers(*front, n_keys, d, seed=d + 10))
        for front, n_queries, n_keys, d in (((), 3, 3, 4), ((), 3, 5, 16), ((2, 3), 4, 6, 9))
    ],
    praise=Text(
        "对了：缩放、转置、在键的方向上做 softmax，一样不差；前面带上批量和多头也成立。",
        "Right: scaled, transposed, and normalised over the keys; it also holds with batch and heads in "
        "front.",
    ),
    pose=_ask_for_weights,
    otherwise=_what_the_rows_add_up_to,
)


def _dot(query: Tensor, key: Tensor) -> Tensor:
    return query @ key.transpose(-2, -1)


def _scores(query: Tensor, key: Tensor) -> Tensor:
    return _dot(query, key) / math.sqrt(query.shape[-1])


ATTENTION_WEIGHTS.mistake(
    "忘了除以 √d_k：分数的标准差会随 d_k 变大，softmax 就越来越尖。",
    "The division by √d_k is missing: the scores spread with d_k and the softmax grows too sharp.",
)(lambda query, key: _dot(query, key).softmax(dim=-1))
ATTENTION_WEIGHTS.mistake(recurring.DIVIDED_BY_THE_WIDTH)(
    lambda query, key: (_dot(query, key) / query.shape[-1]).softmax(dim=-1)
)
ATTENTION_WEIGHTS.mistake("你乘上了 √d_k，应该是除以。", "You multiply by √d_k; divide by it.")(
    lambda query, key: (_dot(query, key) * math.sqrt(query.shape[-1])).softmax(dim=-1)
)
ATTENTION_WEIGHTS.mistake(
    "√ 里应该是特征数 d_k，不是词元的个数。",
    "Under the root belongs the number of features d_k, not the number of tokens.",
)(
    lambda query, key: (_dot(query, key) / math.sqrt(key.shape[-2])).softmax(dim=-1),
    lambda query, key: (_dot(query, key) / math.sqrt(query.shape[-2])).softmax(dim=-1),
)
ATTENTION_WEIGHTS.mistake(recurring.SOFTMAX_OVER_QUERIES)(
    lambda query, key: _scores(query, key).softmax(dim=-2),
    lambda query, key: _scores(query, key).softmax(dim=0),
)
ATTENTION_WEIGHTS.mistake(
    "一句话时对，前面带上批量和头就错了：dim=1 那时是头。键总在最后一维，写 dim=-1。",
    "Right for one sentence, wrong with batch and heads in front: dim=1 is then the heads. Keys are always "
    "the last axis, dim=-1.",
)(lambda query, key: _scores(query, key).softmax(dim=1))
ATTENTION_WEIGHTS.mistake(
    "你对整个矩阵一起做了 softmax：所有元素加起来是 1。应该每一行各自归一化。",
    "You took one softmax over the whole matrix: all entries add up to 1. Each row needs its own.",
)(lambda query, key: _scores(query, key).flatten().softmax(dim=0).reshape(*query.shape[:-1], -1))
ATTENTION_WEIGHTS.mistake(recurring.WITHOUT_SOFTMAX)(lambda query, key: _scores(query, key))
ATTENTION_WEIGHTS.mistake(
    "取了指数，还没有除以每行的和。", "You took the exponentials but have not divided by each row's sum."
)(lambda query, key: _scores(query, key).exp())
ATTENTION_WEIGHTS.mistake(
    "查询和键换了位置：你算的是 k qᵀ，第 i 行变成了键 i 对各个查询的分数。行应是查询，列应是键。",
    "Query and key changed places: you compute k qᵀ, so row i holds key i's scores against the queries. Rows "
    "are queries, columns keys.",
)(lambda query, key: solutions.attention_weights(key, query))


# ---- 4 · weights under a mask -------------------------------------------------------------------------

SCORES_CHANGED = Text(
    "你改动了传进来的 {changed}（带下划线的方法或下标赋值会原地修改）。请算出新的张量。",
    "You changed the {changed} you were given (methods ending in _ and index assignment work in place). Make "
    "a new tensor.",
)
LEAK = Text(
    "被遮住的键还有 {leak} 的权重，应恰好为 0。",
    "A hidden key keeps a weight of {leak}; it should be exactly 0.",
)
FAINT_LEAK = Text(
    "被遮住的键还剩 {leak} 的权重。要恰好为 0，就填 float('-inf')。",
    "Hidden keys keep a weight of {leak}. For exactly 0, fill in float('-inf').",
)
OTHER_VISIBLE = Text(
    "被遮住的键权重是 0，但剩下的权重和“只在可见的键上做 softmax”不同。",
    "Hidden keys weigh 0, but the rest differs from a softmax over the visible keys.",
)
NOT_LOW_ENOUGH = Text(
    "分数都在 −20000 附近时，你填的常数反而比它们大，被遮住的键赢了。−∞ 才比一切数都小。",
    "With scores around −20000 the constant you fill in is larger than they are, and hidden keys win. Only "
    "−∞ is below every number.",
)
OVERFLOW = Text(
    "float32 下全对，但 float16 装不下你填的常数（float16 最小只到 −65504），masked_fill 报错了。改用 "
    "float('-inf')。",
    "All right in float32, but float16 cannot hold the constant you fill in (it ends at −65504) and "
    "masked_fill refuses. Use float('-inf').",
)
RENORMALISED = Text(
    "softmax 之后再乘掩码、再除以和：被遮住的分数最大时，可见的权重早已舍成 0，除也救不回来，0/0 是 NaN"
    "（float16 里差 18 就够了）。先遮，再 softmax。",
    "Masking after softmax and dividing by the sum: where a hidden score is the largest, all visible weights "
    "have rounded to 0 already, and 0/0 is NaN (in float16 a difference of 18 is enough). Mask first, then "
    "softmax.",
)
UNDERFLOW = Text(
    "分数都在 −20000 附近时得到 NaN：每个 exp 都小到成了 0，0/0。用 softmax，或者先减去每行的最大值。",
    "NaN for scores around −20000: every exponential underflows to 0, and 0/0. Use softmax, or subtract each "
    "row's maximum first.",
)
OVERFLOWN = Text(
    "{call} 里有 NaN 或无穷大：分数到了 200，exp 就装不下了。用 softmax，或者先减去每行可见的最大值。",
    "{call} has NaN or infinity: exp overflows once scores reach 200. Use softmax, or subtract the largest "
    "visible score of each row first.",
)
WRONG_IN_HALF = Text("float32 下全对，float16 下却不对。", "All right in float32, yet wrong in float16.")

CAUSAL = torch.ones(4, 4).tril().bool()
PADDED = torch.tensor([[True, True, False], [True, True, False]])
MASKED = ((3 * random_numbers(4, 4, seed=3), CAUSAL), (random_numbers(2, 3, 2, 3, seed=4), PADDED))


def _what_leaks(weights: Tensor, right: Tensor, scores: Tensor, mask: Tensor) -> Text:
    leak = float((weights * ~mask).max())
    return LEAK.format(leak=f"{leak:.1e}") if leak > 1e-6 else OTHER_VISIBLE


MASKED_WEIGHTS = Exercise(
    solutions.masked_weights,
    questions=MASKED,
    praise=Text(
        "对了：被遮住的键权重恰好是 0，每行加起来是 1，float16 下也一样。",
        "Right: hidden keys weigh exactly 0 and every row adds up to 1, in float16 as well.",
    ),
    changed=SCORES_CHANGED,
    otherwise=_what_leaks,
)


@MASKED_WEIGHTS.probe
def _exactly_zero(answer: Asked) -> None:
    for scores, mask in MASKED:
        leak = float((answer(scores.clone(), mask.clone()) * ~mask).max())
        if leak > 0:
            raise Wrong.saying(FAINT_LEAK, leak=f"{leak:.1e}")


@MASKED_WEIGHTS.probe
def _below_low_scores(answer: Asked) -> None:
    scores = random_numbers(4, 4, seed=5) - 2.0e4
    weights = numbers(answer(scores.clone(), CAUSAL.clone()), "masked_weights(scores − 20000, mask)")
    if not bool(weights.isfinite().all()):
        raise Wrong.saying(UNDERFLOW)
    if not torch.allclose(weights, solutions.masked_weights(scores.double(), CAUSAL), atol=1e-3):
        raise Wrong.saying(NOT_LOW_ENOUGH)


@MASKED_WEIGHTS.probe
def _beside_high_scores(answer: Asked) -> None:
    """Ask with 200 at a hidden key, then at a visible one: exponentials of that size leave float32."""
    mask, call = torch.tensor([[True, True, False]]), "masked_weights([[0, 1, 200]], [[1, 1, 0]])"
    weights = numbers(answer(torch.tensor([[0.0, 1.0, 200.0]]), mask), call)
    if not bool(weights.isfinite().all()):
        overflows = bool(numbers(answer(torch.tensor([[0.0, 200.0, 1.0]]), mask), call).isnan().any())
        raise Wrong.saying(OVERFLOWN if overflows else RENORMALISED, call=call)
    if not torch.allclose(weights, torch.tensor([[0.2689, 0.7311, 0.0]]).double(), atol=1e-3):
        raise Wrong.saying(RENORMALISED)


@MASKED_WEIGHTS.probe
def _in_half_precision(answer: Asked) -> None:
    scores = random_numbers(4, 4, seed=6).half()
    with explained("overflow", OVERFLOW):
        weights = answer(scores.clone(), CAUSAL.clone())
    same_shape(weights, (4, 4), "masked_weights(scores.half(), mask)")
    if not torch.allclose(weights.double(), solutions.masked_weights(scores.double(), CAUSAL), atol=2e-3):
        raise Wrong.saying(WRONG_IN_HALF)


MASKED_WEIGHTS.mistake(recurring.MASK_INVERTED)(
    lambda scores, mask: scores.masked_fill(mask, -math.inf).softmax(dim=-1),
    lambda scores, mask: scores.masked_fill(mask, -1e9).softmax(dim=-1),
)
MASKED_WEIGHTS.mistake(
    "你在 softmax 之后才乘掩码：每行加起来不到 1，而且被遮住的键已经进过分母，未来还是漏了进来。先遮，再 "
    "softmax。",
    "You multiply by the mask after softmax: the rows no longer add up to 1, and the hidden keys were in the "
    "denominator, so the future leaks in. Mask first, then softmax.",
)(lambda scores, mask: scores.softmax(dim=-1) * mask)
MASKED_WEIGHTS.mistake(
    "你把分数乘以 0：但 exp(0) = 1，被遮住的键还有分量。要的是 exp(−∞) = 0。",
    "You multiply the scores by 0, but exp(0) = 1: hidden keys still count. What is wanted is exp(−∞) = 0.",
)(lambda scores, mask: (scores * mask).softmax(dim=-1))
MASKED_WEIGHTS.mistake(
    "你把 True 当成 1 加了上去，没有遮住任何东西。", "You added True as a 1; nothing is hidden."
)(lambda scores, mask: (scores + mask).softmax(dim=-1))
MASKED_WEIGHTS.mistake(
    "掩码没有用上：被遮住的键和从前一样。", "The mask was not used: hidden keys weigh what they did before."
)(lambda scores, *_: scores.softmax(dim=-1))
MASKED_WEIGHTS.mistake(recurring.SOFTMAX_OVER_QUERIES)(
    lambda scores, mask: scores.masked_fill(~mask, -math.inf).softmax(dim=-2).nan_to_num(0.0)
)
MASKED_WEIGHTS.mistake(recurring.WITHOUT_SOFTMAX)(
    lambda scores, mask: scores.masked_fill(~mask, -math.inf),
    lambda scores, mask: scores * mask,
)
MASKED_WEIGHTS.mistake(
    "0 × ∞ 是 NaN：可见的键也成了 NaN。不要用乘法得到 −∞，用 masked_fill 或 torch.where 填。",
    "0 × ∞ is NaN, so the visible keys become NaN too. Do not multiply to get −∞; fill it in with "
    "masked_fill or torch.where.",
)(lambda scores, mask: (scores + (1 - mask.to(scores.dtype)) * -math.inf).softmax(dim=-1))


@MASKED_WEIGHTS.mistake(
    "前面带上批量和头就错了：scores[~mask] 用掩码去取最前面的两维，遮住了整句话。掩码属于最后两维："
    "masked_fill 会自己广播。",
    "Wrong with batch and heads in front: scores[~mask] applies the mask to the first two axes and hides "
    "whole sentences. The mask belongs to the last two; masked_fill broadcasts by itself.",
)
def by_index(scores: Tensor, mask: Tensor) -> Tensor:
    filled = scores.clone()
    filled[~mask] = -math.inf
    return filled.softmax(dim=-1)
