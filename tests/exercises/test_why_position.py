"""Lesson 01's checks name the mistakes people really make, and accept other right answers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from posenc_lessons.exercises import why_position as checks
from posenc_lessons.exercises.solutions import why_position as solutions
from posenc_lessons.exercises.why_position_orders import all_orders
from tests.exercises.naming import names

NAMES = (
    "permutation_matrix",
    "attention_weights",
    "is_equivariant",
    "causal_mask",
    "masked_weights",
    "read_positions",
)
CHECKS: dict[str, Callable[..., Any]] = {name: getattr(checks, f"check_{name}") for name in NAMES}


def _spoilt(solution: Callable[..., Any], spoil: Callable[[Tensor], Tensor]) -> Callable[..., Any]:
    return lambda *arguments: spoil(solution(*arguments))


def test_a_sparse_or_differentiable_answer_is_read_like_any_other() -> None:
    assert checks.check_permutation_matrix(_spoilt(solutions.permutation_matrix, Tensor.to_sparse)).passed
    assert checks.check_attention_weights(
        _spoilt(solutions.attention_weights, lambda y: y.requires_grad_())
    ).passed


# ---- wrong answers with a name: (exercise, answer, what the message says zh, en) ----------------------


def permutation_transposed(order: Tensor) -> Tensor:
    return torch.eye(len(order))[:, order]


def permutation_ignored(order: Tensor) -> Tensor:
    return torch.eye(len(order))


def permutation_of_integers(order: Tensor) -> Tensor:
    return torch.nn.functional.one_hot(order, len(order))


def permutation_as_the_order_itself(order: Tensor) -> Tensor:
    return order.float()


def permutation_holding_the_order(order: Tensor) -> Tensor:
    return torch.eye(len(order)) * order[:, None]


def permutation_rolled(order: Tensor) -> Tensor:
    return torch.eye(len(order)).roll(1, 0)


def weights_without_scale(query: Tensor, key: Tensor) -> Tensor:
    return (query @ key.transpose(-2, -1)).softmax(dim=-1)


def weights_scaled_by_d(query: Tensor, key: Tensor) -> Tensor:
    return (query @ key.transpose(-2, -1) / query.shape[-1]).softmax(dim=-1)


def weights_scaled_the_wrong_way(query: Tensor, key: Tensor) -> Tensor:
    return (query @ key.transpose(-2, -1) * math.sqrt(query.shape[-1])).softmax(dim=-1)


def weights_scaled_by_the_length(query: Tensor, key: Tensor) -> Tensor:
    return (query @ key.transpose(-2, -1) / math.sqrt(key.shape[-2])).softmax(dim=-1)


def weights_over_the_queries(query: Tensor, key: Tensor) -> Tensor:
    return (query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])).softmax(dim=-2)


def weights_over_dim_0(query: Tensor, key: Tensor) -> Tensor:
    return (query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])).softmax(dim=0)


def weights_over_everything(query: Tensor, key: Tensor) -> Tensor:
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return scores.flatten().softmax(dim=0).reshape(scores.shape)


def weights_with_query_and_key_swapped(query: Tensor, key: Tensor) -> Tensor:
    return (key @ query.transpose(-2, -1) / math.sqrt(query.shape[-1])).softmax(dim=-1)


def weights_before_softmax(query: Tensor, key: Tensor) -> Tensor:
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])


def weights_not_divided(query: Tensor, key: Tensor) -> Tensor:
    return (query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])).exp()


def weights_with_plain_T(query: Tensor, key: Tensor) -> Tensor:
    return (query @ key.permute(*range(key.ndim - 1, -1, -1)) / math.sqrt(query.shape[-1])).softmax(dim=-1)


def weights_uniform(query: Tensor, key: Tensor) -> Tensor:
    return torch.full((*query.shape[:-1], key.shape[-2]), 1 / key.shape[-2])


def weights_that_do_not_add_up(query: Tensor, key: Tensor) -> Tensor:
    return 0.5 * solutions.attention_weights(query, key)


Layer = Callable[[Tensor], Tensor]


def _orders(x: Tensor) -> list[list[int]]:
    return all_orders(x)


def asks_for_invariance(layer: Layer, x: Tensor) -> bool:
    return all(torch.allclose(layer(x[order]), layer(x), atol=1e-5) for order in _orders(x))


def wants_every_bit(layer: Layer, x: Tensor) -> bool:
    return all(torch.equal(layer(x[order]), layer(x)[order]) for order in _orders(x))


def tries_the_reverse_only(layer: Layer, x: Tensor) -> bool:
    return torch.allclose(layer(x.flip(0)), layer(x).flip(0), atol=1e-5)


def tries_a_shift_only(layer: Layer, x: Tensor) -> bool:
    return torch.allclose(layer(x.roll(-1, 0)), layer(x).roll(-1, 0), atol=1e-5)


def tries_the_first_two_only(layer: Layer, x: Tensor) -> bool:
    order = [1, 0, *range(2, len(x))]
    return torch.allclose(layer(x[order]), layer(x)[order], atol=1e-5)


def is_too_generous(layer: Layer, x: Tensor) -> bool:
    return all(torch.allclose(layer(x[order]), layer(x)[order], atol=0.1) for order in _orders(x))


def uses_the_inverse(layer: Layer, x: Tensor) -> bool:
    back = [torch.tensor(order).argsort() for order in _orders(x)]
    return all(
        torch.allclose(layer(x[order]), layer(x)[inverse], atol=1e-5)
        for order, inverse in zip(_orders(x), back, strict=True)
    )


def says_yes(layer: Layer, x: Tensor) -> bool:
    return True


def says_no(layer: Layer, x: Tensor) -> bool:
    return False


def answers_with_a_tensor(layer: Layer, x: Tensor) -> Tensor:
    return (layer(x.flip(0)) - layer(x).flip(0)).abs() < 1e-5


def compares_totals_only(layer: Layer, x: Tensor) -> bool:
    return torch.allclose(layer(x.flip(0)).sum(dim=0), layer(x).sum(dim=0), atol=1e-5)


def mask_inverted(length: int) -> Tensor:
    return torch.ones(length, length).triu(1).bool()


def mask_strict(length: int) -> Tensor:
    return torch.ones(length, length).tril(-1).bool()


def mask_transposed(length: int) -> Tensor:
    return torch.ones(length, length).triu().bool()


def mask_one_too_many(length: int) -> Tensor:
    return torch.ones(length, length).tril(1).bool()


def mask_of_floats(length: int) -> Tensor:
    return torch.ones(length, length).tril()


def mask_hiding_nothing(length: int) -> Tensor:
    return torch.ones(length, length).bool()


def mask_for_addition(length: int) -> Tensor:
    return torch.full((length, length), -math.inf).triu(1)


def mask_of_one_length(length: int) -> Tensor:
    return torch.ones(4, 4).tril().bool()


def masked_after_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.softmax(dim=-1) * mask


def masked_by_zero(scores: Tensor, mask: Tensor) -> Tensor:
    return (scores * mask).softmax(dim=-1)


def masked_by_addition(scores: Tensor, mask: Tensor) -> Tensor:
    return (scores + mask).softmax(dim=-1)


def masked_not_at_all(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.softmax(dim=-1)


def masked_the_wrong_way_round(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(mask, -math.inf).softmax(dim=-1)


def masked_the_wrong_way_round_with_a_number(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(mask, -1e9).softmax(dim=-1)


def masked_over_the_queries(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-2).nan_to_num(0.0)


def masked_with_minus_1e9(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -1e9).softmax(dim=-1)


def masked_with_minus_10(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -10.0).softmax(dim=-1)


def masked_with_minus_20(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -20.0).softmax(dim=-1)


def masked_with_minus_10000(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -1e4).softmax(dim=-1)


def masked_in_place(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill_(~mask, -math.inf).softmax(dim=-1)


def masked_and_uniform(scores: Tensor, mask: Tensor) -> Tensor:
    weights = mask.expand(scores.shape).to(scores.dtype)
    return weights / weights.sum(dim=-1, keepdim=True)


def masked_well_but_not_in_half(scores: Tensor, mask: Tensor) -> Tensor:
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights * 0.9 if scores.dtype == torch.float16 else weights


def counts_the_visible(share: Tensor) -> Tensor:
    return (1 / share).round().long()


def cuts_off(share: Tensor) -> Tensor:
    return (1 / share).long() - 1


def cuts_off_later(share: Tensor) -> Tensor:
    return (1 / share - 1).long()


def leaves_the_fraction(share: Tensor) -> Tensor:
    return 1 / share - 1


def leaves_floats(share: Tensor) -> Tensor:
    return (1 / share).round() - 1


def takes_the_complement(share: Tensor) -> Tensor:
    return 1 - share


NAMED = [
    ("permutation_matrix", permutation_transposed, "转置", "transposed"),
    ("permutation_matrix", permutation_ignored, "单位矩阵", "identity"),
    ("permutation_matrix", permutation_of_integers, ".float()", ".float()"),
    ("permutation_matrix", permutation_as_the_order_itself, "形状", "shape"),
    ("permutation_matrix", permutation_holding_the_order, "恰好有一个 1", "exactly one 1"),
    ("permutation_matrix", permutation_rolled, "order[i]", "order[i]"),
    ("attention_weights", weights_without_scale, "忘了除以 √d_k", "division by √d_k is missing"),
    ("attention_weights", weights_scaled_by_d, "平方根", "square root"),
    ("attention_weights", weights_scaled_the_wrong_way, "乘上了", "multiply by √d_k"),
    ("attention_weights", weights_scaled_by_the_length, "不是键的个数", "not the number of keys"),
    ("attention_weights", weights_over_the_queries, "方向", "wrong axis"),
    ("attention_weights", weights_over_dim_0, "加起来", "add up"),
    ("attention_weights", weights_over_everything, "整个矩阵", "whole matrix"),
    ("attention_weights", weights_with_query_and_key_swapped, "换了位置", "changed places"),
    ("attention_weights", weights_before_softmax, "softmax 之前", "before softmax"),
    ("attention_weights", weights_not_divided, "指数", "exponentials"),
    ("attention_weights", weights_with_plain_T, "报错", "raised"),
    ("attention_weights", weights_uniform, "数值", "numbers differ"),
    ("attention_weights", weights_that_do_not_add_up, "加起来等于 1", "add up to 1"),
    ("is_equivariant", asks_for_invariance, "不变性", "invariance"),
    ("is_equivariant", wants_every_bit, "每一位", "last bit"),
    ("is_equivariant", tries_the_reverse_only, "首尾颠倒", "reversed"),
    ("is_equivariant", tries_a_shift_only, "循环移位", "cyclic shift"),
    ("is_equivariant", tries_the_first_two_only, "前两行", "first two rows"),
    ("is_equivariant", is_too_generous, "容差太大", "too loose"),
    ("is_equivariant", uses_the_inverse, "逆排列", "inverse"),
    ("is_equivariant", says_yes, "都说 True", "True to every"),
    ("is_equivariant", says_no, "都说 False", "False to every"),
    ("is_equivariant", answers_with_a_tensor, "Tensor", "Tensor"),
    ("is_equivariant", compares_totals_only, "判断错了", "misjudged"),
    ("causal_mask", mask_inverted, "正好反了", "inverted"),
    ("causal_mask", mask_strict, "差一格", "Off by one"),
    ("causal_mask", mask_transposed, "转置", "Transposed"),
    ("causal_mask", mask_one_too_many, "多露了一格", "One too many"),
    ("causal_mask", mask_of_floats, "float32", "float32"),
    ("causal_mask", mask_hiding_nothing, "全是 True", "All True"),
    ("causal_mask", mask_for_addition, "无穷大", "infinity"),
    ("causal_mask", mask_of_one_length, "形状", "shape"),
    ("masked_weights", masked_after_softmax, "之后才乘", "after softmax"),
    ("masked_weights", masked_by_zero, "exp(0) = 1", "exp(0) = 1"),
    ("masked_weights", masked_by_addition, "当成 1", "as a 1"),
    ("masked_weights", masked_not_at_all, "没有用上", "not used"),
    ("masked_weights", masked_the_wrong_way_round, "用反了", "inverted"),
    ("masked_weights", masked_the_wrong_way_round_with_a_number, "用反了", "inverted"),
    ("masked_weights", masked_over_the_queries, "方向", "wrong axis"),
    ("masked_weights", masked_with_minus_1e9, "−65504", "−65504"),
    ("masked_weights", masked_with_minus_10, "权重", "keeps a weight"),
    ("masked_weights", masked_with_minus_20, "权重", "keep a weight"),
    ("masked_weights", masked_with_minus_10000, "−20000", "−20000"),
    ("masked_weights", masked_in_place, "原地", "in place"),
    ("masked_weights", masked_and_uniform, "可见的键", "visible keys"),
    ("masked_weights", masked_well_but_not_in_half, "float16 下却不对", "wrong in float16"),
    ("read_positions", counts_the_visible, "多了 1", "One too many"),
    ("read_positions", cuts_off, ".round()", ".round()"),
    ("read_positions", cuts_off_later, ".round()", ".round()"),
    ("read_positions", leaves_the_fraction, ".round()", ".round()"),
    ("read_positions", leaves_floats, ".long()", ".long()"),
    ("read_positions", takes_the_complement, "位置应为", "the position is"),
]


@pytest.mark.parametrize(
    ("name", "answer", "zh", "en"), NAMED, ids=[f"{name}-{answer.__name__}" for name, answer, _, _ in NAMED]
)
def test_the_mistake_is_named(name: str, answer: Callable[..., Any], zh: str, en: str) -> None:
    names(CHECKS[name](answer), zh, en)


@pytest.mark.parametrize("name", NAMES)
def test_every_exercise_knows_at_least_four_wrong_answers(name: str) -> None:
    assert sum(exercise == name for exercise, *_ in NAMED) >= 4


def test_other_right_ways_to_write_it_pass_too() -> None:
    def by_assignment(order: Tensor) -> Tensor:
        matrix = torch.zeros(len(order), len(order))
        for row, column in enumerate(order.tolist()):
            matrix[row, column] = 1.0
        return matrix

    def by_exponentials(query: Tensor, key: Tensor) -> Tensor:
        parts = torch.exp(torch.einsum("...id,...jd->...ij", query, key) / query.shape[-1] ** 0.5)
        return parts / parts.sum(dim=-1, keepdim=True)

    def by_the_smallest_number(scores: Tensor, mask: Tensor) -> Tensor:
        return scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1)

    def by_adding_minus_infinity(scores: Tensor, mask: Tensor) -> Tensor:
        hidden = torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(~mask, -math.inf)
        return (scores + hidden).softmax(dim=-1)

    def by_tril(length: int) -> Tensor:
        return torch.tril(torch.ones(length, length, dtype=torch.bool))

    def by_int32(share: Tensor) -> Tensor:
        return torch.round(1 / share - 1).to(torch.int32)

    assert checks.check_permutation_matrix(by_assignment).passed
    assert checks.check_attention_weights(by_exponentials).passed
    assert checks.check_masked_weights(by_the_smallest_number).passed
    assert checks.check_masked_weights(by_adding_minus_infinity).passed
    assert checks.check_causal_mask(by_tril).passed
    assert checks.check_read_positions(by_int32).passed
