"""Queries that grow longer with their position, keys that do not."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from posenc_lessons.encodings import QueryTemperature


@pytest.mark.parametrize(
    ("position", "times"),
    [(0, 1), (8190, 1), (8191, 1.069315), (16383, 1.109861), (131071, 1.283321), (1048575, 1.485981)],
)
def test_llama_4s_numbers(position: int, times: float) -> None:
    x, at = torch.randn(1, 2, 1, 4).double(), torch.tensor([position])
    assert_close(QueryTemperature().turn(x, at), x * times, rtol=1e-6, atol=0)
    assert torch.equal(QueryTemperature().turn(x, at, "key"), x)


def test_each_sequence_of_a_batch_has_its_own_positions() -> None:
    x, at = torch.ones(2, 3, 2, 4), torch.tensor([[0, 1], [2, 3]])
    got = QueryTemperature(1.0, 2).turn(x, at)
    expected = 1 + torch.tensor([[0.0, 1.0], [1.0, 2.0]]).log1p()
    assert_close(got, expected[:, None, :, None].expand_as(x))
