"""ALiBi: the paper's slopes for any number of heads, and a penalty that grows in a straight line."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import ALiBi, alibi_bias, alibi_slopes


def papers_slopes(n_heads: int) -> list[float]:
    """Return the slopes by the paper's recipe: those of a power of two, or borrowed from twice as many."""
    if math.log2(n_heads).is_integer():
        return [2 ** (-8 / n_heads * (i + 1)) for i in range(n_heads)]
    below = 2 ** math.floor(math.log2(n_heads))
    return papers_slopes(below) + papers_slopes(2 * below)[0::2][: n_heads - below]


@pytest.mark.parametrize("n_heads", [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 20, 25, 32, 40, 71, 112, 128])
def test_slopes_follow_the_papers_recipe(n_heads: int) -> None:
    slopes = alibi_slopes(n_heads)
    assert slopes.dtype == torch.float64
    expected = torch.tensor(papers_slopes(n_heads), dtype=torch.float64)
    assert_close(slopes, expected, rtol=1e-14, atol=0)


def bias(encoding: ALiBi, queries: Tensor, keys: Tensor, kind: torch.dtype = torch.float32) -> Tensor:
    length = queries.shape[-1]
    query = torch.zeros(2, encoding.n_heads, length, 4, dtype=kind)
    return encoding.score_bias(query, query, queries, keys, None)


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_converting_the_model_does_not_round_the_slopes(kind: torch.dtype) -> None:
    encoding, at = ALiBi(12).to(kind), torch.arange(3) * 1000
    actual = bias(encoding, at, at, kind)
    assert actual.dtype == torch.promote_types(kind, torch.float32)
    exact = -alibi_slopes(12)[:, None, None] * (at - at[:, None]).abs()
    assert_close(actual.double(), exact, rtol=1e-6, atol=0)


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("signed", [False, True])
def test_a_bias_has_the_requested_dtype(kind: torch.dtype, signed: bool) -> None:
    at = torch.arange(4, dtype=torch.float64) / 2
    actual = alibi_bias(2, at, at, signed, dtype=kind)
    ahead = at - at[:, None] if signed else -(at - at[:, None]).abs()
    assert_close(actual, (alibi_slopes(2)[:, None, None] * ahead).to(kind), rtol=0, atol=0)
