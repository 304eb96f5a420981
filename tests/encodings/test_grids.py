"""Positions of patches, and a table of them stretched."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import (
    GridLearned,
    GridSinusoidal,
    grid_positions,
    interpolate_table,
    patch_centres,
    sinusoidal_encoding,
)
from posenc_lessons.encodings.grid_sinusoidal import grid_sinusoidal_encoding

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
