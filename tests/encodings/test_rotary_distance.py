"""The purpose of rotary embedding: scores depend on the distance n − m, with its sign, and not on m or n."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import (
    PAIRINGS,
    Pairing,
    RotaryEncoding,
    apply_rotary,
    rotary_angles,
    rotation_matrix,
)

quickly = settings(max_examples=60)
widths = st.integers(1, 12).map(lambda half: 2 * half)
places = st.integers(-(10**6), 10**6)
near = st.integers(-1000, 1000)
pairings = st.sampled_from(PAIRINGS)


def turned(x: Tensor, position: int, pairing: Pairing) -> Tensor:
    return apply_rotary(x[None], torch.tensor([position]), pairing=pairing)[0]


@quickly
@given(m=places, n=near, width=widths, pairing=pairings)
def test_matrices_are_rotations(m: int, n: int, width: int, pairing: Pairing) -> None:
    of_m, of_n = (rotation_matrix(rotary_angles(torch.tensor(p), width), pairing) for p in (m, n))
    assert_close(of_m @ of_m.T, torch.eye(width).double(), rtol=0, atol=1e-15)
    assert_close(of_m.T @ of_m, torch.eye(width).double(), rtol=0, atol=1e-15)
    assert torch.linalg.det(of_m).item() == pytest.approx(1, abs=1e-13)  # no reflection
    difference = rotation_matrix(rotary_angles(torch.tensor(n - m), width), pairing)
    assert_close(of_m.T @ of_n, difference, rtol=0, atol=1e-15 * (10 + abs(m) + abs(n)))


@quickly
@given(m=places, width=widths, pairing=pairings, seed=st.integers(0, 99))
def test_rotation_keeps_lengths_and_can_be_undone(m: int, width: int, pairing: Pairing, seed: int) -> None:
    torch.manual_seed(seed)
    x = torch.randn(width).double()
    moved = turned(x, m, pairing)
    assert moved.norm().item() == pytest.approx(x.norm().item(), rel=1e-14)
    assert_close(turned(moved, -m, pairing), x, rtol=0, atol=1e-14)


@quickly
@given(m=near, n=near, shift=places, width=widths, pairing=pairings, seed=st.integers(0, 99))
def test_a_common_shift_changes_nothing(
    m: int, n: int, shift: int, width: int, pairing: Pairing, seed: int
) -> None:
    torch.manual_seed(seed)
    q, k = torch.randn(2, width).double()
    original = turned(q, m, pairing) @ turned(k, n, pairing)
    moved = turned(q, m + shift, pairing) @ turned(k, n + shift, pairing)
    assert abs(original - moved) <= 1e-14 * (10 + abs(shift) / 10) * q.norm() * k.norm()
    assert abs(original - q @ turned(k, n - m, pairing)) <= 1e-13 * q.norm() * k.norm() * (
        1 + abs(m) + abs(n)
    )


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("width", [64, 128])
@pytest.mark.parametrize(
    ("kind", "most"),
    # float32: 7e-8 at most was seen, float32's own last bit. bfloat16 rounds the turned vectors: 1.3e-3.
    [(torch.float64, 1e-11), (torch.float32, 1e-7), (torch.bfloat16, 4e-3)],
)
def test_scores_do_not_drift_up_to_position_one_million(
    kind: torch.dtype, most: float, width: int, pairing: Pairing
) -> None:
    """With positions or angles in float32 the scores drift by about 2e-4 here; in bfloat16 much more."""
    torch.manual_seed(0)
    q, k = torch.randn(2, 256, width).to(kind)
    encoding = RotaryEncoding(width, pairing=pairing)

    def scores(shift: int) -> Tensor:
        at = torch.arange(256)
        a = encoding.turn(q[None, None], at + shift)[0, 0]
        b = encoding.turn(k[None, None], at + at.flip(0) + shift)[0, 0]
        return (a.double() * b.double()).sum(dim=-1)

    size = q.double().norm(dim=-1) * k.double().norm(dim=-1)
    for shift in (1000, 100_000, 1_000_000):
        assert ((scores(shift) - scores(0)).abs() / size).max() <= most


@pytest.mark.parametrize(("shift", "off"), [(10**9, "2e-7"), (10**12, "1e-4")])
def test_float64_has_the_limits_that_the_docstring_of_rotary_angles_tells(shift: int, off: str) -> None:
    torch.manual_seed(0)
    q, k = torch.randn(2, 256, 64).double()
    at = torch.arange(256)
    original, moved = (
        (apply_rotary(q, at + first) * apply_rotary(k, at.flip(0) + first)).sum(dim=-1)
        for first in (0, shift)
    )
    drift = (moved - original).abs().mean().item()
    assert float(off) / 4 < drift < 4 * float(off) and off in (rotary_angles.__doc__ or "")


def test_the_rotation_is_anticlockwise() -> None:
    """A transposed matrix rotates the other way. In a model that always does so, n − m only becomes m − n, so
    training hides the bug, but weights of other models show it."""
    quarter = torch.tensor([[torch.pi / 2]])
    x = torch.tensor([[1.0, 0.0]])
    for pairing in PAIRINGS:
        matrix = rotation_matrix(quarter[0], pairing)
        assert_close(matrix @ x[0], torch.tensor([0.0, 1.0]))
        assert (matrix.T @ x[0] - torch.tensor([0.0, 1.0])).abs().max() > 1
        actual = apply_rotary(x, quarter[0], pairing=pairing)  # θ₀ = 1: position π/2 is a quarter turn
        assert_close(actual, torch.tensor([[0.0, 1.0]]))
