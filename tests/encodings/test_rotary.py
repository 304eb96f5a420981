"""Rotary embedding as a function: its definition, published numbers, what it accepts and what it refuses."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import (
    PAIRINGS,
    Pairing,
    apply_rotary,
    rotary_angles,
    rotary_frequencies,
    rotation_matrix,
)

widths = st.integers(1, 12).map(lambda half: 2 * half)
bases = st.floats(1.5, 1e6)
places = st.floats(-1e6, 1e6)
pairings = st.sampled_from(PAIRINGS)
quickly = settings(max_examples=60)


def same(got: Tensor, expected: Tensor) -> None:
    """Assert equality except for the last bits, which depend on a tensor's place in memory."""
    assert got.dtype == expected.dtype
    assert_close(got, expected, rtol=0, atol=8 * torch.finfo(got.dtype).eps)


def by_hand(x: list[float], position: float, base: float, pairing: Pairing, rotary_dim: int) -> list[float]:
    """Rotate by the definition, one pair at a time, in Python's float64."""
    turned = list(x)
    for i in range(rotary_dim // 2):
        first, second = (2 * i, 2 * i + 1) if pairing == "interleaved" else (i, i + rotary_dim // 2)
        angle = position / base ** (2 * i / rotary_dim)
        turned[first] = x[first] * math.cos(angle) - x[second] * math.sin(angle)
        turned[second] = x[first] * math.sin(angle) + x[second] * math.cos(angle)
    return turned


@quickly
@given(
    position=places,
    half=st.integers(1, 8),
    rest=st.integers(0, 3),
    base=bases,
    pairing=pairings,
    data=st.data(),
)
def test_the_rotation_follows_its_definition(
    position: float, half: int, rest: int, base: float, pairing: Pairing, data: st.DataObject
) -> None:
    numbers = st.floats(-10, 10)
    x = data.draw(st.lists(numbers, min_size=2 * half + rest, max_size=2 * half + rest))
    expected = by_hand(x, position, base, pairing, 2 * half)
    where = torch.tensor([position], dtype=torch.float64)
    got = apply_rotary(torch.tensor([x], dtype=torch.float64), where, base, pairing, rotary_dim=2 * half)
    assert_close(
        got[0], torch.tensor(expected, dtype=torch.float64), rtol=0, atol=1e-13 + 1e-14 * abs(position)
    )


def test_published_numbers_of_a_small_example() -> None:
    """Three tokens of four features, half-split, as printed in a widely read annotated implementation."""
    x = torch.tensor([[1.0, 2, 3, 4], [4, 5, 6, 7], [7, 8, 9, 10]])
    expected = [[1, 2, 3, 4], [-2.8876, 4.9298, 6.6077, 7.0496], [-11.0967, 7.7984, 2.6198, 10.1580]]
    got = apply_rotary(x, torch.arange(3), pairing="half_split")
    assert [[float(f"{n:.4f}") for n in row] for row in got.tolist()] == expected


def test_published_numbers_of_the_complex_table() -> None:
    """e^{i·m·θ} for d = 4 and m = 0, 1, 2: what LLaMA's own code calls freqs_cis."""
    angles = rotary_angles(torch.arange(3), 4)
    table = torch.polar(torch.ones_like(angles), angles)
    expected = [[1, 1], [0.5403 + 0.8415j, 0.9999 + 0.0100j], [-0.4161 + 0.9093j, 0.9998 + 0.0200j]]
    # 0.9999500004 is printed as 0.9999 there, cut off and not rounded.
    assert_close(table, torch.tensor(expected, dtype=torch.complex128), rtol=0, atol=6e-5)


def test_published_numbers_of_a_rotation_in_four_dimensions() -> None:
    matrix = rotation_matrix(torch.tensor([math.pi / 6, math.pi / 3], dtype=torch.float64))
    expected = [[0.8660, -0.5, 0, 0], [0.5, 0.8660, 0, 0], [0, 0, 0.5, -0.8660], [0, 0, 0.8660, 0.5]]
    assert_close(matrix, torch.tensor(expected, dtype=torch.float64), rtol=0, atol=5e-5)


def test_published_numbers_of_scores_that_depend_on_the_distance() -> None:
    """Half-split, angles of 0° and 1° against 1° and 2°: both are one degree apart."""
    m, n = torch.deg2rad(torch.tensor([[0.0, 1.0], [1.0, 2.0]], dtype=torch.float64))
    turn_m, turn_n = rotation_matrix(m, "half_split"), rotation_matrix(n, "half_split")
    relative = rotation_matrix(n - m, "half_split")
    assert_close(turn_m.T @ turn_n, relative, rtol=0, atol=1e-15)
    near, far = 0.9998, 0.0175
    expected = [[near, 0, -far, 0], [0, near, 0, -far], [far, 0, near, 0], [0, far, 0, near]]
    assert_close(relative, torch.tensor(expected, dtype=torch.float64), rtol=0, atol=5e-5)
    q, k = torch.tensor([[1.0, 2, 3, 4], [4, 3, 2, 1]], dtype=torch.float64)
    assert f"{(turn_m @ q) @ (turn_n @ k):.4f}" == f"{q @ relative @ k:.4f}" == "20.3460"


def test_the_frequencies_fall_from_one_in_equal_ratios() -> None:
    frequencies = rotary_frequencies(8, 10000)
    assert_close(frequencies, torch.tensor([1, 0.1, 0.01, 0.001], dtype=torch.float64), rtol=1e-15, atol=0)
    assert frequencies.dtype == torch.float64


@pytest.mark.parametrize("position", [1, 1000, 10**6, -(10**6)])
def test_angles_are_right_to_the_tenth_digit_at_any_position(position: int) -> None:
    with mp.workdps(40):
        exact = [position * mpf(10000) ** (mpf(-2 * i) / 128) for i in range(64)]
        cosines = torch.tensor([float(mp.cos(angle)) for angle in exact], dtype=torch.float64)
    angles = rotary_angles(torch.tensor(position), 128)
    assert_close(angles.cos(), cosines, rtol=0, atol=2e-16 * (1 + abs(position)))


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_the_result_is_rounded_little_or_once_at_any_position(kind: torch.dtype, pairing: Pairing) -> None:
    torch.manual_seed(0)
    x, far = torch.randn(4, 50, 64).to(kind), torch.arange(10**6 - 49, 10**6 + 1)
    exact = apply_rotary(x.double(), far, pairing=pairing)
    got = apply_rotary(x, far, pairing=pairing)
    assert got.dtype == kind and got.shape == x.shape
    # float32: four roundings of numbers up to |x|. Half precisions: at most half a step of the result.
    room = 1e-15 if kind == torch.float64 else torch.finfo(kind).eps / 2
    steps = 3 if kind in (torch.float64, torch.float32) else 1.01
    assert ((got.double() - exact).abs() <= steps * room * x.double().abs().max()).all()


@quickly
@given(
    shape=st.lists(st.integers(1, 3), max_size=3), length=st.integers(1, 5), width=widths, pairing=pairings
)
def test_any_leading_axes_are_accepted(shape: list[int], length: int, width: int, pairing: Pairing) -> None:
    x, at = torch.randn(*shape, length, width).double(), torch.arange(length) + 3
    got = apply_rotary(x, at, pairing=pairing)
    flat = torch.stack([apply_rotary(each, at, pairing=pairing) for each in x.reshape(-1, length, width)])
    same(got, flat.reshape(x.shape))


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_each_sequence_may_have_its_own_positions(pairing: Pairing) -> None:
    x, at = torch.randn(3, 2, 4, 8), torch.tensor([[0, 1, 2, 3], [7, 7, 7, 7], [3, 2, 1, 0]])
    expected = torch.stack([apply_rotary(x[b], at[b], pairing=pairing) for b in range(3)])
    same(apply_rotary(x, at, pairing=pairing), expected)
    assert torch.equal(apply_rotary(x, at[:1], pairing=pairing), apply_rotary(x, at[0], pairing=pairing))
    flat = apply_rotary(x[:, 0], at, pairing=pairing)  # no axis of heads
    same(flat, expected[:, 0])
    same(apply_rotary(x[0, 0], at[:1], pairing=pairing), expected[0, 0])  # no batch either


@pytest.mark.parametrize("kind", ["uint8", "int8", "int16", "int32", "int64", "float32", "float64"])
def test_the_type_of_positions_does_not_matter(kind: str) -> None:
    x, at = torch.randn(3, 8), torch.tensor([0, 1, 100])
    assert torch.equal(apply_rotary(x, at.to(getattr(torch, kind))), apply_rotary(x, at))


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_features_past_rotary_dim_stay_untouched(pairing: Pairing) -> None:
    x, at = torch.randn(2, 3, 5, 11), torch.arange(5)
    got = apply_rotary(x, at, pairing=pairing, rotary_dim=6)
    assert torch.equal(got[..., 6:], x[..., 6:])
    same(got[..., :6], apply_rotary(x[..., :6], at, pairing=pairing))


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_strides_do_not_matter(pairing: Pairing) -> None:
    """Try heads of a projection, a slice that begins at an odd feature, features with gaps, an odd width."""
    at, wide = torch.arange(5), torch.randn(2, 5, 3, 17)
    views = [
        wide.transpose(1, 2)[..., :8],
        wide.transpose(1, 2)[..., 1:9],
        torch.randn(2, 3, 5, 18)[..., 1:9],
        wide.transpose(1, 2)[..., ::2][..., :8],
        wide[:, :, 0].expand(4, 2, 5, 17)[..., :8],
        torch.randn(8, 5).T,
    ]
    for x in views:
        same(apply_rotary(x, at, pairing=pairing), apply_rotary(x.contiguous(), at, pairing=pairing))


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_the_input_is_not_changed(pairing: Pairing) -> None:
    x = torch.randn(2, 3, 5, 8)
    before = x.clone()
    apply_rotary(x, torch.arange(5), pairing=pairing).zero_()
    assert torch.equal(x, before)
