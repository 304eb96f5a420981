"""Our slopes and penalties compared with BLOOM's, MPT's and x-transformers'."""

from __future__ import annotations

import warnings

import pytest
import torch
from torch.testing import assert_close
from transformers.models.bloom import modeling_bloom as bloom
from transformers.models.mpt import modeling_mpt as mpt

from posenc_lessons.encodings import ALiBi, alibi_slopes

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
