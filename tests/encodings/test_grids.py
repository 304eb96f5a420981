"""Encodings of grids: positions of patches, tables stretched, biases of windows."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import (
    ContinuousGridBias,
    DecomposedGridBias,
    GridLearned,
    GridSinusoidal,
    RelativeGridBias,
    grid_positions,
    interpolate_table,
    patch_centres,
    sinusoidal_encoding,
)
from posenc_lessons.encodings.grid_sinusoidal import grid_sinusoidal_encoding
from posenc_lessons.encodings.positions import known_positions
from posenc_lessons.language import BilingualIndexError

sides = st.integers(1, 7)


@given(sides, sides)
def test_positions_go_row_by_row(height: int, width: int) -> None:
    expected = [[row, column] for row in range(height) for column in range(width)]
    positions = grid_positions(height, width)
    assert positions.dtype == torch.int64 and positions.tolist() == expected


@given(sides, sides)
def test_a_patch_gets_the_vectors_of_its_row_and_its_column(height: int, width: int) -> None:
    encoding, at = GridLearned(3, height, width, std=1.0).double(), grid_positions(height, width)
    x = torch.randn(2, len(at), 3, dtype=torch.float64, requires_grad=True)
    actual = encoding(x, at)
    expected = x + (encoding.row_table[:, None] + encoding.column_table[None]).flatten(0, 1)
    assert_close(actual, expected, rtol=0, atol=0)
    actual.sum().backward()
    assert_close(encoding.row_table.grad, torch.full((height, 3), 2.0 * width, dtype=torch.float64))
    assert_close(encoding.column_table.grad, torch.full((width, 3), 2.0 * height, dtype=torch.float64))
    with pytest.raises(IndexError, match=rf"rows 0 to {height} and columns 0 to {width - 1}"):
        encoding.encode(torch.cat((at, at[-1:] + torch.tensor([1, 0]))))


@given(sides, sides)
def test_centres_are_evenly_spaced_and_symmetric_between_minus_one_and_one(height: int, width: int) -> None:
    centres = patch_centres(height, width)
    assert_close(centres, -centres.flip(0))
    assert_close(centres[0], torch.tensor([1 / height - 1, 1 / width - 1]))
    if width > 1:
        assert_close(centres[1] - centres[0], torch.tensor([0.0, 2 / width]))


def shares(old: int, new: int) -> Tensor:
    """Return how much of each old patch is in each new one, [new, old], by the distance of centres."""
    actual = torch.zeros(new, old, dtype=torch.float64)
    for n in range(new):
        at = min(max((n + 0.5) * old / new - 0.5, 0), old - 1)  # in units of old patches; edges on edges
        for m in range(old):
            actual[n, m] = max(0.0, 1 - abs(at - m))
    return actual


@given(sides, sides, sides, sides, st.integers(0, 2))
def test_a_bilinear_table_mixes_neighbours_by_distance(
    height: int, width: int, new_height: int, new_width: int, prefix: int
) -> None:
    table = torch.randn(prefix + height * width, 3, dtype=torch.float64)
    old = table[prefix:].view(height, width, 3)
    expected = torch.einsum("ai,bj,ijd->abd", shares(height, new_height), shares(width, new_width), old)
    sizes = (height, width), (new_height, new_width)
    actual = interpolate_table(table, *sizes, prefix=prefix, mode="bilinear")
    assert_close(actual, torch.cat((table[:prefix], expected.flatten(0, 1))))


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("antialias", [False, True])
def test_the_same_size_and_a_constant_table_stay_the_same(mode: str, antialias: bool) -> None:
    table = torch.randn(1 + 12, 3, dtype=torch.float64)
    how = {"prefix": 1, "mode": mode, "antialias": antialias}
    assert_close(interpolate_table(table, (3, 4), (3, 4), **how), table)
    same = interpolate_table(torch.full_like(table, 0.7), (3, 4), (2, 9), **how)
    assert_close(same, torch.full((1 + 18, 3), 0.7, dtype=torch.float64))


def test_half_precision_is_rounded_once_and_gradients_reach_the_table() -> None:
    table = torch.randn(12, 3)
    wide = interpolate_table(table.bfloat16().float(), (3, 4), (6, 8))
    assert torch.equal(interpolate_table(table.bfloat16(), (3, 4), (6, 8)), wide.bfloat16())
    table.requires_grad_()
    interpolate_table(table, (3, 4), (6, 8)).sum().backward()
    assert table.grad is not None and bool((table.grad > 0).all())


@given(st.integers(2, 3), st.integers(1, 3))
def test_sinusoids_of_a_grid_are_those_of_its_axes_side_by_side(axes: int, pairs: int) -> None:
    positions = torch.randint(-9, 9, (5, axes))
    width = 2 * pairs
    expected = [sinusoidal_encoding(positions[:, axis], width) for axis in range(axes)]
    assert torch.equal(grid_sinusoidal_encoding(positions, axes * width), torch.cat(expected, dim=-1))
    encoding, x = GridSinusoidal(axes * width, axes=axes), torch.randn(2, 5, axes * width)
    assert_close(encoding(x, positions) - x, torch.cat(expected, dim=-1).expand(2, -1, -1))


H = 3
few = st.integers(1, 4)


@given(few, few)
def test_a_score_gets_the_number_of_its_row_and_column_difference(height: int, width: int) -> None:
    encoding, at = RelativeGridBias(H, (height, width), std=1.0), grid_positions(height, width)
    assert encoding.table.shape == ((2 * height - 1) * (2 * width - 1), H)
    q = torch.zeros(1, H, len(at), 2)
    bias = encoding.score_bias(q, q, at, at, None)
    numbers = set()
    for i, (row, column) in enumerate(at.tolist()):
        for j, (other_row, other_column) in enumerate(at.tolist()):
            number = (row - other_row + height - 1) * (2 * width - 1) + column - other_column + width - 1
            assert torch.equal(bias[:, i, j], encoding.table[number])
            numbers.add(number)
    assert numbers == set(range(len(encoding.table)))


def test_another_window_and_shifted_positions() -> None:
    encoding, at = RelativeGridBias(H, 3, std=1.0), grid_positions(3, 3)
    q = torch.zeros(2, H, 9, 2)
    bias = encoding.score_bias(q, q, at, at, None)
    assert torch.equal(encoding.score_bias(q, q, at + 40, at + 40, None), bias)
    rows = torch.stack((at, at.flip(0)))
    assert torch.equal(encoding.score_bias(q, q, rows, rows, None)[0], bias)
    same, larger = encoding.resized(3), encoding.resized((5, 4))
    assert_close(same.table, encoding.table) and same.table.data_ptr() != encoding.table.data_ptr()
    assert larger.window == (5, 4) and larger.table.shape == (9 * 7, H)
    middle = larger.table.view(9, 7, H)[4, 3]  # no difference stays no difference
    assert_close(middle, encoding.table.view(5, 5, H)[2, 2])


def test_tokens_farther_apart_than_the_window_are_refused() -> None:
    encoding, at = RelativeGridBias(H, (2, 3)), grid_positions(2, 4)
    q = torch.zeros(1, H, 8, 2)
    for one in (encoding, ContinuousGridBias(H, (2, 3)), DecomposedGridBias(2, (2, 3))):
        message = rf"window of {type(one).__name__} is 2 × 3.* 1 rows and 3 columns"
        with pytest.raises(BilingualIndexError, match=message):
            one.score_bias(q, q, at, at, None)


@pytest.mark.parametrize("encoding", [RelativeGridBias(H, 3, std=1.0), DecomposedGridBias(2, 3, std=1.0)])
def test_the_same_queries_can_attend_to_other_keys(encoding: RelativeGridBias | DecomposedGridBias) -> None:
    at, q = grid_positions(3, 3), torch.randn(1, H, 9, 2)
    queries = known_positions(at)
    for keys in (queries, at.flip(0)):
        bias = encoding.score_bias(q, q, queries, keys, None)
        assert torch.equal(bias, encoding.score_bias(q, q, at, keys, None))


@given(few, few, few, few)
def test_the_network_reads_the_logarithms_of_both_differences(
    height: int, width: int, trained_height: int, trained_width: int
) -> None:
    trained = (trained_height, trained_width)
    encoding, at = (
        ContinuousGridBias(H, (height, width), trained, width=5).double(),
        grid_positions(height, width),
    )
    q = torch.zeros(1, H, len(at), 2)
    actual = encoding.score_bias(q, q, at, at, None)
    first, _, last = encoding.network
    for i, moved in enumerate(at.tolist()):
        for j, other in enumerate(at.tolist()):
            pair = []
            for a, b, side in zip(moved, other, trained, strict=True):
                wide = 8 * (a - b) / max(side - 1, 1)
                pair.append(math.copysign(math.log(1 + abs(wide), 8), wide))
            hidden = (first.weight @ torch.tensor(pair, dtype=torch.float64) + first.bias).clamp(min=0)
            assert_close(actual[:, i, j], 16 / (1 + (-(last.weight @ hidden)).exp()), rtol=0, atol=1e-12)


def test_the_network_keeps_its_range_of_differences_in_another_window() -> None:
    encoding = ContinuousGridBias(H, 3, width=7)
    larger = encoding.resized((5, 4))
    assert larger.trained_window == (3, 3) and larger.resized(2).trained_window == (3, 3)
    assert_close(larger.numbers().view(9, 7, H)[2:7, 1:6], encoding.numbers().view(5, 5, H))
    assert larger.network[0].weight.data_ptr() != encoding.network[0].weight.data_ptr()
    assert float(encoding.numbers().detach().min()) > 0 and float(encoding.numbers().detach().max()) < 16


@given(few, few)
def test_the_query_is_multiplied_by_the_vectors_of_both_differences(height: int, width: int) -> None:
    encoding, at = DecomposedGridBias(4, (height, width), std=1.0).double(), grid_positions(height, width)
    q = torch.randn(2, H, len(at), 4, dtype=torch.float64)
    actual = encoding.score_bias(q, q, at, at, None)
    for i, (row, column) in enumerate(at.tolist()):
        for j, (other_row, other_column) in enumerate(at.tolist()):
            vector = encoding.row_table[row - other_row + height - 1]
            vector = vector + encoding.column_table[column - other_column + width - 1]
            assert_close(actual[:, :, i, j], (q[:, :, i] * vector).sum(-1), rtol=0, atol=1e-12)
    assert torch.equal(encoding.score_bias(q, q, at + 40, at + 40, None), actual)


def test_vectors_for_another_window_are_interpolated() -> None:
    encoding = DecomposedGridBias(4, (3, 2), std=1.0)
    larger = encoding.resized((5, 2))
    assert larger.row_table.shape == (9, 4) and torch.equal(larger.column_table, encoding.column_table)
    assert larger.column_table.data_ptr() != encoding.column_table.data_ptr()
    assert_close(larger.row_table[4], encoding.row_table[2])  # no difference stays no difference
    assert_close(larger.row_table[[0, 8]], encoding.row_table[[0, 4]])
