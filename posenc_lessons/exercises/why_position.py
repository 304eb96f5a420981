"""Checks of lesson 01's exercises: what attention sees when nothing says where a token stands.

Each check compares with the definition and, when the answer is wrong, with the wrong answers people
really give, so that the message can name the mistake: see ``why_position_orders`` and
``why_position_weights``.
"""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from posenc_lessons.exercises.verdict import Verdict, judge
from posenc_lessons.exercises.why_position_orders import (
    LAYERS,
    Layer,
    examine_is_equivariant,
    examine_permutation_matrix,
)
from posenc_lessons.exercises.why_position_weights import (
    examine_attention_weights,
    examine_causal_mask,
    examine_masked_weights,
    examine_read_positions,
)
from posenc_lessons.language import Text


def check_permutation_matrix(permutation_matrix: Callable[[Tensor], Tensor]) -> Verdict:
    """Is (P @ x)[i] equal to x[order[i]]?"""
    praise = Text(
        "对了：P @ x 的第 i 行就是 x 的第 order[i] 行，而且 P Pᵀ = I。",
        "Right: row i of P @ x is row order[i] of x, and P Pᵀ = I.",
    )
    return judge(permutation_matrix, examine_permutation_matrix, praise)


def check_attention_weights(attention_weights: Callable[[Tensor, Tensor], Tensor]) -> Verdict:
    """Is it softmax(q kᵀ / √d_k) over the keys, for any leading dimensions?"""
    praise = Text(
        "对了：缩放、转置、在键的方向上做 softmax，一样不差；前面带上批量和多头也成立。",
        "Right: scaled, transposed, and normalised over the keys; it also holds with batch and heads in "
        "front.",
    )
    return judge(attention_weights, examine_attention_weights, praise)


def check_is_equivariant(is_equivariant: Callable[[Layer, Tensor], bool]) -> Verdict:
    """Does it tell layers that follow a shuffle from layers that do not?"""
    praise = Text(
        f"对了：{len(LAYERS)} 个层都判断正确。这个函数以后可以拿来检验任何一层。",
        f"Right: all {len(LAYERS)} layers judged correctly. Keep this function: it tests any layer you meet.",
    )
    return judge(is_equivariant, examine_is_equivariant, praise)


def check_causal_mask(causal_mask: Callable[[int], Tensor]) -> Verdict:
    """Is entry (i, j) True exactly when j <= i?"""
    praise = Text(
        "对了：第 i 行恰好有 i+1 个 True，这正是泄露位置的地方。",
        "Right: row i has exactly i+1 Trues, and that count is what gives positions away.",
    )
    return judge(causal_mask, examine_causal_mask, praise)


def check_masked_weights(masked_weights: Callable[[Tensor, Tensor], Tensor]) -> Verdict:
    """Do hidden keys weigh exactly 0 and the rows add up to 1, in float32 and float16 alike?"""
    praise = Text(
        "对了：被遮住的键权重恰好是 0，每行加起来是 1，float16 下也一样。",
        "Right: hidden keys weigh exactly 0 and every row adds up to 1, in float16 as well.",
    )
    return judge(masked_weights, examine_masked_weights, praise)


def check_read_positions(read_positions: Callable[[Tensor], Tensor]) -> Verdict:
    """Does it turn the share 1/(t+1) back into the position t?"""
    praise = Text(
        "对了：没有任何位置编码，只靠因果掩码和句首词元，位置就一个不差地读出来了。",
        "Right: with no position encoding at all, the causal mask and a first token give every position "
        "exactly.",
    )
    return judge(read_positions, examine_read_positions, praise)
