"""Our slopes and penalties compared with BLOOM's, MPT's and x-transformers'."""

from __future__ import annotations

import math
import warnings

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close
from transformers.models.bloom import modeling_bloom as bloom
from transformers.models.mpt import modeling_mpt as mpt

from posenc_lessons.encodings import ALiBi, alibi_slopes
from posenc_lessons.models import causal_mask

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it still imports torch.jit.script
    from x_transformers import x_transformers

COUNTS = [1, 2, 3, 6, 8, 12, 16, 20, 25, 32, 71, 112]


@pytest.mark.parametrize("n_heads", COUNTS)
def test_slopes_equal_those_of_bloom_and_mpt(n_heads: int) -> None:
    """Powers computed in float32 differ from ours in its last bits."""
    slopes = alibi_slopes(n_heads).float()
    by_key = bloom.build_alibi_tensor(torch.ones(1, 2), n_heads, torch.float32)[:, 0, 1]  # slope · 1
    assert_close(by_key, slopes, rtol=1e-6, atol=0)
    assert_close(x_transformers.AlibiPositionalBias(n_heads).slopes.flatten(), slopes, rtol=1e-6, atol=0)
    assert_close(-mpt.build_mpt_alibi_tensor(n_heads, 2)[:, 0, 0], slopes, rtol=1e-6, atol=0)


@pytest.mark.parametrize("n_heads", COUNTS)
def test_x_transformers_penalty_equals_ours_in_both_directions(n_heads: int) -> None:
    theirs = x_transformers.AlibiPositionalBias(n_heads)
    query, keys = torch.zeros(1, n_heads, 40, 8), torch.arange(200)
    ours = ALiBi(n_heads).score_bias(query, query, keys[-40:], keys, None)
    assert_close(ours, theirs(40, 200), rtol=1e-6, atol=0)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("n_heads", "least", "most"), [(4, 1e-7, 2e-6), (12, 1e-6, 2e-5)])
def test_penalties_by_key_only_give_the_same_weights_less_exactly(
    n_heads: int, least: float, most: float, causal: bool
) -> None:
    """They add slope · j, not slope · (j − i). Rows differ by a constant, which softmax ignores.

    But theirs grow with the position, so rounding errors do too: at key 200, float32 weights are off by 6e-7
    (4 heads) and 5e-6 (12 heads, with steeper slopes), ours by 8e-8 and 2e-7.
    """
    torch.manual_seed(0)
    at, scores, mask = torch.arange(200), torch.randn(n_heads, 200, 200), causal_mask(200)

    def penalties(kind: torch.dtype) -> Tensor:
        query = torch.zeros(1, n_heads, 200, 8, dtype=kind)
        return ALiBi(n_heads, signed=causal).score_bias(query, query, at, at, None)

    def weights(bias: Tensor) -> Tensor:
        return (scores.to(bias.dtype) + bias).masked_fill(~mask, -math.inf).softmax(dim=-1).double()

    exact = weights(penalties(torch.float64))
    for theirs in (
        bloom.build_alibi_tensor(torch.ones(1, 200), n_heads, torch.float32),
        mpt.build_mpt_alibi_tensor(n_heads, 200),
    ):
        assert least < (weights(theirs) - exact).abs().max() < most
    assert (weights(penalties(torch.float32)) - exact).abs().max() < 5e-7
