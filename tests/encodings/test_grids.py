"""Encodings of grids, positions of patches, and of text, images and video in one sequence."""

import itertools
import math
from typing import Any

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc_lessons.encodings import (
    GridSinusoidal,
    grid_positions,
    interpolate_table,
    multimodal_positions,
    sinusoidal_encoding,
)

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


small = st.integers(1, 4)
segments = st.lists(
    st.one_of(
        st.tuples(st.just("text"), small),
        st.tuples(st.just("image"), small, small),
        st.tuples(st.just("video"), small, small, small, st.floats(0, 3)),
    ),
    min_size=1,
    max_size=5,
)


@given(segments)
def test_segments_do_not_share_numbers_and_the_next_number_is_length_plus_delta(given: Any) -> None:
    positions, delta = multimodal_positions(given)
    counts = {"text": 1, "image": 2, "video": 3}  # numbers to multiply
    parts = positions.split([math.prod(segment[1 : 1 + counts[segment[0]]]) for segment in given])
    assert all(later.min() > earlier.max() for earlier, later in itertools.pairwise(parts))
    assert len(positions) + delta == positions.max() + 1
    text = [part for part, segment in zip(parts, given, strict=True) if segment[0] == "text"]
    assert all(torch.equal(part, part[:, :1].expand(-1, 3)) for part in text)
