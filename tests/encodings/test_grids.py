"""Encodings of grids: positions of patches, tables stretched, biases of windows."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc_lessons.encodings import (
    GridSinusoidal,
    RelativeGridBias,
    grid_positions,
    interpolate_table,
    sinusoidal_encoding,
)
from posenc_lessons.encodings.positions import known_positions
from posenc_lessons.language import BilingualIndexError

sides = st.integers(1, 7)


@given(sides, sides)
def test_positions_go_row_by_row(height: int, width: int) -> None:
    expected = [[row, column] for row in range(height) for column in range(width)]
    positions = grid_positions(height, width)
    assert positions.dtype == torch.int64 and positions.tolist() == expected


def test_half_precision_is_rounded_once_and_gradients_reach_the_table() -> None:
    table = torch.randn(12, 3)
    wide = interpolate_table(table.bfloat16().float(), (3, 4), (6, 8))
    assert torch.equal(interpolate_table(table.bfloat16(), (3, 4), (6, 8)), wide.bfloat16())
    table.requires_grad_()
    interpolate_table(table, (3, 4), (6, 8)).sum().backward()
    assert table.grad is not None and bool((table.grad > 0).all())


@given(st.integers(1, 3))
def test_row_and_column_each_have_the_sinusoids_of_half_the_width(pairs: int) -> None:
    positions, width = torch.randint(-9, 9, (5, 2)), 2 * pairs
    expected = torch.cat([sinusoidal_encoding(positions[:, axis], width) for axis in range(2)], dim=-1)
    x = torch.randn(2, 5, 2 * width)
    assert_close(GridSinusoidal(2 * width)(x, positions) - x, expected.expand(2, -1, -1))


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
    rows = torch.stack((at, at.flip(0)))
    assert torch.equal(encoding.score_bias(q.expand(2, -1, -1, -1), q, rows, rows, None)[0], bias)
    same_queries = known_positions(at)  # their rows are kept for each tensor of keys
    for keys in (same_queries, at.flip(0)):
        expected = encoding.score_bias(q, q, at, keys, None)
        assert torch.equal(encoding.score_bias(q, q, same_queries, keys, None), expected)
    with pytest.raises(BilingualIndexError, match=rf"is {height} × {width}, .* {height} rows and"):
        encoding.score_bias(q, q, at[:1], at[:1] + torch.tensor([height, 0]), None)
