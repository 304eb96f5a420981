"""Lesson 06's checks name the mistakes people really make, and accept other right answers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from posenc_lessons.exercises import cope as checks
from posenc_lessons.exercises.solutions import cope as solutions
from posenc_lessons.exercises.verdict import Verdict
from tests.exercises.naming import names

Check = Callable[[Callable[..., Any]], Verdict]


def from_key_on(gates: Tensor) -> Tensor:
    """Entry j is the sum of gates j, j+1, …, written out."""
    return torch.stack([gates[..., j:].sum(dim=-1) for j in range(gates.shape[-1])], dim=-1)


def up_to_key(gates: Tensor) -> Tensor:
    return torch.stack([gates[..., : j + 1].sum(dim=-1) for j in range(gates.shape[-1])], dim=-1)


# --- sentences back -------------------------------------------------------------------------------------


def rows(is_end: Tensor) -> Tensor:
    return is_end.long().expand(len(is_end), -1)


def counted_from_the_beginning(is_end: Tensor) -> Tensor:
    return up_to_key(rows(is_end)).tril()


def later_ends_counted(is_end: Tensor) -> Tensor:
    return from_key_on(rows(is_end)).tril()


def key_left_out(is_end: Tensor) -> Tensor:
    return (solutions.sentences_back(is_end) - rows(is_end)).tril()


def query_left_out(is_end: Tensor) -> Tensor:
    return (solutions.sentences_back(is_end) - rows(is_end).T).tril()


def negative_ahead(is_end: Tensor) -> Tensor:
    so_far = is_end.long().cumsum(0)
    return so_far[:, None] - (so_far - is_end.long())[None, :]


def transposed_sentences(is_end: Tensor) -> Tensor:
    return solutions.sentences_back(is_end).T


def tokens_back(is_end: Tensor) -> Tensor:
    at = torch.arange(len(is_end))
    return (at[:, None] - at + 1).tril()


def gates_alone(is_end: Tensor) -> Tensor:
    return rows(is_end).tril()


def whether_any(is_end: Tensor) -> Tensor:
    return solutions.sentences_back(is_end).clamp(max=1)


def one_number_a_token(is_end: Tensor) -> Tensor:
    return is_end.long().cumsum(0)


def in_place_sentences(is_end: Tensor) -> Tensor:
    right = solutions.sentences_back(is_end)
    is_end.logical_not_()
    return right


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (counted_from_the_beginning, "方向反了", "wrong direction"),
        (later_ends_counted, "未来", "future leaks"),
        (key_left_out, "键自己没有数", "key itself was not counted"),
        (query_left_out, "查询自己没有数", "query itself was not counted"),
        (negative_ahead, "前缀和", "running sums"),
        (transposed_sentences, "转置", "Transposed"),
        (tokens_back, "词元", "count tokens"),
        (gates_alone, "还没有加起来", "not been added up"),
        (whether_any, "有没有", "whether there is one"),
        (one_number_a_token, "形状", "shape"),
        (in_place_sentences, "改动", "changed"),
    ],
)
def test_sentences_back_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_sentences_back(wrong), zh, en)


# --- positions ------------------------------------------------------------------------------------------


def gates_of(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.sigmoid() * mask


def wrong_direction(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return up_to_key(gates_of(scores, mask)).clamp(max=max_position) * mask


def gate_before_mask(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return from_key_on(scores.sigmoid()).clamp(max=max_position) * mask


def gate_and_no_mask(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return from_key_on(scores.sigmoid()).clamp(max=max_position)


def missing_clamp(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return from_key_on(gates_of(scores, mask)) * mask


def hidden_not_zero(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return from_key_on(gates_of(scores, mask)).clamp(max=max_position)


def self_not_counted(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    gates = gates_of(scores, mask)
    return (from_key_on(gates) - gates).clamp(max=max_position) * mask


def querys_own_not_counted(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    gates = gates_of(scores, mask)
    others = gates * (1 - torch.eye(len(mask)))
    return ((from_key_on(others)).clamp(max=max_position)) * mask


def distance_counted(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return from_key_on(mask.float().expand(scores.shape)).clamp(max=max_position) * mask


def softmax_gates(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    gates = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return from_key_on(gates).clamp(max=max_position) * mask


def no_sigmoid(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return from_key_on(scores * mask).clamp(max=max_position) * mask


def open_or_shut(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return from_key_on((scores > 0) * mask).float().clamp(max=max_position) * mask


def rounded(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return from_key_on(gates_of(scores, mask)).round().clamp(max=max_position) * mask


def along_queries(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return gates_of(scores, mask).cumsum(dim=-2).clamp(max=max_position) * mask


def clamp_off_by_one(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return from_key_on(gates_of(scores, mask)).clamp(max=max_position - 1) * mask


def not_added_up(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return gates_of(scores, mask)


def mask_in_place(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    return solutions.positions(scores.masked_fill_(~mask, -math.inf), mask, max_position)


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (wrong_direction, "方向反了", "wrong direction"),
        (gate_before_mask, "先过了门", "gates come before the mask"),
        (gate_and_no_mask, "先过了门", "gates come before the mask"),
        (missing_clamp, "封顶", "clamp is missing"),
        (hidden_not_zero, "藏着的键", "Hidden keys"),
        (self_not_counted, "键自己没有数", "key itself was not counted"),
        (querys_own_not_counted, "查询自己没有数", "query itself was not counted"),
        (distance_counted, "词元", "count tokens"),
        (softmax_gates, "softmax", "softmax"),
        (no_sigmoid, "漏了 sigmoid", "sigmoid is missing"),
        (open_or_shut, "非开即关", "either open or shut"),
        (rounded, "取整", "Do not round"),
        (along_queries, "dim=-2", "dim=-2"),
        (clamp_off_by_one, "差 1", "off by one"),
        (not_added_up, "还没有加起来", "not been added up"),
        (mask_in_place, "改动", "changed"),
    ],
)
def test_positions_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_positions(wrong), zh, en)


def test_masking_the_gates_by_multiplication_is_right_too() -> None:
    def multiplied(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
        gates = scores.sigmoid() * mask
        return (gates.sum(-1, keepdim=True) - gates.cumsum(-1) + gates).clamp(max=max_position) * mask

    assert checks.check_positions(multiplied).passed


# --- interpolation --------------------------------------------------------------------------------------


def parts(z: Tensor, p: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The share, and z below and above."""
    below = p.floor().long()
    return p - below, z.gather(-1, below), z.gather(-1, p.ceil().long())


