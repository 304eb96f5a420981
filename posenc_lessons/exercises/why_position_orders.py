"""Lesson 01, what an order does: the permutation matrix, and a test for equivariance."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.exercises.reading import close, real_numbers
from posenc_lessons.exercises.verdict import Wrong
from posenc_lessons.language import Text

# ---- 1 · the permutation matrix ----------------------------------------------------------------------


def examine_permutation_matrix(answer: Callable[[Tensor], Any]) -> None:
    for order in ([1, 2, 0], [0, 1], [2, 0, 3, 1, 4], [0]):
        index = torch.tensor(order)
        length = len(order)
        answered = answer(index.clone())
        matrix = real_numbers(answered, (length, length))
        expected = torch.eye(length)[index]
        if close(matrix, expected):
            _can_multiply(answered, length)
            continue
        if close(matrix, expected.T):
            raise Wrong(
                f"你的矩阵转置了：order = {order} 时，它把第 i 行送到第 order[i] 行，而不是从第 order[i] "
                "行取来。"
                "检查一下 1 写在第 i 行还是第 i 列。",
                f"Your matrix is transposed: for order = {order} it sends row i to row order[i] "
                "instead of fetching row i from row order[i]. Does the 1 stand in row i or in column i?",
            )
        if close(matrix, torch.eye(length)):
            raise Wrong(
                f"这是单位矩阵：它什么也不打乱。order = {order} 没有用上。",
                f"That is the identity matrix: it shuffles nothing. order = {order} was not used.",
            )
        ones_in_rows = bool((matrix.sum(dim=1) == 1).all()) and bool(((matrix == 0) | (matrix == 1)).all())
        if not ones_in_rows:
            raise Wrong(
                f"置换矩阵每一行恰好有一个 1，其余都是 0。order = {order} 时你的不是这样。",
                f"A permutation matrix has exactly one 1 in each row and 0 elsewhere. For order = {order} "
                "yours has not.",
            )
        raise Wrong(
            f"order = {order} 时，第 i 行的 1 应该在第 order[i] 列。",
            f"For order = {order}, the 1 of row i belongs in column order[i].",
        )


def _can_multiply(matrix: Tensor, length: int) -> None:
    if matrix.dtype != torch.float32:
        raise Wrong(
            f"0 和 1 的位置都对，但类型是 {matrix.dtype}，和 float32 的 x 相乘会报错（one_hot 给的就是 "
            "int64）。加上 .float()。",
            f"Every 0 and 1 is in place, but the type is {matrix.dtype}: multiplying a float32 x by it fails "
            "(one_hot gives int64). Add .float().",
        )


# ---- 3 · a test for equivariance ----------------------------------------------------------------------


def _sum_in_turn(x: Tensor) -> Tensor:
    """Every token plus 0.1 of the total, added up in the order given: equal on paper, not to the last bit."""
    total = x[0]
    for row in x[1:]:
        total = total + row
    return x + 0.1 * total


def _attention(x: Tensor) -> Tensor:
    return (x @ x.T / math.sqrt(x.shape[-1])).softmax(dim=-1) @ x


def _running_mean(x: Tensor) -> Tensor:
    return x.cumsum(dim=0) / torch.arange(1, len(x) + 1)[:, None]


def _mark_last(x: Tensor) -> Tensor:
    mark = torch.zeros_like(x)
    mark[-1] = 1.0
    return x + mark


def _faint_positions(x: Tensor) -> Tensor:
    return x + 0.01 * torch.arange(len(x))[:, None]


Layer = Callable[[Tensor], Tensor]
LAYERS: tuple[tuple[Layer, bool, Text], ...] = (
    (lambda x: torch.relu(x) * 3, True, Text("逐词元的 relu(x)·3", "relu(x)·3 on each token")),
    (lambda x: x.mean(dim=0).expand_as(x), True, Text("每行都换成平均值", "every row replaced by the mean")),
    (_attention, True, Text("没有位置的自注意力", "self-attention without positions")),
    (_sum_in_turn, True, Text("每行加上总和的 0.1 倍", "every row plus 0.1 of the total")),
    (_running_mean, False, Text("前缀平均", "the running mean")),
    (_faint_positions, False, Text("加上 0.01·位置", "adding 0.01 · position")),
    (_mark_last, False, Text("给最后一行加 1", "adding 1 to the last row")),
    (lambda x: x.flip(0), False, Text("首尾颠倒 x.flip(0)", "x.flip(0), last row first")),
    (lambda x: x.roll(1, 0), False, Text("循环右移 x.roll(1, 0)", "x.roll(1, 0)")),
    (lambda x: x.sort(dim=0).values, False, Text("每列排序", "sorting each column")),
)


def examine_is_equivariant(answer: Callable[[Layer, Tensor], Any]) -> None:
    x = torch.tensor([[0.1, 3.0], [0.2, -1.0], [0.3, 0.5], [-2.0, 0.7]])
    said = []
    for layer, _, name in LAYERS:
        verdict = answer(layer, x.clone())
        if not isinstance(verdict, bool):
            kind = type(verdict).__name__
            raise Wrong(
                f"请返回 True 或 False，你返回的是 {kind}（层：{name.zh}）。张量的比较结果可以用 "
                ".all().item() 或 torch.allclose 变成 bool。",
                f"Return True or False; yours is of type {kind} (layer: {name.en}). "
                "A comparison of tensors becomes a bool with .all().item() or torch.allclose.",
            )
        said.append(verdict)
    truth = [equivariant for _, equivariant, _ in LAYERS]
    if said == truth:
        return
    for habit, zh, en in _HABITS:
        if said == [habit(layer, x) for layer, _, _ in LAYERS]:
            raise Wrong(zh, en)
    at = next(i for i in range(len(said)) if said[i] != truth[i])
    name = LAYERS[at][2]
    hint_zh, hint_en = (
        (
            "它对每一种顺序都满足 layer(x[order]) = layer(x)[order]",
            "it satisfies layer(x[order]) = layer(x)[order] for every order",
        )
        if truth[at]
        else ("至少有一种顺序不满足", "at least one order breaks it")
    )
    raise Wrong(
        f"层“{name.zh}”判断错了：你说 {said[at]}，而{hint_zh}。",
        f"The layer “{name.en}” was misjudged: you say {said[at]}, yet {hint_en}.",
    )


def _holds(layer: Layer, x: Tensor, orders: list[list[int]], atol: float = 1e-5) -> bool:
    return all(torch.allclose(layer(x[order]), layer(x)[order], atol=atol) for order in orders)


def all_orders(x: Tensor) -> list[list[int]]:
    return [list(order) for order in itertools.permutations(range(len(x)))]


def _invariant(layer: Layer, x: Tensor) -> bool:
    return all(torch.allclose(layer(x[order]), layer(x), atol=1e-5) for order in all_orders(x))


def _exactly(layer: Layer, x: Tensor) -> bool:
    return all(torch.equal(layer(x[order]), layer(x)[order]) for order in all_orders(x))


def _only_reversed(layer: Layer, x: Tensor) -> bool:
    return _holds(layer, x, [list(range(len(x)))[::-1]])


def _only_rolled(layer: Layer, x: Tensor) -> bool:
    return _holds(layer, x, [[*range(1, len(x)), 0]])


def _only_first_two(layer: Layer, x: Tensor) -> bool:
    return _holds(layer, x, [[1, 0, *range(2, len(x))]])


def _loosely(layer: Layer, x: Tensor) -> bool:
    return _holds(layer, x, all_orders(x), atol=0.1)


def _inverse_order(layer: Layer, x: Tensor) -> bool:
    return all(
        torch.allclose(layer(x[order]), layer(x)[torch.tensor(order).argsort()], atol=1e-5)
        for order in all_orders(x)
    )


_HABITS: tuple[tuple[Callable[[Layer, Tensor], bool], str, str], ...] = (
    (
        _invariant,
        "你检验的是不变性 layer(x[order]) = layer(x)：输出完全不动。等变性是输出跟着一起换：右边应为 "
        "layer(x)[order]。",
        "You test invariance, layer(x[order]) = layer(x): the output stays put. Equivariance lets the "
        "output move along: "
        "the right side is layer(x)[order].",
    ),
    (
        _exactly,
        "你要求每一位都相等。浮点加法换了顺序，末位会变：留一点余地，比如 torch.allclose(..., atol=1e-5)。",
        "You ask for equality to the last bit. Floating-point sums change there with their order: "
        "allow a little, such as torch.allclose(..., atol=1e-5).",
    ),
    (
        _only_reversed,
        "你只试了首尾颠倒这一种顺序，x.flip(0) 恰好逃过。要试每一种顺序：itertools.permutations。",
        "You tried the reversed order only, and x.flip(0) slips through. Try every order: "
        "itertools.permutations.",
    ),
    (
        _only_rolled,
        "你只试了循环移位这一种顺序，x.roll(1, 0) 恰好逃过。要试每一种顺序：itertools.permutations。",
        "You tried a cyclic shift only, and x.roll(1, 0) slips through. Try every order: "
        "itertools.permutations.",
    ),
    (
        _only_first_two,
        "你只交换了前两行，于是“给最后一行加 1”恰好逃过。要试每一种顺序：itertools.permutations。",
        "You exchanged the first two rows only, so “adding 1 to the last row” slips through. "
        "Try every order: itertools.permutations.",
    ),
    (
        _loosely,
        "容差太大：加上 0.01·位置 这样的差别被放过了。1e-5 左右合适。",
        "The tolerance is too loose: adding 0.01 · position went unnoticed. About 1e-5 is right.",
    ),
    (
        _inverse_order,
        "右边用的是 order 的逆排列。两行互换看不出来，三行轮换就不对了：右边应为 layer(x)[order]。",
        "Your right side uses the inverse of order. An exchange of two rows cannot tell, a turn of three "
        "can: "
        "it should be layer(x)[order].",
    ),
    (lambda layer, x: True, "你对每一层都说 True。", "You say True to every layer."),
    (lambda layer, x: False, "你对每一层都说 False。", "You say False to every layer."),
)
