"""The four forms of rotary embedding (matrix, element by element, complex, attention's fused kernel) give the
same numbers and gradients as each form of our code."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import (
    PAIRINGS,
    Pairing,
    apply_rotary,
    rotary_angles,
    rotating_in_parts,
    turn_pairs,
)


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