def weights_swapped(z: Tensor, p: Tensor) -> Tensor:
    share, low, high = parts(z, p)
    return (1 - share) * high + share * low


def floor_and_ceil_swapped(z: Tensor, p: Tensor) -> Tensor:
    below, above = p.ceil().long(), p.floor().long()
    share = p - p.floor()
    return share * z.gather(-1, above) + (1 - share) * z.gather(-1, below)


def nothing_at_whole_numbers(z: Tensor, p: Tensor) -> Tensor:
    share, low, high = parts(z, p)
    return share * high + (p.ceil() - p) * low


def floor_only(z: Tensor, p: Tensor) -> Tensor:
    return parts(z, p)[1]


def ceil_only(z: Tensor, p: Tensor) -> Tensor:
    return parts(z, p)[2]


def nearest(z: Tensor, p: Tensor) -> Tensor:
    return z.gather(-1, p.round().long())


def half_of_each(z: Tensor, p: Tensor) -> Tensor:
    _, low, high = parts(z, p)
    return 0.5 * low + 0.5 * high


def no_weights(z: Tensor, p: Tensor) -> Tensor:
    _, low, high = parts(z, p)
    return low + high


def gathered_over_queries(z: Tensor, p: Tensor) -> Tensor:
    below, above = p.floor().long(), p.ceil().long()
    return (p - below) * z.gather(-2, above) + (1 - p + below) * z.gather(-2, below)


def above_the_table(z: Tensor, p: Tensor) -> Tensor:
    below = p.floor().long()
    return (p - below) * z.gather(-1, below + 1) + (1 - p + below) * z.gather(-1, below)


def still_in_positions(z: Tensor, p: Tensor) -> Tensor:
    return z[..., :2]


@pytest.mark.parametrize("exercise", [checks.check_interpolate, checks.check_interpolate_with_slope])
@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (weights_swapped, "换了位置", "changed places"),
        (floor_and_ceil_swapped, "换了位置", "changed places"),
        (nothing_at_whole_numbers, "整数时得了 0", "whole it gives 0"),
        (floor_only, "只用了 ⌊p⌋", "Only ⌊p⌋"),
        (ceil_only, "只用了 ⌈p⌉", "Only ⌈p⌉"),
        (nearest, "最近", "nearest"),
        (half_of_each, "各取了一半", "Half of each"),
        (no_weights, "直接相加", "simply added"),
        (above_the_table, "⌊p⌋ + 1", "⌊p⌋ + 1"),
        (still_in_positions, "形状", "shape"),
    ],
)
def test_interpolate_names_the_mistake(
    exercise: Check, wrong: Callable[..., Tensor], zh: str, en: str
) -> None:
    names(exercise(wrong), zh, en)


