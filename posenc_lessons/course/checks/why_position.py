"""Checks of lesson 01's exercises: what attention sees when nothing says where a token stands.

Each check compares with the definition and, when the answer is wrong, with the wrong answers people
really give, so that the message can name the mistake.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.course.checks.verdict import Verdict, Wrong, judge
from posenc_lessons.course.language import Text


def _numbers(answer: Any, shape: tuple[int, ...]) -> Tensor:
    """The answer as a float64 tensor on the CPU, once it is known to be finite and of this shape."""
    if not isinstance(answer, Tensor):
        name = type(answer).__name__
        raise Wrong(
            f"请返回一个 torch 张量，你返回的是 {name}。",
            f"Return a torch tensor; yours is of type {name}.",
        )
    if tuple(answer.shape) != shape:
        raise Wrong(
            f"形状应为 {list(shape)}，你返回的是 {list(answer.shape)}。",
            f"The shape should be {list(shape)}; yours is {list(answer.shape)}.",
        )
    if answer.is_complex() or answer.is_meta:
        raise Wrong(
            f"这里要的是普通的实数，你的张量是 {answer.dtype}（{answer.device}）。",
            f"Plain real numbers are wanted here; your tensor is {answer.dtype} on {answer.device}.",
        )
    dense = answer.to_dense() if answer.layout != torch.strided else answer
    values = dense.detach().cpu().double()
    if not bool(values.isfinite().all()):
        raise Wrong(
            "结果里有 NaN 或无穷大。看看哪一步除以了 0，或者有没有一整行都被遮住。",
            "There is NaN or infinity in the result. Look for a division by 0, or for a row with every key "
            "hidden.",
        )
    return values


def _same(values: Tensor, expected: Tensor, tolerance: float = 1e-5) -> bool:
    return values.shape == expected.shape and bool((values - expected.double()).abs().max() <= tolerance)


def _random(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


# ---- 1 · the permutation matrix -----------------------------------------------------------------------


def check_permutation_matrix(permutation_matrix: Callable[[Tensor], Tensor]) -> Verdict:
    """Is (P @ x)[i] equal to x[order[i]]?"""
    praise = Text(
        "对了：P @ x 的第 i 行就是 x 的第 order[i] 行，而且 P Pᵀ = I。",
        "Right: row i of P @ x is row order[i] of x, and P Pᵀ = I.",
    )
    return judge(permutation_matrix, _examine_permutation_matrix, praise)


def _examine_permutation_matrix(answer: Callable[[Tensor], Any]) -> None:
    for order in ([1, 2, 0], [0, 1], [2, 0, 3, 1, 4], [0]):
        index = torch.tensor(order)
        length = len(order)
        answered = answer(index.clone())
        matrix = _numbers(answered, (length, length))
        expected = torch.eye(length)[index]
        if _same(matrix, expected):
            _can_multiply(answered, length)
            continue
        if _same(matrix, expected.T):
            raise Wrong(
                f"你的矩阵转置了：order = {order} 时，它把第 i 行送到第 order[i] 行，而不是从第 order[i] "
                "行取来。"
                "检查一下 1 写在第 i 行还是第 i 列。",
                f"Your matrix is transposed: for order = {order} it sends row i to row order[i] "
                "instead of fetching row i from row order[i]. Does the 1 stand in row i or in column i?",
            )
        if _same(matrix, torch.eye(length)):
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


# ---- 2 · attention weights -----------------------------------------------------------------------------


def check_attention_weights(attention_weights: Callable[[Tensor, Tensor], Tensor]) -> Verdict:
    """Is it softmax(q kᵀ / √d_k) over the keys, for any leading dimensions?"""
    praise = Text(
        "对了：缩放、转置、在键的方向上做 softmax，一样不差；前面带上批量和多头也成立。",
        "Right: scaled, transposed, and normalised over the keys; it also holds with batch and heads in "
        "front.",
    )
    return judge(attention_weights, _examine_attention_weights, praise)


def _examine_attention_weights(answer: Callable[[Tensor, Tensor], Any]) -> None:
    for seed, front, n_queries, n_keys, d_head in ((0, (), 3, 3, 4), (1, (), 3, 5, 16), (2, (2, 3), 4, 6, 9)):
        query = 2 * _random(*front, n_queries, d_head, seed=seed)
        key = _random(*front, n_keys, d_head, seed=seed + 10)
        dot = query.double() @ key.double().transpose(-2, -1)
        answered = answer(query.clone(), key.clone())
        weights = _numbers_or_swapped(answered, (*front, n_queries, n_keys))
        scores = dot / math.sqrt(d_head)
        if _same(weights, scores.softmax(dim=-1)):
            continue
        for wrong, zh, en in _attention_mistakes(dot, d_head):
            if _same(weights, wrong):
                raise Wrong(zh, en)
        if n_queries == n_keys and _same(weights, scores.transpose(-2, -1).softmax(dim=-1)):
            raise Wrong(
                "查询和键换了位置：你算的是 k qᵀ，第 i 行变成了键 i 对各个查询的分数。",
                "Query and key changed places: you compute k qᵀ, so row i holds key i's scores against the "
                "queries.",
            )
        sums = weights.sum(dim=-1)
        if not _same(sums, torch.ones_like(sums)):
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
    return _numbers(answered, shape)


# ---- 3 · a test for equivariance ------------------------------------------------------------------------


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


_Layer = Callable[[Tensor], Tensor]
_LAYERS: tuple[tuple[_Layer, bool, Text], ...] = (
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


def check_is_equivariant(is_equivariant: Callable[[_Layer, Tensor], bool]) -> Verdict:
    """Does it tell layers that follow a shuffle from layers that do not?"""
    praise = Text(
        f"对了：{len(_LAYERS)} 个层都判断正确。这个函数以后可以拿来检验任何一层。",
        f"Right: all {len(_LAYERS)} layers judged correctly. Keep this function: it tests any layer you "
        "meet.",
    )
    return judge(is_equivariant, _examine_is_equivariant, praise)


def _examine_is_equivariant(answer: Callable[[_Layer, Tensor], Any]) -> None:
    x = torch.tensor([[0.1, 3.0], [0.2, -1.0], [0.3, 0.5], [-2.0, 0.7]])
    said = []
    for layer, _, name in _LAYERS:
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
    truth = [equivariant for _, equivariant, _ in _LAYERS]
    if said == truth:
        return
    for habit, zh, en in _HABITS:
        if said == [habit(layer, x) for layer, _, _ in _LAYERS]:
            raise Wrong(zh, en)
    at = next(i for i in range(len(said)) if said[i] != truth[i])
    name = _LAYERS[at][2]
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


def _holds(layer: _Layer, x: Tensor, orders: list[list[int]], atol: float = 1e-5) -> bool:
    return all(torch.allclose(layer(x[order]), layer(x)[order], atol=atol) for order in orders)


def _all_orders(x: Tensor) -> list[list[int]]:
    return [list(order) for order in itertools.permutations(range(len(x)))]


def _invariant(layer: _Layer, x: Tensor) -> bool:
    return all(torch.allclose(layer(x[order]), layer(x), atol=1e-5) for order in _all_orders(x))


def _exactly(layer: _Layer, x: Tensor) -> bool:
    return all(torch.equal(layer(x[order]), layer(x)[order]) for order in _all_orders(x))


def _only_reversed(layer: _Layer, x: Tensor) -> bool:
    return _holds(layer, x, [list(range(len(x)))[::-1]])


def _only_rolled(layer: _Layer, x: Tensor) -> bool:
    return _holds(layer, x, [[*range(1, len(x)), 0]])


def _only_first_two(layer: _Layer, x: Tensor) -> bool:
    return _holds(layer, x, [[1, 0, *range(2, len(x))]])


def _loosely(layer: _Layer, x: Tensor) -> bool:
    return _holds(layer, x, _all_orders(x), atol=0.1)


def _inverse_order(layer: _Layer, x: Tensor) -> bool:
    return all(
        torch.allclose(layer(x[order]), layer(x)[torch.tensor(order).argsort()], atol=1e-5)
        for order in _all_orders(x)
    )


_HABITS: tuple[tuple[Callable[[_Layer, Tensor], bool], str, str], ...] = (
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


# ---- 4 · the causal mask -------------------------------------------------------------------------------


def check_causal_mask(causal_mask: Callable[[int], Tensor]) -> Verdict:
    """Is entry (i, j) True exactly when j <= i?"""
    praise = Text(
        "对了：第 i 行恰好有 i+1 个 True，这正是泄露位置的地方。",
        "Right: row i has exactly i+1 Trues, and that count is what gives positions away.",
    )
    return judge(causal_mask, _examine_causal_mask, praise)


def _examine_causal_mask(answer: Callable[[int], Any]) -> None:
    for length in (4, 1, 7):
        answered = answer(length)
        mask = _numbers(answered, (length, length))
        row, column = torch.arange(length)[:, None], torch.arange(length)[None, :]
        if _same(mask, column <= row):
            if answered.dtype != torch.bool:
                raise Wrong(
                    f"位置都对，但类型是 {answered.dtype}。~mask 和 masked_fill 要的是 bool。",
                    f"Every place is right, but the type is {answered.dtype}. ~mask and masked_fill want "
                    "bool.",
                )
            continue
        if _same(mask, column > row):
            raise Wrong(
                "正好反了：你的 True 标出了未来，也就是该遮住的地方。这里 True 表示可以看。",
                "Exactly inverted: your True marks the future, the part to hide. Here True means may look.",
            )
        if _same(mask, column < row):
            raise Wrong(
                "差一格：词元看不到自己了，第 0 行一个 True 也没有（softmax 会变成 NaN）。对角线上应为 "
                "True。",
                "Off by one: a token cannot see itself, and row 0 has no True at all (softmax would give "
                "NaN). "
                "The diagonal belongs in.",
            )
        if _same(mask, column >= row):
            raise Wrong(
                "转置了：第 i 行是查询 i，它应该看到 j ≤ i；你让它看未来，遮住了过去。",
                "Transposed: row i is query i and should see j ≤ i; yours looks ahead and hides the past.",
            )
        if _same(mask, column <= row + 1):
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


# ---- 5 · weights under a mask --------------------------------------------------------------------------


def check_masked_weights(masked_weights: Callable[[Tensor, Tensor], Tensor]) -> Verdict:
    """Do hidden keys weigh exactly 0 and the rows add up to 1, in float32 and float16 alike?"""
    praise = Text(
        "对了：被遮住的键权重恰好是 0，每行加起来是 1，float16 下也一样。",
        "Right: hidden keys weigh exactly 0 and every row adds up to 1, in float16 as well.",
    )
    return judge(masked_weights, _examine_masked_weights, praise)


def _examine_masked_weights(answer: Callable[[Tensor, Tensor], Any]) -> None:
    square = torch.ones(4, 4).tril().bool()
    padded = torch.tensor([[True, True, False], [True, True, False]])
    for scores, mask in ((3 * _random(4, 4, seed=3), square), (_random(2, 3, 2, 3, seed=4), padded)):
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
        _judge_masked(_numbers(answered, tuple(scores.shape)), scores.double(), mask)
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
    if _same(answered.detach().cpu().double()[..., rows, :], inverted[..., rows, :]):
        raise Wrong(
            "掩码用反了：True 表示可以看，你却把可以看的遮住了。",
            "The mask is inverted: True means may look, and you hide just those.",
        )


def _judge_masked(weights: Tensor, scores: Tensor, mask: Tensor) -> None:
    hidden = ~mask
    expected = scores.masked_fill(hidden, -math.inf).softmax(dim=-1)
    if _same(weights, expected):
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
        if _same(weights, wrong):
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
    scores = _random(4, 4, seed=5) - 2.0e4
    weights = _numbers(answer(scores.clone(), mask.clone()), (4, 4))
    if not _same(weights, scores.double().masked_fill(~mask, -math.inf).softmax(dim=-1), 1e-3):
        raise Wrong(
            "分数都在 −20000 附近时，你填的常数反而比它们大，被遮住的键赢了。−∞ 才比一切数都小。",
            "With scores around −20000 the constant you fill in is larger than they are, and hidden keys "
            "win. "
            "Only −∞ is below every number.",
        )


def _in_half_precision(answer: Callable[[Tensor, Tensor], Any], mask: Tensor) -> None:
    scores = _random(4, 4, seed=6).half()

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

    weights = _numbers(in_half(scores.clone(), mask.clone()), (4, 4))
    expected = scores.double().masked_fill(~mask, -math.inf).softmax(dim=-1)
    if not _same(weights, expected, 2e-3):
        raise Wrong(
            "float32 下全对，float16 下却不对。",
            "All right in float32, yet wrong in float16.",
        )


# ---- 6 · reading positions off the average --------------------------------------------------------------


def check_read_positions(read_positions: Callable[[Tensor], Tensor]) -> Verdict:
    """Does it turn the share 1/(t+1) back into the position t?"""
    praise = Text(
        "对了：没有任何位置编码，只靠因果掩码和句首词元，位置就一个不差地读出来了。",
        "Right: with no position encoding at all, the causal mask and a first token give every position "
        "exactly.",
    )
    return judge(read_positions, _examine_read_positions, praise)


def _examine_read_positions(answer: Callable[[Tensor], Any]) -> None:
    for length in (300, 5):
        positions = torch.arange(length)
        share = 1 / (positions + 1).float()
        answered = answer(share.clone())
        read = _numbers(answered, (length,))
        if _same(read, positions, 0.0):
            if answered.is_floating_point():
                raise Wrong(
                    f"数值都对，但类型是 {answered.dtype}。位置是整数，后面要拿去查表：用 .long()。",
                    f"Every number is right, but the type is {answered.dtype}. Positions are integers, "
                    "to index a table with: use .long().",
                )
            continue
        if _same(read, positions + 1, 1e-3):
            raise Wrong(
                "多了 1：1/share 数的是看得见的词元个数 t+1，位置是 t。",
                "One too many: 1/share counts the visible tokens, t+1; the position is t.",
            )
        truncated = (1 / share).double().floor() - 1
        if (
            _same(read, positions, 1e-3)
            or _same(read, truncated, 0.0)
            or _same(read, (1 / share - 1).long(), 0.0)
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
