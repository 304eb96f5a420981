"""Rotary embedding as a module, and its forms: shared tables, parts, learned angles."""

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import (
    PAIRINGS,
    Pairing,
    RotaryEncoding,
    apply_rotary,
    rotary_angles,
    rotating_in_parts,
    turn_pairs,
)
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


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("part", [1, 12])
@pytest.mark.parametrize("rotary_dim", [None, 4])
def test_first_and_second_gradients_in_parts(
    pairing: Pairing, part: int, rotary_dim: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rotating_in_parts, "PART", part)
    x = torch.randn(2, 2, 2, 6, dtype=torch.float64, requires_grad=True)
    at = torch.tensor([[0, 1], [9, 3]])

    def turn(x: Tensor) -> Tensor:
        return apply_rotary(x, at, pairing=pairing, rotary_dim=rotary_dim)

    assert torch.autograd.gradcheck(turn, x)
    assert torch.autograd.gradgradcheck(turn, x)


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_gradients_reach_angles_that_are_learned(pairing: Pairing) -> None:
    x = torch.randn(2, 3, 5, 8, dtype=torch.float64, requires_grad=True)
    angles = torch.randn(5, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x, a: turn_pairs(x, a.cos(), 2 * a.sin(), pairing), (x, angles))
    at = torch.tensor([0.5, 1.5, 3.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda at: apply_rotary(x[..., :3, :], at, pairing=pairing), at)


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_the_plain_form_and_the_form_in_parts_give_the_same_numbers(
    pairing: Pairing, kind: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plain form serves small tensors, GPUs and learned angles; here the angles are learned."""
    monkeypatch.setattr(rotating_in_parts, "PART", 100)
    torch.manual_seed(0)
    wide = torch.randn(2, 40, 3, 17).to(kind)
    views = [
        wide.transpose(1, 2),
        wide.transpose(1, 2)[..., 1:9],
        wide.transpose(1, 2)[..., ::2],
        wide[:1, :, :1].transpose(1, 2).expand(5, 3, 40, 17),
        wide[0, :, 0],
        wide[0, :, 0, :1].expand(40, 8),
    ]
    angles = rotary_angles(torch.arange(40) - 20, 6).to(torch.promote_types(kind, torch.float32))
    for x in views:
        in_parts = turn_pairs(x, angles.cos(), angles.sin(), pairing)
        plain = turn_pairs(x, angles.cos().requires_grad_(), angles.sin(), pairing).detach()
        assert in_parts.dtype == plain.dtype == kind
        assert_close(in_parts, plain, rtol=0, atol=8 * torch.finfo(kind).eps)