def test_reading_another_querys_z_is_named() -> None:
    names(checks.check_interpolate(gathered_over_queries), "dim=-1", "dim=-1")


# --- and its slope --------------------------------------------------------------------------------------


def no_slope_at_whole_numbers(z: Tensor, p: Tensor) -> Tensor:
    return solutions.interpolate(z, p)


def detached(z: Tensor, p: Tensor) -> Tensor:
    return solutions.interpolate_with_slope(z, p.detach())


def detached_but_for_z(z: Tensor, p: Tensor) -> Tensor:
    return solutions.interpolate_with_slope(z.requires_grad_(), p.detach())


def backwards_slope(z: Tensor, p: Tensor) -> Tensor:
    return 2 * solutions.interpolate(z, p.detach()) - solutions.interpolate_with_slope(z, p)


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (no_slope_at_whole_numbers, "梯度是 0", "gradient is 0"),
        (detached, "断了", "no gradient"),
        (detached_but_for_z, "断了", "no gradient"),
        (backwards_slope, "符号", "wrong sign"),
    ],
)
def test_interpolate_with_slope_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_interpolate_with_slope(wrong), zh, en)


def test_the_last_row_may_have_either_slope() -> None:
    def none_at_the_end(z: Tensor, p: Tensor) -> Tensor:
        padded = torch.cat([z, z[..., -1:]], dim=-1)
        below = p.detach().long()
        low, high = padded.gather(-1, below), padded.gather(-1, below + 1)
        return low + (p - below) * (high - low)

    assert checks.check_interpolate_with_slope(none_at_the_end).passed


# --- a table for a wish ---------------------------------------------------------------------------------


def not_divided(query: Tensor, wanted: Tensor) -> Tensor:
    return torch.outer(wanted, query)


def divided_by_the_length(query: Tensor, wanted: Tensor) -> Tensor:
    return torch.outer(wanted, query) / query.norm()


def divided_too_often(query: Tensor, wanted: Tensor) -> Tensor:
    return torch.outer(wanted, query) / query.norm() ** 3


def scaled_by_the_root(query: Tensor, wanted: Tensor) -> Tensor:
    return solutions.table_for(query, wanted) / math.sqrt(len(query))


def the_same_number_across(query: Tensor, wanted: Tensor) -> Tensor:
    return wanted[:, None].expand(-1, len(query))


def wrong_sign(query: Tensor, wanted: Tensor) -> Tensor:
    return -solutions.table_for(query, wanted)


def a_row_later(query: Tensor, wanted: Tensor) -> Tensor:
    return solutions.table_for(query, wanted.roll(1))


def a_row_earlier(query: Tensor, wanted: Tensor) -> Tensor:
    return solutions.table_for(query, wanted.roll(-1))


def last_row_first(query: Tensor, wanted: Tensor) -> Tensor:
    return solutions.table_for(query, wanted).flip(0)


def transposed_table(query: Tensor, wanted: Tensor) -> Tensor:
    return solutions.table_for(query, wanted).T


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (not_divided, "忘了除以 |q|²", "|q|² is missing"),
        (divided_by_the_length, "应为 |q|²", "should be |q|²"),
        (divided_too_often, "多除了一个 |q|", "too many"),
        (scaled_by_the_root, "√d", "√d"),
        (the_same_number_across, "同方向", "point along q"),
        (wrong_sign, "符号", "sign"),
        (a_row_later, "错了一行", "row off"),
        (a_row_earlier, "错了一行", "row off"),
        (last_row_first, "次序反了", "In reverse"),
        (transposed_table, "转置", "transposed"),
    ],
)
def test_table_for_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_table_for(wrong), zh, en)


def test_any_table_that_gives_the_wanted_numbers_is_right() -> None:
    def with_something_across(query: Tensor, wanted: Tensor) -> Tensor:
        across = torch.zeros_like(query)
        across[0], across[1] = query[1], -query[0]  # at right angles to the query
        return solutions.table_for(query, wanted) + across

    assert checks.check_table_for(with_something_across).passed


# --- the whole attention --------------------------------------------------------------------------------


