"""The sinusoid as a function and as a module that follows .to(), saves and loads."""

import math
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc_lessons.encodings import SinusoidalEncoding, shift_matrix, sinusoidal_encoding

widths = st.integers(1, 40).map(lambda half: 2 * half)
bases = st.floats(1.5, 1e6)
places = st.floats(-1e6, 1e6)
quickly = settings(max_examples=60)


def by_hand(position: float, d_model: int, base: float) -> list[float]:
    """Compute the definition, one number at a time, in Python's float64."""
    row = []
    for column in range(d_model):
        angle = position / base ** (2 * (column // 2) / d_model)
        row.append(math.sin(angle) if column % 2 == 0 else math.cos(angle))
    return row


def encode(position: float, d_model: int, base: float) -> torch.Tensor:
    where = torch.tensor(position, dtype=torch.float64)
    return sinusoidal_encoding(where, d_model, base, dtype=torch.float64)


def slack(*positions: float) -> float:
    """Return the error allowed in float64: an angle a is known to a few parts in 10¹⁶ of a."""
    return 2e-15 * (1 + sum(abs(p) for p in positions))


@quickly
@given(position=places, d_model=widths, base=bases)
def test_the_table_follows_its_definition(position: float, d_model: int, base: float) -> None:
    expected = torch.tensor(by_hand(position, d_model, base), dtype=torch.float64)
    assert_close(encode(position, d_model, base), expected, rtol=0, atol=slack(position))


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.float16])
def test_values_are_rounded_once_at_any_position(kind: torch.dtype) -> None:
    far = torch.tensor([10**6 - 1, 10**6, 123456.75], dtype=torch.float64)
    exact = torch.tensor([by_hand(p, 32, 10000.0) for p in far.tolist()], dtype=torch.float64)
    half_a_step = torch.finfo(kind).eps / 2  # of a number below 1
    gap = (sinusoidal_encoding(far, 32, dtype=kind).double() - exact).abs().max().item()
    assert gap <= half_a_step + slack(1e6)


@quickly
@given(p=places, k=st.floats(-1e4, 1e4), d_model=widths, base=bases)
def test_the_shift_matrix_moves_any_position(p: float, k: float, d_model: int, base: float) -> None:
    moved = shift_matrix((p + k) - p, d_model, base, dtype=torch.float64) @ encode(p, d_model, base)
    assert_close(moved, encode(p + k, d_model, base), rtol=0, atol=slack(p, k))


KINDS = [torch.float64, torch.float32, torch.float16, torch.bfloat16]


@pytest.mark.parametrize(
    "positions", [[14, 15, 16], [[4, 5, 6], [0, 0, 9]], [-3, 0, 3], [0.5, 1.5, 15.25], [10**6, 3, 1]]
)
def test_positions_in_the_table_and_outside_it(positions: list[Any]) -> None:
    encoding, where = SinusoidalEncoding(8, max_len=16), torch.tensor(positions)
    expected = sinusoidal_encoding(where, 8).expand(2, 3, 8)
    assert torch.equal(encoding(torch.zeros(2, 3, 8), where), expected)


@pytest.mark.parametrize(("order", "columns"), [("halves", [0, 2, 1, 3]), ("cosines_first", [1, 3, 0, 2])])
def test_other_orders_of_columns_and_another_first_position(order: Any, columns: list[int]) -> None:
    encoding = SinusoidalEncoding(4, max_len=3, order=order, first=2)
    expected = sinusoidal_encoding(torch.arange(2, 7), 4)[:, columns]  # three rows stored, two computed
    assert torch.equal(encoding(torch.zeros(1, 5, 4))[0], expected)


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("then", KINDS)
def test_conversions_never_round_twice(first: torch.dtype, then: torch.dtype) -> None:
    encoding = SinusoidalEncoding(32, max_len=200).to(first).to(then)
    assert torch.equal(encoding.table, sinusoidal_encoding(200, 32, dtype=then))
    assert torch.equal(encoding(torch.zeros(1, 9, 32, dtype=then))[0], encoding.table[:9])
