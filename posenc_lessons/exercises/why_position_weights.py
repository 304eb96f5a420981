"""Lesson 01, what attends to what: attention weights, the causal mask, weights under it, positions read."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.exercises.reading import close, random_numbers, real_numbers
from posenc_lessons.exercises.verdict import Wrong

# ---- 2 · attention weights ---------------------------------------------------------------------------


def examine_attention_weights(answer: Callable[[Tensor, Tensor], Any]) -> None:
    for seed, front, n_queries, n_keys, d_head in ((0, (), 3, 3, 4), (1, (), 3, 5, 16), (2, (2, 3), 4, 6, 9)):
        query = 2 * random_numbers(*front, n_queries, d_head, seed=seed)
        key = random_numbers(*front, n_keys, d_head, seed=seed + 10)
        dot = query.double() @ key.double().transpose(-2, -1)
        answered = answer(query.clone(), key.clone())
        weights = _numbers_or_swapped(answered, (*front, n_queries, n_keys))
        scores = dot / math.sqrt(d_head)
        if close(weights, scores.softmax(dim=-1)):
            continue
        for wrong, zh, en in _attention_mistakes(dot, d_head):
            if close(weights, wrong):
                raise Wrong(zh, en)
        if n_queries == n_keys and close(weights, scores.transpose(-2, -1).softmax(dim=-1)):
            raise Wrong(
                "查询和键换了位置：你算的是 k qᵀ，第 i 行变成了键 i 对各个查询的分数。",
                "Query and key changed places: you compute k qᵀ, so row i holds key i's scores against the "
                "queries.",
            )
        sums = weights.sum(dim=-1)
        if not close(sums, torch.ones_like(sums)):
            raise Wrong(
                f"每一行的权重应该加起来等于 1，你的第一行加起来是 {float(sums.flatten()[0]):.4f}。",
                "Each row of weights should add up to 1; your first row adds up to "
                f"{float(sums.flatten()[0]):.4f}.",
            )
        raise Wrong(
            "每行加起来是 1，但数值和 softmax(q kᵀ / √d_k) 不同。",
            "The rows add up to 1, but the numbers differ from softmax(q kᵀ / √d_k).",
        )


def _attention_mistakes(dot: Tensor, d_head: int) -> tuple[tuple[Tensor, str, str], ...]:
    """What the usual mistakes make of the dot products, and what to say to each."""
    n_keys = dot.shape[-1]
    scores = dot / math.sqrt(d_head)
    return (
        (
            dot.softmax(dim=-1),
            "忘了除以 √d_k：分数的标准差会随 d_k 变大，softmax 就越来越尖。",
            "The division by √d_k is missing: the scores spread with d_k and the softmax grows too sharp.",
        ),
        (
            (dot / d_head).softmax(dim=-1),
            "你除以的是 d_k，应该除以它的平方根 √d_k。",
            "You divide by d_k; divide by its square root, √d_k.",
        ),
        (
            (dot * math.sqrt(d_head)).softmax(dim=-1),
            "你乘上了 √d_k，应该是除以。",
            "You multiply by √d_k; divide by it.",
        ),
        (
            (dot / math.sqrt(n_keys)).softmax(dim=-1),
            "√ 里应该是特征数 d_k，不是键的个数。",
            "Under the root belongs the number of features d_k, not the number of keys.",
        ),
        (
            scores.softmax(dim=-2),
            "softmax 做错了方向：你的每一列加起来是 1，应该每一行加起来是 1（dim=-1，对键归一化）。",
            "softmax over the wrong axis: your columns add up to 1; the rows should (dim=-1, over the keys).",
        ),
        (
            scores.softmax(dim=0),
            "softmax 用了 dim=0，那是最前面的一维；每个查询应在自己的键上归一化，用 dim=-1。",
            "softmax was taken over dim=0, the front axis; each query shares out over its keys, dim=-1.",
        ),
        (
            scores.flatten().softmax(dim=0).reshape(scores.shape),
            "你对整个矩阵一起做了 softmax：所有元素加起来是 1。应该每一行各自归一化。",
            "You took one softmax over the whole matrix: all entries add up to 1. Each row needs its own.",
        ),
        (
            scores,
            "这是 softmax 之前的分数，还差最后一步。",
            "These are the scores before softmax; one step is still missing.",
        ),
        (
            scores.exp(),
            "取了指数，还没有除以每行的和。",
            "You took the exponentials but have not divided by each row's sum.",
        ),
    )


def _numbers_or_swapped(answered: Any, shape: tuple[int, ...]) -> Tensor:
    swapped = (*shape[:-2], shape[-1], shape[-2])
    if isinstance(answered, Tensor) and tuple(answered.shape) == swapped != shape:
        raise Wrong(
            f"形状是 {list(swapped)}，行和列反了：行是查询，列是键，应为 {list(shape)}。",
            f"The shape is {list(swapped)}, rows and columns exchanged: rows are queries, columns keys, "
            f"{list(shape)}.",
        )
    return real_numbers(answered, shape)


# ---- 4 · the causal mask -----------------------------------------------------------------------------


def examine_causal_mask(answer: Callable[[int], Any]) -> None:
    for length in (4, 1, 7):
        answered = answer(length)
        mask = real_numbers(answered, (length, length))
        row, column = torch.arange(length)[:, None], torch.arange(length)[None, :]
        if close(mask, column <= row):
            if answered.dtype != torch.bool:
                raise Wrong(
                    f"位置都对，但类型是 {answered.dtype}。~mask 和 masked_fill 要的是 bool。",
                    f"Every place is right, but the type is {answered.dtype}. ~mask and masked_fill want "
                    "bool.",
                )
            continue
        if close(mask, column > row):
            raise Wrong(
                "正好反了：你的 True 标出了未来，也就是该遮住的地方。这里 True 表示可以看。",
                "Exactly inverted: your True marks the future, the part to hide. Here True means may look.",
            )
        if close(mask, column < row):
            raise Wrong(
                "差一格：词元看不到自己了，第 0 行一个 True 也没有（softmax 会变成 NaN）。对角线上应为 "
                "True。",
                "Off by one: a token cannot see itself, and row 0 has no True at all (softmax would give "
                "NaN). "
                "The diagonal belongs in.",
            )
        if close(mask, column >= row):
            raise Wrong(
                "转置了：第 i 行是查询 i，它应该看到 j ≤ i；你让它看未来，遮住了过去。",
                "Transposed: row i is query i and should see j ≤ i; yours looks ahead and hides the past.",
            )
        if close(mask, column <= row + 1):
            raise Wrong(
                "多露了一格：每个词元能偷看到下一个词元。",
                "One too many: each token can peek at the next one.",
            )
        if bool((mask == 1).all()):
            raise Wrong("全是 True：什么也没有遮住。", "All True: nothing is hidden.")
        raise Wrong(
            f"length = {length} 时不对：第 i 行第 j 列应在 j ≤ i 时为 True。",
            f"Not right for length = {length}: entry (i, j) should be True when j ≤ i.",
        )


# ---- 5 · weights under a mask ------------------------------------------------------------------------


def examine_masked_weights(answer: Callable[[Tensor, Tensor], Any]) -> None:
    square = torch.ones(4, 4).tril().bool()
    padded = torch.tensor([[True, True, False], [True, True, False]])
    for scores, mask in (
        (3 * random_numbers(4, 4, seed=3), square),
        (random_numbers(2, 3, 2, 3, seed=4), padded),
    ):
        given = scores.clone()
        answered = answer(given, mask.clone())
        if not torch.equal(given, scores):
            raise Wrong(
                "你改动了传进来的 scores（带下划线的方法或下标赋值会原地修改）。请算出新的张量。",
                "You changed the scores you were given (methods ending in _ and index assignment work in "
                "place). "
                "Make a new tensor.",
            )
        _not_inverted(answered, scores.double(), mask)
        _judge_masked(real_numbers(answered, tuple(scores.shape)), scores.double(), mask)
    _with_low_scores(answer, square)
    _in_half_precision(answer, square)


def _not_inverted(answered: Any, scores: Tensor, mask: Tensor) -> None:
    """An inverted mask may hide whole rows and give NaN there, so it is named before NaN is."""
    rows = ~mask.all(dim=-1)  # rows that an inverted mask leaves something to look at
    inverted = scores.masked_fill(mask, -math.inf).softmax(dim=-1)
    if not isinstance(answered, Tensor) or answered.shape != scores.shape:
        return
    if answered.is_complex() or answered.is_meta:
        return
    if close(answered.detach().cpu().double()[..., rows, :], inverted[..., rows, :]):
        raise Wrong(
            "掩码用反了：True 表示可以看，你却把可以看的遮住了。",
            "The mask is inverted: True means may look, and you hide just those.",
        )


def _judge_masked(weights: Tensor, scores: Tensor, mask: Tensor) -> None:
    hidden = ~mask
    expected = scores.masked_fill(hidden, -math.inf).softmax(dim=-1)
    if close(weights, expected):
        leak = float((weights * hidden).max())
        if leak > 0:
            raise Wrong(
                f"被遮住的键还剩 {leak:.1e} 的权重。要恰好为 0，就填 float('-inf')。",
                f"Hidden keys keep a weight of {leak:.1e}. For exactly 0, fill in float('-inf').",
            )
        return
    for wrong, zh, en in (
        (
            scores.softmax(dim=-1) * mask,
            "你在 softmax 之后才乘掩码：每行加起来不到 1，而且被遮住的键已经进过分母，未来还是漏了进来。"
            "先遮，再 softmax。",
            "You multiply by the mask after softmax: the rows no longer add up to 1, and the hidden keys "
            "were in the "
            "denominator, so the future leaks in. Mask first, then softmax.",
        ),
        (
            (scores * mask).softmax(dim=-1),
            "你把分数乘以 0：但 exp(0) = 1，被遮住的键还有分量。要的是 exp(−∞) = 0。",
            "You multiply the scores by 0, but exp(0) = 1: hidden keys still count. What is wanted is "
            "exp(−∞) = 0.",
        ),
        (
            (scores + mask).softmax(dim=-1),
            "你把 True 当成 1 加了上去，没有遮住任何东西。",
            "You added True as a 1; nothing is hidden.",
        ),
        (
            scores.softmax(dim=-1),
            "掩码没有用上：被遮住的键和从前一样。",
            "The mask was not used: hidden keys weigh what they did before.",
        ),
        (
            scores.masked_fill(hidden, -math.inf).softmax(dim=-2).nan_to_num(0.0),
            "遮对了，但 softmax 的方向错了：应在键上归一化，dim=-1。",
            "Masked rightly, but softmax went over the wrong axis: share out over the keys, dim=-1.",
        ),
    ):
        if close(weights, wrong):
            raise Wrong(zh, en)
    if bool((weights * hidden).max() > 1e-6):
        raise Wrong(
            f"被遮住的键还有 {float((weights * hidden).max()):.1e} 的权重，应恰好为 0。",
            f"A hidden key keeps a weight of {float((weights * hidden).max()):.1e}; it should be exactly 0.",
        )
    raise Wrong(
        "被遮住的键权重是 0，但剩下的权重和“只在可见的键上做 softmax”不同。",
        "Hidden keys weigh 0, but the rest differs from a softmax over the visible keys.",
    )


def _with_low_scores(answer: Callable[[Tensor, Tensor], Any], mask: Tensor) -> None:
    scores = random_numbers(4, 4, seed=5) - 2.0e4
    weights = real_numbers(answer(scores.clone(), mask.clone()), (4, 4))
    if not close(weights, scores.double().masked_fill(~mask, -math.inf).softmax(dim=-1), 1e-3):
        raise Wrong(
            "分数都在 −20000 附近时，你填的常数反而比它们大，被遮住的键赢了。−∞ 才比一切数都小。",
            "With scores around −20000 the constant you fill in is larger than they are, and hidden keys "
            "win. "
            "Only −∞ is below every number.",
        )


def _in_half_precision(answer: Callable[[Tensor, Tensor], Any], mask: Tensor) -> None:
    scores = random_numbers(4, 4, seed=6).half()

    def in_half(given: Tensor, allowed: Tensor) -> Any:
        try:
            return answer(given, allowed)
        except Exception as raised:
            if "overflow" not in str(raised):
                raise
        raise Wrong(
            "float32 下全对，但 float16 装不下你填的常数（float16 最小只到 −65504），masked_fill 报错了。"
            "改用 float('-inf')。",
            "All right in float32, but float16 cannot hold the constant you fill in (it ends at −65504) and "
            "masked_fill "
            "refuses. Use float('-inf').",
        )

    weights = real_numbers(in_half(scores.clone(), mask.clone()), (4, 4))
    expected = scores.double().masked_fill(~mask, -math.inf).softmax(dim=-1)
    if not close(weights, expected, 2e-3):
        raise Wrong(
            "float32 下全对，float16 下却不对。",
            "All right in float32, yet wrong in float16.",
        )


# ---- 6 · reading positions off the average -----------------------------------------------------------


def examine_read_positions(answer: Callable[[Tensor], Any]) -> None:
    for length in (300, 5):
        positions = torch.arange(length)
        share = 1 / (positions + 1).float()
        answered = answer(share.clone())
        read = real_numbers(answered, (length,))
        if close(read, positions, 0.0):
            if answered.is_floating_point():
                raise Wrong(
                    f"数值都对，但类型是 {answered.dtype}。位置是整数，后面要拿去查表：用 .long()。",
                    f"Every number is right, but the type is {answered.dtype}. Positions are integers, "
                    "to index a table with: use .long().",
                )
            continue
        if close(read, positions + 1, 1e-3):
            raise Wrong(
                "多了 1：1/share 数的是看得见的词元个数 t+1，位置是 t。",
                "One too many: 1/share counts the visible tokens, t+1; the position is t.",
            )
        truncated = (1 / share).double().floor() - 1
        if (
            close(read, positions, 1e-3)
            or close(read, truncated, 0.0)
            or close(read, (1 / share - 1).long(), 0.0)
        ):
            first = int((read != positions).nonzero()[0])
            raise Wrong(
                f"差一点：还留着舍入误差。位置 {first} 处你得到 {float(read[first]):.6g}。先 .round() "
                "再 .long()，后者只会截断。",
                f"Nearly: the rounding error is still there. At position {first} you get "
                f"{float(read[first]):.6g}. "
                "Call .round() before .long(), which only cuts off.",
            )
        first = int((read != positions).nonzero()[0])
        raise Wrong(
            f"share = {float(share[first]):.4f} 时位置应为 {first}，你得到 {float(read[first]):.4g}。",
            f"For share = {float(share[first]):.4f} the position is {first}; you get "
            f"{float(read[first]):.4g}.",
        )
