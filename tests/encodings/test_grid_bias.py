"""Swin's bias: a number for each difference of row and column."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc_lessons.encodings import RelativeGridBias, grid_positions
from posenc_lessons.language import BilingualIndexError

H = 3
sides = st.integers(1, 4)


@given(sides, sides)
def test_a_score_gets_the_number_of_its_difference(height: int, width: int) -> None:
    encoding, at = RelativeGridBias(H, (height, width), std=1.0), grid_positions(height, width)
    assert encoding.table.shape == ((2 * height - 1) * (2 * width - 1), H)
    q = torch.zeros(1, H, len(at), 2)
    bias = encoding.score_bias(q, q, at, at, None)
    used = set()
    for i, (row, column) in enumerate(at.tolist()):
        for j, (other_row, other_column) in enumerate(at.tolist()):
            number = (row - other_row + height - 1) * (2 * width - 1) + column - other_column + width - 1
            assert torch.equal(bias[:, i, j], encoding.table[number])
            used.add(number)
    assert used == set(range(len(encoding.table)))


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


def test_tokens_further_apart_than_the_window_have_no_number() -> None:
    encoding, at = RelativeGridBias(H, (2, 3)), grid_positions(2, 4)
    q = torch.zeros(1, H, 8, 2)
    with pytest.raises(
        BilingualIndexError, match=r"window of RelativeGridBias is 2 × 3.* 1 rows and 3 columns"
    ):
        encoding.score_bias(q, q, at, at, None)
