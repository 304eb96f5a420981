"""Queries are scaled by their position; keys are not."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from posenc_lessons.encodings import LogTemperature, PowerTemperature, QueryTemperature

# At position p: Llama 4's staircase, Beam's curve, Inkling 2's logarithm from its floor.
RELEASED = [
    (0, 1, 1.000049, 1),
    (8190, 1, 1.174607, 1),
    (8191, 1.069315, 1.174619, 1),
    (16383, 1.109861, 1.245731, 1),
    (131071, 1.283321, 1.518068, 1.002372),
    (1048575, 1.485981, 1.866430, 1.210316),
]


@pytest.mark.parametrize(("position", "llama_4", "beam", "inkling_2"), RELEASED)
def test_numbers_of_released_models(position: int, llama_4: float, beam: float, inkling_2: float) -> None:
    x, at = torch.randn(1, 2, 1, 4).double(), torch.tensor([position])
    for encoding, times in (
        (QueryTemperature(), llama_4),
        (PowerTemperature(), beam),
        (LogTemperature(), inkling_2),
    ):
        assert_close(encoding.turn(x, at), x * times, rtol=1e-6, atol=0)
        assert torch.equal(encoding.turn(x, at, "key"), x)


def test_each_sequence_of_a_batch_has_its_own_positions() -> None:
    x, at = torch.ones(2, 3, 2, 4), torch.tensor([[0, 1], [2, 3]])
    actual = QueryTemperature(1.0, 2).turn(x, at)
    expected = 1 + torch.tensor([[0.0, 1.0], [1.0, 2.0]]).log1p()
    assert_close(actual, expected[:, None, :, None].expand_as(x))
    later = QueryTemperature(1.0, 1, plus=0).turn(x, at)  # as Ministral 3 counts: nothing at position 0
    assert_close(later, (1 + at.float().log1p())[:, None, :, None].expand_as(x))
