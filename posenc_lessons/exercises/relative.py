"""The exercises of lesson 04: each check knows the usual wrong answers and names the one it sees."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.exercises import relative_mistakes as mistakes
from posenc_lessons.exercises.reading import compare, numbers, random_numbers, same_shape
from posenc_lessons.exercises.solutions import relative as reference
from posenc_lessons.exercises.verdict import Verdict, Wrong, judge
from posenc_lessons.language import Text

Answer = Callable[..., Any]


def check_table_rows(answer: Answer) -> Verdict:
    """Judge ``table_rows(len_q, len_k, k) -> int64 [len_q, len_k]``."""
    return judge(
        answer,
        _examine_table_rows,
        Text(
            "对。j − i，截断，再加 k：每一行都在 0 到 2k 之间，查询和键不一样多也没问题。",
            "Right. j − i, clipped, plus k: every row lies between 0 and 2k, also when queries and keys "
            "differ in number.",
        ),
    )


def check_shaw_scores(answer: Answer) -> Verdict:
    """Judge ``shaw_scores(query [..., Lq, d], key [..., Lk, d], table [2k+1, d]) -> [..., Lq, Lk]``."""
    return judge(
        answer,
        _examine_shaw_scores,
        Text(
            "对。两项都除以 √d，符号、截断都对，前面带上批量和头也成立。",
            "Right. Both terms divided by √d, sign and clipping in order, and it holds with batch and heads "
            "in front.",
        ),
    )


def check_weights_by_distance(answer: Answer) -> Verdict:
    """Judge ``weights_by_distance(weights [..., Lq, Lk], k) -> [..., Lq, 2k+1]``."""
    return judge(
        answer,
        _examine_weights_by_distance,
        Text(
            "对。同一距离的权重加在一起，一份不少；乘上值的表 [2k+1, d] 就是门 4。",
            "Right. Weights at one distance are added up and none is lost; multiply by the table of values "
            "[2k+1, d] and you have door 4.",
        ),
    )


def check_bucket(answer: Answer) -> Verdict:
    """Judge ``bucket(steps int64, n_buckets, max_distance) -> int64``, T5's buckets of one direction."""
    return judge(
        answer,
        _examine_bucket,
        Text(
            "对。近处一步一个桶，远处按对数变宽，最后一个桶收下所有更远的。",
            "Right. A bucket for each step nearby, wider ones by the logarithm further off, and the last "
            "takes all the rest.",
        ),
    )


def check_slopes(answer: Answer) -> Verdict:
    """Judge ``slopes(n_heads) -> [n_heads]``, ALiBi's slopes."""
    return judge(
        answer,
        _examine_slopes,
        Text(
            "对。头数是 2 的幂时是等比数列，不是的时候也和论文的代码一致。",
            "Right. A geometric sequence for powers of two, and for other head counts what the paper's code "
            "gives.",
        ),
    )


# ---- 1 · rows of the table --------------------------------------------------------------------------------


def _examine_table_rows(answer: Answer) -> None:
    for len_q, len_k, k in ((3, 5, 2), (4, 4, 1), (6, 2, 3), (2, 9, 4), (1, 1, 2)):
        call = f"table_rows({len_q}, {len_k}, {k})"
        answered = answer(len_q, len_k, k)
        value = numbers(answered, call)
        if tuple(value.shape) == (len_k, len_q) != (len_q, len_k):
            raise Wrong(
                f"形状是 [{len_k}, {len_q}]，行和列反了：一行一个查询，一列一个键，应为 [{len_q}, {len_k}]。",
                f"The shape is [{len_k}, {len_q}], rows and columns exchanged: a row for each query, a "
                f"column for each key, [{len_q}, {len_k}].",
            )
        same_shape(value, (len_q, len_k), call)
        right = reference.table_rows(len_q, len_k, k).double()
        compare(value, right, call, mistakes.row_suspects(len_q, len_k, k), tolerance=1e-9)
        _whole(answered, call)


def _whole(answered: Tensor, call: str) -> None:
    """Right numbers of a type with which no table can be indexed are not right yet."""
    if answered.dtype not in (torch.int64, torch.int32):
        raise Wrong(
            f"{call} 的数都对，但类型是 {answered.dtype}，不能拿去查表：要 int64。",
            f"Every number of {call} is right, but the type is {answered.dtype}, which cannot index a "
            "table: int64 is wanted.",
        )


# ---- 2 · Shaw's scores ------------------------------------------------------------------------------------