def pieces(query: Tensor, key: Tensor) -> tuple[Tensor, Tensor]:
    """Scores divided by √d, nothing hidden yet; and the causal mask."""
    length, d = query.shape[-2:]
    return query @ key.mT / math.sqrt(d), torch.ones(length, length).tril().bool()


def attending(scores: Tensor, value: Tensor) -> Tensor:
    mask = torch.ones(scores.shape[-2:]).tril().bool()
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ value


def biased_by(query: Tensor, key: Tensor, value: Tensor, table: Tensor, p: Tensor) -> Tensor:
    z = solutions.interpolate(query @ table.T, p.clamp(0, len(table) - 1))
    return attending((query @ key.mT + z) / math.sqrt(query.shape[-1]), value)


def right_positions(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return solutions.positions(*pieces(query, key), len(table) - 1)


def leaking_attention(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    return biased_by(query, key, value, table, from_key_on(pieces(query, key)[0].sigmoid()))


def backwards_attention(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    return biased_by(query, key, value, table, up_to_key(gates_of(*pieces(query, key))))


def attention_without_self(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    gates = gates_of(*pieces(query, key))
    return biased_by(query, key, value, table, from_key_on(gates) - gates)


def attention_by_distance(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    scores, mask = pieces(query, key)
    return biased_by(query, key, value, table, from_key_on(mask.float().expand(scores.shape)))


def attention_at_whole_numbers(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    return biased_by(query, key, value, table, from_key_on(gates_of(*pieces(query, key))).round())


def attention_with_sharp_gates(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    _, mask = pieces(query, key)
    return biased_by(query, key, value, table, from_key_on(gates_of(query @ key.mT, mask)))


def attention_with_swapped_weights(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    z = weights_swapped(query @ table.T, right_positions(query, key, table))
    return attending((query @ key.mT + z) / math.sqrt(query.shape[-1]), value)


def as_in_the_listing(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    return solutions.cope_attention(query, key, value, table * math.sqrt(query.shape[-1]))


def only_the_table_divided(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    z = solutions.interpolate(query @ table.T, right_positions(query, key, table))
    return attending(query @ key.mT + z / math.sqrt(query.shape[-1]), value)


def never_divided(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    z = solutions.interpolate(query @ table.T, right_positions(query, key, table))
    return attending(query @ key.mT + z, value)


def plain_attention(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    return solutions.cope_attention(query, key, value, torch.zeros_like(table))


def bias_too_late(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    scores, mask = pieces(query, key)
    z = solutions.interpolate(query @ table.T, right_positions(query, key, table))
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return (weights + z * mask / math.sqrt(query.shape[-1])) @ value


def no_mask_at_all(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    root = math.sqrt(query.shape[-1])
    p = from_key_on((query @ key.mT / root).sigmoid()).clamp(max=len(table) - 1)
    return ((query @ key.mT + solutions.interpolate(query @ table.T, p)) / root).softmax(dim=-1) @ value


def softmax_unmasked(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    z = solutions.interpolate(query @ table.T, right_positions(query, key, table))
    return ((query @ key.mT + z) / math.sqrt(query.shape[-1])).softmax(dim=-1) @ value


def attention_without_clamp(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    p = solutions.positions(*pieces(query, key), math.inf)
    z = solutions.interpolate(query @ table.T, p)
    return attending((query @ key.mT + z) / math.sqrt(query.shape[-1]), value)


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (leaking_attention, "先过了门", "gates come before the mask"),
        (backwards_attention, "方向反了", "wrong direction"),
        (attention_without_self, "键自己没有数", "key itself was not counted"),
        (attention_by_distance, "词元", "count tokens"),
        (attention_at_whole_numbers, "取整", "Do not round"),
        (attention_with_sharp_gates, "门用了没有除以 √d", "gates are made from q·k not divided"),
        (attention_with_swapped_weights, "换了位置", "changed places"),
        (as_in_the_listing, "清单", "listing"),
        (only_the_table_divided, "只有 q·e", "Only q·e"),
        (never_divided, "忘了除以 √d", "division by √d is missing"),
        (plain_attention, "表没有用上", "table was not used"),
        (bias_too_late, "softmax 之前", "before the softmax"),
        (no_mask_at_all, "没有因果掩码", "No causal mask"),
        (softmax_unmasked, "softmax 却没有", "softmax is not"),
        (attention_without_clamp, "封顶", "clamp is missing"),
    ],
)
def test_cope_attention_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_cope_attention(wrong), zh, en)
