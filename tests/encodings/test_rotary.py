"""Rotary embedding as a function: its definition, its precision at any position, and its two pairings."""

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
    RotaryEncoding,
    apply_rotary,
    convert_pairing,
    rotary_angles,
)
from posenc_lessons.models import MultiHeadAttention

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
    actual = apply_rotary(torch.tensor([x], dtype=torch.float64), where, base, pairing, rotary_dim=2 * half)
    assert_close(
        actual[0], torch.tensor(expected, dtype=torch.float64), rtol=0, atol=1e-13 + 1e-14 * abs(position)
    )


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
    actual = apply_rotary(x, far, pairing=pairing)
    assert actual.dtype == kind and actual.shape == x.shape
    # float32: four roundings of numbers up to |x|. Half precisions: at most half a step of the result.
    room = 1e-15 if kind == torch.float64 else torch.finfo(kind).eps / 2
    steps = 3 if kind in (torch.float64, torch.float32) else 1.01
    assert ((actual.double() - exact).abs() <= steps * room * x.double().abs().max()).all()


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_each_sequence_may_have_its_own_positions(pairing: Pairing) -> None:
    x, at = torch.randn(3, 2, 4, 8), torch.tensor([[0, 1, 2, 3], [7, 7, 7, 7], [3, 2, 1, 0]])
    expected = torch.stack([apply_rotary(x[b], at[b], pairing=pairing) for b in range(3)])
    same(apply_rotary(x, at, pairing=pairing), expected)
    assert torch.equal(apply_rotary(x, at[:1], pairing=pairing), apply_rotary(x, at[0], pairing=pairing))
    flat = apply_rotary(x[:, 0], at, pairing=pairing)  # no axis of heads
    same(flat, expected[:, 0])
    same(apply_rotary(x[0, 0], at[:1], pairing=pairing), expected[0, 0])  # no batch either


other: dict[Pairing, Pairing] = {"interleaved": "half_split", "half_split": "interleaved"}


@pytest.mark.parametrize("to", PAIRINGS)
def test_a_converted_attention_gives_the_same_output(to: Pairing) -> None:
    torch.manual_seed(0)
    old = MultiHeadAttention(24, 3, RotaryEncoding(8, pairing=other[to])).double()
    new = MultiHeadAttention(24, 3, RotaryEncoding(8, pairing=to)).double()
    new.load_state_dict(old.state_dict())
    x = torch.randn(2, 9, 24).double()
    expected = old(x)
    assert (new(x) - expected).abs().max() > 1e-3, "weights run with the wrong pairing go unnoticed"
    with torch.no_grad():
        for layer in (new.w_query, new.w_key):
            layer.weight.copy_(convert_pairing(layer.weight, 3, to))
            layer.bias.copy_(convert_pairing(layer.bias, 3, to))
    assert_close(new(x), expected, rtol=0, atol=1e-14)
