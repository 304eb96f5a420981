"""Lesson 05's checks name the mistakes people really make, and accept other right answers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from posenc_lessons.exercises import rotary as checks
from posenc_lessons.exercises.solutions import rotary as solutions
from tests.exercises.naming import names

# --- rotate: half-split pairs ---------------------------------------------------------------------------


def rates(d: int, base: float) -> Tensor:
    return base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)


def angles_of(x: Tensor, positions: Tensor, base: float) -> Tensor:
    return positions.double()[:, None] * rates(x.shape[-1], base)


def in_halves(x: Tensor, angles: Tensor) -> Tensor:
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


def in_neighbours(x: Tensor, angles: Tensor) -> Tensor:
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


def swap_halves(x: Tensor) -> Tensor:
    a, b = x.chunk(2, dim=-1)
    return torch.cat([-b, a], dim=-1)


def swap_neighbours(x: Tensor) -> Tensor:
    return torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)


def turned_clockwise(x: Tensor, positions: Tensor, base: float) -> Tensor:
    return in_halves(x, -angles_of(x, positions, base))


def paired_by_neighbours(x: Tensor, positions: Tensor, base: float) -> Tensor:
    return in_neighbours(x, angles_of(x, positions, base))


def tables_for_neighbours(x: Tensor, positions: Tensor, base: float) -> Tensor:
    angles = angles_of(x, positions, base).repeat_interleave(2, dim=-1).to(x.dtype)
    return x * angles.cos() + swap_halves(x) * angles.sin()


def swapping_neighbours(x: Tensor, positions: Tensor, base: float) -> Tensor:
    angles = torch.cat([angles_of(x, positions, base)] * 2, dim=-1).to(x.dtype)
    return x * angles.cos() + swap_neighbours(x) * angles.sin()


def without_the_minus(x: Tensor, positions: Tensor, base: float) -> Tensor:
    angles = torch.cat([angles_of(x, positions, base)] * 2, dim=-1).to(x.dtype)
    return x * angles.cos() + torch.cat(x.chunk(2, dim=-1)[::-1], dim=-1) * angles.sin()


def sine_of_itself(x: Tensor, positions: Tensor, base: float) -> Tensor:
    angles = torch.cat([angles_of(x, positions, base)] * 2, dim=-1).to(x.dtype)
    return x * angles.cos() + x * angles.sin()


def put_back_interleaved(x: Tensor, positions: Tensor, base: float) -> Tensor:
    halves = in_halves(x, angles_of(x, positions, base)).chunk(2, dim=-1)
    return torch.stack(halves, dim=-1).flatten(-2)


def exponent_i_over_d(x: Tensor, positions: Tensor, base: float) -> Tensor:
    return in_halves(x, positions.double()[:, None] * rates(x.shape[-1], base).sqrt())


def growing_frequencies(x: Tensor, positions: Tensor, base: float) -> Tensor:
    return in_halves(x, positions.double()[:, None] / rates(x.shape[-1], base))


def always_ten_thousand(x: Tensor, positions: Tensor, base: float) -> Tensor:
    return solutions.rotate(x, positions, 10000.0)


def one_angle_for_all(x: Tensor, positions: Tensor, base: float) -> Tensor:
    return in_halves(x, positions.double()[:, None].expand(-1, x.shape[-1] // 2))


def counting_for_itself(x: Tensor, positions: Tensor, base: float) -> Tensor:
    return solutions.rotate(x, torch.arange(len(positions)), base)


def from_position_one(x: Tensor, positions: Tensor, base: float) -> Tensor:
    return solutions.rotate(x, positions + 1, base)


def in_degrees(x: Tensor, positions: Tensor, base: float) -> Tensor:
    return in_halves(x, torch.deg2rad(angles_of(x, positions, base)))


def added(x: Tensor, positions: Tensor, base: float) -> Tensor:
    angles = angles_of(x, positions, base)
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


def x_itself(x: Tensor, *_: object) -> Tensor:
    return x.clone()


def in_place(x: Tensor, positions: Tensor, base: float) -> Tensor:
    return x.copy_(solutions.rotate(x, positions, base))


def float32_angles(x: Tensor, positions: Tensor, base: float) -> Tensor:
    theta = base ** (-torch.arange(0, x.shape[-1], 2).float() / x.shape[-1])
    return in_halves(x, positions.float()[:, None] * theta)


def bfloat16_positions(x: Tensor, positions: Tensor, base: float) -> Tensor:
    return solutions.rotate(x, positions.bfloat16(), base)


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (turned_clockwise, "转置", "transposed"),
        (paired_by_neighbours, "配对错了", "wrong pairing"),
        (tables_for_neighbours, "另一种次序", "other order"),
        (swapping_neighbours, "混在一起", "mixed"),
        (without_the_minus, "少了负号", "minus sign is missing"),
        (sine_of_itself, "90°", "90°"),
        (put_back_interleaved, "放错了地方", "put back wrongly"),
        (exponent_i_over_d, "i/d", "i/d"),
        (growing_frequencies, "少了负号", "lost its minus"),
        (always_ten_thousand, "写死", "fixed at 10000"),
        (one_angle_for_all, "同样的角度", "same angle"),
        (counting_for_itself, "没有用上 positions", "positions was not used"),
        (from_position_one, "多数了 1", "off by one"),
        (in_degrees, "度数", "degrees"),
        (added, "加法", "That adds"),
        (x_itself, "原样", "unchanged"),
        (in_place, "改动", "changed"),
        (float32_angles, "1000000", "1000000"),
        (bfloat16_positions, "bfloat16", "bfloat16"),
    ],
)
def test_rotate_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_rotate(wrong), zh, en)


# --- the score at a distance ----------------------------------------------------------------------------


def with_the_absolute(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
    return solutions.rotary_score(query, key, abs(distance), base)


def the_other_way(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
    return solutions.rotary_score(query, key, -distance, base)


def turning_the_query(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
    return solutions.rotary_score(key, query, distance, base)


def score_in_halves(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
    return query @ solutions.rotate(key[None], torch.tensor([distance]), base)[0]


def without_distance(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
    return query @ key


def divided_by_the_root(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
    return solutions.rotary_score(query, key, distance, base) / math.sqrt(len(query))


def turning_both(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
    angles = distance * rates(len(query), base)
    return in_neighbours(query[None], angles[None])[0] @ in_neighbours(key[None], angles[None])[0]


def positions_alone(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
    return torch.cos(distance * rates(len(query), base)).sum()


def score_in_degrees(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
    return query @ in_neighbours(key[None], torch.deg2rad(distance * rates(len(key), base))[None])[0]


def a_vector(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
    return query * key


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (with_the_absolute, "|n−m|", "|n−m|"),
        (the_other_way, "方向反了", "wrong way round"),
        (turning_the_query, "方向反了", "wrong way round"),
        (score_in_halves, "配对错了", "wrong pairing"),
        (without_distance, "没有用上 distance", "distance was not used"),
        (divided_by_the_root, "√d", "√d"),
        (turning_both, "没有用上 distance", "distance was not used"),
        (positions_alone, "Σ cos", "Σ cos"),
        (score_in_degrees, "度数", "degrees"),
        (a_vector, "一个数", "one number"),
    ],
)
def test_rotary_score_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_rotary_score(wrong), zh, en)


def test_a_score_may_be_a_plain_float() -> None:
    assert checks.check_rotary_score(lambda *args: solutions.rotary_score(*args).item()).passed


# --- partial rotation -----------------------------------------------------------------------------------


def turning_first(x: Tensor, positions: Tensor, width: int, base: float) -> Tensor:
    first = in_neighbours(x[..., :width], positions.double()[:, None] * rates(width, base))
    return torch.cat([first, x[..., width:]], dim=-1)


def even(x: Tensor, fraction: float) -> int:
    return int(x.shape[-1] * fraction) // 2 * 2


def odd_and_all(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    return turning_first(x, positions, int(x.shape[-1] * fraction), base)


def odd_and_cut(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    width = int(x.shape[-1] * fraction)
    angles = (positions.double()[:, None] * rates(width, base)).repeat_interleave(2, dim=-1)[:, :width]
    first = x[..., :width]
    swapped = torch.zeros_like(first)
    swapped[..., 0 : width - 1 : 2], swapped[..., 1::2] = -first[..., 1::2], first[..., 0 : width - 1 : 2]
    turned = first * angles.cos().to(x.dtype) + swapped * angles.sin().to(x.dtype)
    return torch.cat([turned, x[..., width:]], dim=-1)


def rounded_up(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    return turning_first(x, positions, math.ceil(x.shape[-1] * fraction / 2) * 2, base)


def partly_clockwise(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    return turning_first(x, -positions, even(x, fraction), base)


def partly_in_halves(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    width = even(x, fraction)
    return torch.cat([solutions.rotate(x[..., :width], positions, base), x[..., width:]], dim=-1)


def rates_of_the_head(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    width = even(x, fraction)
    angles = positions.double()[:, None] * rates(x.shape[-1], base)[: width // 2]
    return torch.cat([in_neighbours(x[..., :width], angles), x[..., width:]], dim=-1)


def all_of_it(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    return turning_first(x, positions, x.shape[-1], base)


def the_last_part(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    rest = x.shape[-1] - even(x, fraction)
    return torch.cat([x[..., :rest], all_of_it(x[..., rest:], positions, 1.0, base)], dim=-1)


def the_rest_lost(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    return all_of_it(x[..., : even(x, fraction)], positions, 1.0, base)


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (odd_and_all, "奇数", "odd"),
        (odd_and_cut, "奇数", "odd"),
        (rounded_up, "往上", "went up"),
        (partly_clockwise, "转置", "transposed"),
        (partly_in_halves, "配对错了", "wrong pairing"),
        (rates_of_the_head, "d_head", "d_head"),
        (all_of_it, "整个头", "whole head"),
        (the_last_part, "后面", "last features"),
        (the_rest_lost, "[3, 8]", "[3, 8]"),
        (x_itself, "原样", "unchanged"),
    ],
)
def test_partial_rotate_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_partial_rotate(wrong), zh, en)


# --- converting weights ---------------------------------------------------------------------------------


def inverse_order(weight: Tensor, n_heads: int) -> Tensor:
    heads = weight.unflatten(0, (n_heads, 2, -1))
    return heads.transpose(1, 2).flatten(0, 2)


def across_heads(weight: Tensor, n_heads: int) -> Tensor:
    return torch.cat([weight[0::2], weight[1::2]])


def upside_down(weight: Tensor, n_heads: int) -> Tensor:
    return weight.unflatten(0, (n_heads, -1)).flip(1).flatten(0, 1)


def odd_rows_first(weight: Tensor, n_heads: int) -> Tensor:
    heads = weight.unflatten(0, (n_heads, -1))
    return torch.cat([heads[:, 1::2], heads[:, 0::2]], dim=1).flatten(0, 1)


def columns_too(weight: Tensor, n_heads: int) -> Tensor:
    if weight.shape[0] != weight.shape[1]:
        return solutions.to_half_split(weight, n_heads)
    return solutions.to_half_split(weight.T, n_heads).T


def weight_itself(weight: Tensor, n_heads: int) -> Tensor:
    return weight.clone()


def still_in_heads(weight: Tensor, n_heads: int) -> Tensor:
    return weight.unflatten(0, (n_heads, -1))


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (inverse_order, "方向反了", "wrong way round"),
        (across_heads, "别的头", "other heads"),
        (upside_down, "首尾颠倒", "last to first"),
        (odd_rows_first, "奇数行", "Odd rows"),
        (columns_too, "列", "columns"),
        (weight_itself, "原样", "unchanged"),
        (still_in_heads, "形状", "shape"),
    ],
)
def test_to_half_split_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_to_half_split(wrong), zh, en)


# --- attention over positions ---------------------------------------------------------------------------


def weighed(query: Tensor, key: Tensor, scale: float) -> Tensor:
    return torch.einsum("blhd,bmhd->bhlm", query, key) / scale


def mixed(weights: Tensor, value: Tensor) -> Tensor:
    return torch.einsum("bhlm,bmhd->blhd", weights, value)


def over_the_heads(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return torch.nn.functional.scaled_dot_product_attention(query, key, value)


def unscaled(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return mixed(weighed(query, key, 1).softmax(dim=-1), value)


def scaled_by_d(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return mixed(weighed(query, key, query.shape[-1]).softmax(dim=-1), value)


def over_the_queries(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return mixed(weighed(query, key, math.sqrt(query.shape[-1])).softmax(dim=-2), value)


def softmax_over_heads(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return mixed(weighed(query, key, math.sqrt(query.shape[-1])).softmax(dim=1), value)


def no_softmax(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return mixed(weighed(query, key, math.sqrt(query.shape[-1])), value)


def swapped(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return solutions.attend(key, query, value)


def causal(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    scores = weighed(query, key, math.sqrt(query.shape[-1]))
    future = torch.ones(scores.shape[-2:]).triu(1).bool()
    return mixed(scores.masked_fill(future, -math.inf).softmax(dim=-1), value)


def left_in_front(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return solutions.attend(query, key, value).transpose(1, 2)


def value_itself(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return value


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (over_the_heads, "头那一维", "head axis"),
        (unscaled, "√d_head", "√d_head"),
        (scaled_by_d, "平方根", "square root"),
        (over_the_queries, "方向", "wrong axis"),
        (softmax_over_heads, "头那一维", "over the heads"),
        (no_softmax, "softmax", "softmax is missing"),
        (swapped, "换了位置", "changed places"),
        (causal, "因果", "causal"),
        (left_in_front, "transpose(1, 2)", "transpose(1, 2)"),
        (value_itself, "v 自己", "v itself"),
    ],
)
def test_attend_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_attend(wrong), zh, en)


# --- a cache that is never stale ------------------------------------------------------------------------

Store = dict[Any, Any]
Pair = tuple[Tensor, Tensor]


def kept(store: Store, key: object, length: int, d: int, base: float, dtype: torch.dtype) -> Pair:
    """A store that looks at ``key`` only, and rebuilds for a longer sequence."""
    if key not in store or len(store[key][0]) < length:
        store[key] = solutions.tables({}, length, d, base, dtype)
    cos, sin = store[key]
    return cos[:length], sin[:length]


def stale_in_length(store: Store, length: int, d: int, base: float, dtype: torch.dtype) -> Pair:
    return store.setdefault((d, base, dtype), solutions.tables({}, length, d, base, dtype))


def never_cut_to_length(store: Store, length: int, d: int, base: float, dtype: torch.dtype) -> Pair:
    kept(store, (d, base, dtype), length, d, base, dtype)
    return store[d, base, dtype]


def stale_in_base(store: Store, length: int, d: int, base: float, dtype: torch.dtype) -> Pair:
    return kept(store, (d, dtype), length, d, base, dtype)


def stale_in_dtype(store: Store, length: int, d: int, base: float, dtype: torch.dtype) -> Pair:
    return kept(store, (d, base), length, d, base, dtype)


def stale_in_width(store: Store, length: int, d: int, base: float, dtype: torch.dtype) -> Pair:
    return kept(store, (base, dtype), length, d, base, dtype)


def built_every_time(store: Store, length: int, d: int, base: float, dtype: torch.dtype) -> Pair:
    return solutions.tables({}, length, d, base, dtype)


def sine_first(store: Store, length: int, d: int, base: float, dtype: torch.dtype) -> Pair:
    return solutions.tables(store, length, d, base, dtype)[::-1]


def repeated(store: Store, length: int, d: int, base: float, dtype: torch.dtype) -> Pair:
    cos, sin = solutions.tables(store, length, d, base, dtype)
    return cos.repeat(1, 2), sin.repeat(1, 2)


def angles_in_dtype(store: Store, length: int, d: int, base: float, dtype: torch.dtype) -> Pair:
    key = (length, d, base, dtype)
    if key not in store:
        angles = torch.outer(torch.arange(length).to(dtype), rates(d, base).to(dtype))
        store[key] = (angles.cos(), angles.sin())
    return store[key]


def always_float32(store: Store, length: int, d: int, base: float, dtype: torch.dtype) -> Pair:
    return kept(store, (d, base), length, d, base, torch.float32)


def angles_instead(store: Store, length: int, d: int, base: float, dtype: torch.dtype) -> Pair:
    angles = torch.outer(torch.arange(length).double(), rates(d, base)).to(dtype)
    return angles, angles


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (stale_in_length, "length", "length changed"),
        (never_cut_to_length, "length", "length changed"),
        (stale_in_base, "另一个底数 base", "another base"),
        (stale_in_dtype, "类型变了", "dtype changed"),
        (stale_in_width, "另一个宽度 d", "another width d"),
        (built_every_time, "造了两次", "built the table twice"),
        (sine_first, "顺序反了", "changed places"),
        (repeated, "每一对", "each pair"),
        (angles_in_dtype, "bfloat16", "bfloat16"),
        (always_float32, "应当是 torch.float64", "should be torch.float64"),
        (angles_instead, "应当是", "should be"),
    ],
)
def test_tables_names_the_mistake(wrong: Callable[..., Pair], zh: str, en: str) -> None:
    names(checks.check_tables(wrong), zh, en)


# --- other right ways -----------------------------------------------------------------------------------


def test_other_right_ways_to_write_it_pass_too() -> None:
    from posenc_lessons.encodings import apply_rotary, convert_pairing, rotary_angles, rotation_matrix

    def by_the_package(x: Tensor, positions: Tensor, base: float) -> Tensor:
        return apply_rotary(x, positions, base, "half_split")

    def by_matrix(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
        matrix = rotation_matrix(rotary_angles(torch.tensor(distance), len(query), base)).to(query.dtype)
        return query @ matrix @ key

    def by_turning_both(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
        turned = apply_rotary(torch.stack([query, key]), torch.tensor([40, 40 + distance]), base)
        return turned[0] @ turned[1]

    def partly_by_the_package(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
        return apply_rotary(x, positions, base, rotary_dim=even(x, fraction))

    def converted(weight: Tensor, n_heads: int) -> Tensor:
        return convert_pairing(weight, n_heads, to="half_split")

    def by_einsum(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        return mixed(weighed(query, key, math.sqrt(query.shape[-1])).softmax(dim=-1), value)

    def keyed_on_everything(
        store: Store, length: int, d: int, base: float, dtype: torch.dtype
    ) -> list[Tensor]:
        return list(store.setdefault((length, d, base, dtype), solutions.tables({}, length, d, base, dtype)))

    assert checks.check_rotate(by_the_package).passed
    assert checks.check_rotary_score(by_matrix).passed
    assert checks.check_rotary_score(by_turning_both).passed
    assert checks.check_partial_rotate(partly_by_the_package).passed
    assert checks.check_to_half_split(converted).passed
    assert checks.check_attend(by_einsum).passed
    assert checks.check_tables(keyed_on_everything).passed
