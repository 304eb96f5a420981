"""Biases of windows: a table (Swin, BEiT), a network (Swin v2), vectors times the query (SAM)."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc_lessons.encodings import ContinuousGridBias, DecomposedGridBias, RelativeGridBias, grid_positions
from posenc_lessons.encodings.positions import known_positions
from posenc_lessons.language import BilingualIndexError

H = 3
sides = st.integers(1, 4)


@given(sides, sides)
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


@given(sides, sides, sides, sides)
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


@given(sides, sides)
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