def _examine_shaw_scores(answer: Answer) -> None:
    cases = (((), 5, 2, 4, 1), ((), 3, 5, 4, 2), ((), 4, 4, 6, 1), ((2, 3), 5, 4, 3, 2), ((2,), 7, 7, 5, 3))
    for seed, (front, len_q, len_k, d_head, k) in enumerate(cases):
        query, key = (
            random_numbers(*front, len_q, d_head, seed=seed),
            random_numbers(*front, len_k, d_head, seed=seed + 10),
        )
        table = random_numbers(2 * k + 1, d_head, seed=seed + 20)
        call = f"shaw_scores(query {list(query.shape)}, key {list(key.shape)}, table {list(table.shape)})"
        value = numbers(answer(query.clone(), key.clone(), table.clone()), call)
        same_shape(value, (*front, len_q, len_k), call)
        right = reference.shaw_scores(query.double(), key.double(), table.double())
        suspects = mistakes.score_suspects(query.double(), key.double(), table.double())
        compare(value, right, call, suspects, tolerance=1e-5)


# ---- 3 · weights by distance ------------------------------------------------------------------------------


def _examine_weights_by_distance(answer: Answer) -> None:
    for seed, (front, len_q, len_k, k) in enumerate((((), 3, 6, 1), ((), 4, 4, 2), ((2, 3), 5, 3, 2))):
        weights = random_numbers(*front, len_q, len_k, seed=seed).softmax(dim=-1)
        given = weights.clone()
        call = f"weights_by_distance(weights {list(weights.shape)}, {k})"
        value = numbers(answer(given, k), call)
        if value.shape == weights.shape != (*front, len_q, 2 * k + 1):
            raise Wrong(
                f"形状还是一列一个键 {list(weights.shape)}；要一列一个距离：[..., L_q, {2 * k + 1}]。",
                f"The shape is still a column per key, {list(weights.shape)}; a column per distance is "
                f"wanted: [..., L_q, {2 * k + 1}].",
            )
        same_shape(value, (*front, len_q, 2 * k + 1), call)
        if not torch.equal(given, weights):
            raise Wrong(
                "你的函数改动了传进来的 weights。返回一个新张量。",
                "Your function changed the weights it was given. Return a new tensor.",
            )
        right = reference.weights_by_distance(weights.double(), k)
        compare(value, right, call, mistakes.total_suspects(weights.double(), k), tolerance=1e-5)


# ---- 4 · T5's buckets -------------------------------------------------------------------------------------


def _examine_bucket(answer: Answer) -> None:
    for n_buckets, max_distance in ((16, 128), (32, 128), (8, 20), (9, 50)):
        steps = _off_the_edges(n_buckets, max_distance)
        call = f"bucket(steps, {n_buckets}, {max_distance})"
        given = steps.clone()
        answered = answer(given, n_buckets, max_distance)
        value = numbers(answered, call)
        same_shape(value, tuple(steps.shape), call)
        if not torch.equal(given, steps):
            raise Wrong(
                "你的函数改动了传进来的 steps。返回一个新张量。",
                "Your function changed the steps it was given. Return a new tensor.",
            )
        right = reference.bucket(steps, n_buckets, max_distance).double()
        if not torch.equal(value, right):
            for mistaken, name in mistakes.bucket_suspects(steps, n_buckets, max_distance):
                if torch.equal(value, mistaken.double()):
                    raise Wrong(name.zh, name.en)
            place = int((value != right).nonzero()[0])
            step, yours, wanted = int(steps[place]), float(value[place]), int(right[place])
            raise Wrong(
                f"n_buckets = {n_buckets}、max_distance = {max_distance} 时，往回 {step} 步应当在 {wanted} "
                f"号桶，你的是 {yours:g}。",
                f"With n_buckets = {n_buckets} and max_distance = {max_distance}, {step} steps back belong "
                f"in bucket {wanted}; yours says {yours:g}.",
            )
        _whole(answered, call)


def _off_the_edges(n_buckets: int, max_distance: int) -> Tensor:
    """Numbers of steps whose bucket no rounding can change: the logarithm lands well inside a bucket."""
    exact = n_buckets // 2
    steps = torch.arange(2 * max_distance)
    wide = (steps.clamp(min=1).double() / exact).log() / math.log(max_distance / exact) * (n_buckets - exact)
    inside = (wide - wide.round()).abs() > 1e-4
    return steps[inside | (steps <= exact)]


# ---- 5 · ALiBi's slopes -----------------------------------------------------------------------------------


def _examine_slopes(answer: Answer) -> None:
    for n_heads in (8, 4, 16, 1, 12, 6, 20):
        call = f"slopes({n_heads})"
        value = numbers(answer(n_heads), call)
        same_shape(value, (n_heads,), call)
        right = reference.slopes(n_heads).double()
        compare(value, right, call, mistakes.slope_suspects(n_heads), tolerance=1e-6)
