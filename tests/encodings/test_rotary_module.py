"""Rotary embedding as a module: tables that layers share give the right numbers after any change."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from posenc_lessons.encodings import PAIRINGS, Pairing, RotaryEncoding, apply_rotary, rotary_angles
from posenc_lessons.encodings.pairing import pair_indices
from posenc_lessons.encodings.positions import known_positions


def heads(length: int, width: int = 8, kind: torch.dtype = torch.float32, batch: int = 2) -> torch.Tensor:
    return torch.randn(batch, 3, length, width).to(kind)


def test_layers_share_tables_only_if_all_settings_are_the_same() -> None:
    encoding, x, at = RotaryEncoding(8), heads(5, kind=torch.float64), known_positions(torch.arange(5) + 100)
    for kind in (torch.bfloat16, torch.float32, torch.float64, torch.float16):
        assert torch.equal(encoding.turn(x.to(kind), at), apply_rotary(x.to(kind), at))
    encoding.base = 500.0
    assert torch.equal(encoding.turn(x, at), apply_rotary(x, at, 500.0))
    encoding.pairing = "half_split"
    assert torch.equal(encoding.turn(x, at), apply_rotary(x, at, 500.0, "half_split"))
    encoding.rotary_dim = 4
    assert torch.equal(encoding.turn(x, at), apply_rotary(x, at, 500.0, "half_split", 4))
    assert torch.equal(RotaryEncoding(8).turn(x, at), apply_rotary(x, at))


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_tables_made_in_inference_mode_do_not_reach_training(pairing: Pairing) -> None:
    encoding, x = RotaryEncoding(8, pairing=pairing), heads(5).requires_grad_()
    at = known_positions(torch.arange(5))
    with torch.inference_mode():
        encoding.turn(x, at)
    (gradient,) = torch.autograd.grad(encoding.turn(x, at).square().sum(), x)
    assert_close(gradient, 2 * x.detach())


def test_turning_pairs_limits_rotation_to_the_fastest_pairs() -> None:
    """In Gemma 4's "proportional", the divisor of the exponent and the pairs are those of the whole head."""
    x, at = torch.randn(1, 2, 5, 12), torch.arange(5)
    for pairing in PAIRINGS:
        whole = RotaryEncoding(12, pairing=pairing).turn(x, at)
        actual = RotaryEncoding(12, pairing=pairing, turning_pairs=2).turn(x, at)
        first, second = pair_indices(6, pairing)
        turning = torch.cat((first[:2], second[:2]))
        assert torch.equal(actual[..., turning], whole[..., turning])
        still = torch.cat((first[2:], second[2:]))
        assert torch.equal(actual[..., still], x[..., still])
    angles = rotary_angles(torch.tensor([1]), 512, 1e6, turning_pairs=64)[0]
    assert_close(angles[[1, 2, 63]], torch.tensor([0.94746351, 0.89768714, 0.03337625]).double())
    assert not angles[64:].any()
