"""ALiBi: the paper's slopes for any number of heads, and a penalty that grows in a straight line."""

from __future__ import annotations

import math

import pytest
import torch
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


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("signed", [False, True])
def test_a_bias_is_rounded_once(kind: torch.dtype, signed: bool) -> None:
    at = torch.arange(4, dtype=torch.float64) * 500.5
    ahead = at - at[:, None] if signed else -(at - at[:, None]).abs()
    exact = alibi_slopes(12)[:, None, None] * ahead
    assert_close(alibi_bias(12, at, at, signed, dtype=kind).double(), exact, rtol=2**-7, atol=0)
    query = torch.zeros(2, 12, 4, 4, dtype=kind)
    actual = ALiBi(12, signed).to(kind).score_bias(query, query, at, at, None)
    assert actual.dtype == torch.promote_types(kind, torch.float32)
    assert_close(actual.double(), exact, rtol=1e-6, atol=0)
