"""Lesson 02's checks name the mistakes people really make, and accept other right answers."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from posenc_lessons.exercises import sinusoidal as checks
from posenc_lessons.exercises.solutions import sinusoidal as solutions
from tests.exercises.naming import names

# --- frequencies --------------------------------------------------------------------------------------


def two_i(d_model: int) -> Tensor:
    return torch.arange(0, d_model, 2, dtype=torch.float64)


def growing(d_model: int, base: float) -> Tensor:
    return torch.exp(two_i(d_model) * math.log(base) / d_model)


def exponent_i_over_d(d_model: int, base: float) -> Tensor:
    return base ** (-torch.arange(d_model // 2, dtype=torch.float64) / d_model)


def doubled_twice(d_model: int, base: float) -> Tensor:
    return base ** (-2 * two_i(d_model) / d_model)


def without_the_base(d_model: int, base: float) -> Tensor:
    return torch.exp(-two_i(d_model) / d_model)


def with_log10(d_model: int, base: float) -> Tensor:
    return torch.exp(-two_i(d_model) * math.log10(base) / d_model)


def always_ten_thousand(d_model: int, base: float) -> Tensor:
    return 10000.0 ** (-two_i(d_model) / d_model)


def bracket_outside_exp(d_model: int, base: float) -> Tensor:
    return torch.exp(two_i(d_model)) * (-math.log(base) / d_model)


def tensor2tensor_denominator(d_model: int, base: float) -> Tensor:
    i = torch.arange(d_model // 2, dtype=torch.float64)
    return torch.exp(-i * math.log(base) / (d_model // 2 - 1))


def one_per_column(d_model: int, base: float) -> Tensor:
    return base ** (-torch.arange(d_model, dtype=torch.float64) / d_model)


def random_frequencies(d_model: int, base: float) -> Tensor:
    return torch.rand(d_model // 2, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (growing, "负号", "minus sign"),
        (exponent_i_over_d, "i/d", "i/d"),
        (doubled_twice, "两次", "twice"),
        (without_the_base, "base 不见了", "base is missing"),
        (with_log10, "log10", "log10"),
        (always_ten_thousand, "写死", "fixed at 10000"),
        (bracket_outside_exp, "括号", "bracket"),
        (tensor2tensor_denominator, "d/2 − 1", "d/2 − 1"),
        (one_per_column, "d_model/2 = 4", "d_model/2 = 4"),
        (random_frequencies, "应当是 1", "should be 1"),
    ],
)
def test_frequencies_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_frequencies(wrong), zh, en)


def test_frequencies_in_float32_pass() -> None:
    assert checks.check_frequencies(lambda d, base: solutions.frequencies(d, base).float()).passed


# --- the table ----------------------------------------------------------------------------------------


def interleave(sine: Tensor, cosine: Tensor) -> Tensor:
    return torch.stack([sine, cosine], dim=-1).flatten(-2)


def waves(positions: Tensor, theta: Tensor) -> Tensor:
    angles = torch.outer(positions.double(), theta)
    return interleave(angles.sin(), angles.cos())


def swapped(positions: Tensor, d_model: int, base: float) -> Tensor:
    angles = torch.outer(positions.double(), solutions.frequencies(d_model, base))
    return interleave(angles.cos(), angles.sin())


def concatenated(positions: Tensor, d_model: int, base: float) -> Tensor:
    angles = torch.outer(positions.double(), solutions.frequencies(d_model, base))
    return torch.cat([angles.sin(), angles.cos()], dim=1)


def pairs_counted_once(positions: Tensor, d_model: int, base: float) -> Tensor:
    return waves(positions, exponent_i_over_d(d_model, base))


def odd_column_with_its_own_exponent(positions: Tensor, d_model: int, base: float) -> Tensor:
    column = torch.arange(d_model)
    angles = torch.outer(positions.double(), base ** (-column.double() / d_model))
    return torch.where(column % 2 == 0, angles.sin(), angles.cos())


def column_index_doubled(positions: Tensor, d_model: int, base: float) -> Tensor:
    column = torch.arange(d_model)
    angles = torch.outer(positions.double(), base ** (-2 * column.double() / d_model))
    return torch.where(column % 2 == 0, angles.sin(), angles.cos())


def table_without_the_base(positions: Tensor, d_model: int, base: float) -> Tensor:
    return waves(positions, without_the_base(d_model, base))


def table_always_ten_thousand(positions: Tensor, d_model: int, base: float) -> Tensor:
    return waves(positions, always_ten_thousand(d_model, base))


def table_growing(positions: Tensor, d_model: int, base: float) -> Tensor:
    return waves(positions, growing(d_model, base))


def positions_from_one(positions: Tensor, d_model: int, base: float) -> Tensor:
    return waves(positions + 1, solutions.frequencies(d_model, base))


def positions_ignored(positions: Tensor, d_model: int, base: float) -> Tensor:
    return waves(torch.arange(len(positions)), solutions.frequencies(d_model, base))


def in_degrees(positions: Tensor, d_model: int, base: float) -> Tensor:
    return waves(positions, torch.deg2rad(solutions.frequencies(d_model, base)))


def in_turns(positions: Tensor, d_model: int, base: float) -> Tensor:
    return waves(positions, 2 * math.pi * solutions.frequencies(d_model, base))


def bfloat16_positions(positions: Tensor, d_model: int, base: float) -> Tensor:
    return waves(positions.bfloat16(), solutions.frequencies(d_model, base))


def float16_positions(positions: Tensor, d_model: int, base: float) -> Tensor:
    return waves(positions.half(), solutions.frequencies(d_model, base))


def float32_angles(positions: Tensor, d_model: int, base: float) -> Tensor:
    angles = torch.outer(positions.float(), solutions.frequencies(d_model, base).float())
    return interleave(angles.sin(), angles.cos())


def rounded_to_bfloat16(positions: Tensor, d_model: int, base: float) -> Tensor:
    return solutions.sinusoidal_table(positions, d_model, base).bfloat16()


def turned_on_its_side(positions: Tensor, d_model: int, base: float) -> Tensor:
    return solutions.sinusoidal_table(positions, d_model, base).T


def sine_everywhere(positions: Tensor, d_model: int, base: float) -> Tensor:
    angles = torch.outer(positions.double(), solutions.frequencies(d_model, base))
    return interleave(angles.sin(), angles.sin())


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (swapped, "放反", "swapped"),
        (concatenated, "拼接式", "concatenated"),
        (pairs_counted_once, "i/d", "i/d"),
        (odd_column_with_its_own_exponent, "(j−1)/d", "(j−1)/d"),
        (column_index_doubled, "列号", "column index"),
        (table_without_the_base, "base 不见了", "base is missing"),
        (table_always_ten_thousand, "写死", "fixed at 10000"),
        (table_growing, "负号", "minus sign"),
        (positions_from_one, "多了 1", "one too large"),
        (positions_ignored, "没有用", "not used"),
        (in_degrees, "度数", "degrees"),
        (in_turns, "2π", "2π"),
        (bfloat16_positions, "bfloat16", "bfloat16"),
        (float16_positions, "float16", "float16"),
        (float32_angles, "1000000", "1000000"),
        (rounded_to_bfloat16, "bfloat16", "bfloat16"),
        (turned_on_its_side, "[10, 4]", "[10, 4]"),
        (sine_everywhere, "[0, 1] 应当是 1", "[0, 1] should be 1"),
    ],
)
def test_table_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_table(wrong), zh, en)


def test_a_table_in_float64_passes() -> None:
    assert checks.check_table(lambda p, d, base: waves(p, solutions.frequencies(d, base))).passed


# --- similarity ---------------------------------------------------------------------------------------


def turns(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return torch.outer(offsets.double(), solutions.frequencies(d_model, base))


def averaged(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return turns(offsets, d_model, base).cos().mean(dim=1)


def counted_per_column(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return turns(offsets, d_model, base).repeat_interleave(2, dim=1).cos().sum(dim=1)


def sines_summed(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return turns(offsets, d_model, base).sin().sum(dim=1)


def columns_summed(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return solutions.sinusoidal_table(offsets, d_model, base).sum(dim=1)


def similarity_i_over_d(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return torch.outer(offsets.double(), exponent_i_over_d(d_model, base)).cos().sum(dim=1)


def similarity_always_ten_thousand(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return torch.outer(offsets.double(), always_ten_thousand(d_model, base)).cos().sum(dim=1)


def similarity_in_degrees(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return torch.deg2rad(turns(offsets, d_model, base)).cos().sum(dim=1)


def one_number(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return turns(offsets, d_model, base).cos().sum()


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (averaged, "平均", "mean"),
        (counted_per_column, "大了一倍", "Twice too large"),
        (sines_summed, "sin(kθ_i)", "sin(kθ_i)"),
        (columns_summed, "各列加了起来", "adds up the columns"),
        (similarity_i_over_d, "i/d", "i/d"),
        (similarity_always_ten_thousand, "写死", "fixed at 10000"),
        (similarity_in_degrees, "度数", "degrees"),
        (one_number, "形状", "shape"),
    ],
)
def test_similarity_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_similarity(wrong), zh, en)


def test_similarity_through_the_table_passes() -> None:
    def through_the_table(offsets: Tensor, d_model: int, base: float) -> Tensor:
        zero = solutions.sinusoidal_table(torch.zeros(1), d_model, base)[0]
        return solutions.sinusoidal_table(offsets, d_model, base) @ zero

    assert checks.check_similarity(through_the_table).passed


# --- the shift matrix ---------------------------------------------------------------------------------


def blocks(angles: Tensor, lower_sign: float = -1.0) -> Tensor:
    cos, sin = angles.cos(), angles.sin()
    return torch.block_diag(
        *(torch.tensor([[c, s], [lower_sign * s, c]]) for c, s in zip(cos, sin, strict=True))
    )


def transposed(offset: int, d_model: int, base: float) -> Tensor:
    return solutions.shift_matrix(offset, d_model, base).T


def half_split(offset: int, d_model: int, base: float) -> Tensor:
    angles = offset * solutions.frequencies(d_model, base)
    cos, sin = torch.diag(angles.cos()), torch.diag(angles.sin())
    return torch.cat([torch.cat([cos, sin], 1), torch.cat([-sin, cos], 1)])


def one_rate_for_all(offset: int, d_model: int, base: float) -> Tensor:
    return blocks(torch.full((d_model // 2,), float(offset)))


def both_sines_plus(offset: int, d_model: int, base: float) -> Tensor:
    return blocks(offset * solutions.frequencies(d_model, base), lower_sign=1.0)


def offset_unused(offset: int, d_model: int, base: float) -> Tensor:
    return blocks(solutions.frequencies(d_model, base))


def shift_i_over_d(offset: int, d_model: int, base: float) -> Tensor:
    return blocks(offset * exponent_i_over_d(d_model, base))


def shift_always_ten_thousand(offset: int, d_model: int, base: float) -> Tensor:
    return blocks(offset * always_ten_thousand(d_model, base))


def shift_in_degrees(offset: int, d_model: int, base: float) -> Tensor:
    return blocks(torch.deg2rad(offset * solutions.frequencies(d_model, base)))


def identity(offset: int, d_model: int, base: float) -> Tensor:
    return torch.eye(d_model)


def one_block_only(offset: int, d_model: int, base: float) -> Tensor:
    return solutions.shift_matrix(offset, 2, base)


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (transposed, "转置", "transposed"),
        (half_split, "拼接式", "concatenated"),
        (one_rate_for_all, "同样的角度", "same angle"),
        (both_sines_plus, "同号", "same sign"),
        (offset_unused, "offset", "offset"),
        (shift_i_over_d, "i/d", "i/d"),
        (shift_always_ten_thousand, "写死", "fixed at 10000"),
        (shift_in_degrees, "度数", "degrees"),
        (identity, "应当是", "should be"),
        (one_block_only, "[4, 4]", "[4, 4]"),
    ],
)
def test_shift_matrix_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_shift_matrix(wrong), zh, en)


# --- adding -------------------------------------------------------------------------------------------


def row_l_everywhere(x: Tensor, table: Tensor) -> Tensor:
    return x + table[None][:, x.size(1)]


def rows_by_sentence(x: Tensor, table: Tensor) -> Tensor:
    return x + table[: x.size(0)][:, None, :]


def sliced_by_the_batch(x: Tensor, table: Tensor) -> Tensor:
    return x + table[: x.size(0)]


def from_row_one(x: Tensor, table: Tensor) -> Tensor:
    return x + table[1 : x.size(1) + 1]


def the_last_rows(x: Tensor, table: Tensor) -> Tensor:
    return x + table[-x.size(1) :]


def in_place(x: Tensor, table: Tensor) -> Tensor:
    x += table[: x.size(1)]
    return x


def positions_alone(x: Tensor, table: Tensor) -> Tensor:
    return table[: x.size(1)].expand_as(x)


def multiplied(x: Tensor, table: Tensor) -> Tensor:
    return x * table[: x.size(1)]


def unchanged(x: Tensor, table: Tensor) -> Tensor:
    return x


def scaled_as_well(x: Tensor, table: Tensor) -> Tensor:
    return x * math.sqrt(x.size(2)) + table[: x.size(1)]


def joined(x: Tensor, table: Tensor) -> Tensor:
    return torch.cat([x, table[: x.size(1)].expand_as(x)], dim=-1)


def the_whole_table(x: Tensor, table: Tensor) -> Tensor:
    return x + table


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (row_l_everywhere, "冒号", "colon"),
        (rows_by_sentence, "轴", "axis"),
        (sliced_by_the_batch, "轴", "axis"),
        (from_row_one, "第 1 行", "row 1"),
        (the_last_rows, "最后", "last"),
        (in_place, "改动", "changed"),
        (positions_alone, "只返回", "Only the position"),
        (multiplied, "相乘", "multiplied"),
        (unchanged, "原样", "unchanged"),
        (scaled_as_well, "√d", "√d"),
        (joined, "[1, 4, 6]", "[1, 4, 6]"),
        (the_whole_table, "RuntimeError", "RuntimeError"),
    ],
)
def test_add_positions_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_add_positions(wrong), zh, en)
