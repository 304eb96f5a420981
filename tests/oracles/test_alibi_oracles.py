"""Our penalties compared with those of x-transformers."""

from __future__ import annotations

import warnings

import pytest
import torch
from torch.testing import assert_close

from posenc_lessons.encodings import ALiBi

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it still imports torch.jit.script
    from x_transformers import x_transformers

COUNTS = [1, 2, 3, 6, 8, 12, 25, 112]


@pytest.mark.parametrize("n_heads", COUNTS)
def test_x_transformers_penalty_equals_ours_in_both_directions(n_heads: int) -> None:
    theirs = x_transformers.AlibiPositionalBias(n_heads)
    query, keys = torch.zeros(1, n_heads, 40, 8), torch.arange(200)
    ours = ALiBi(n_heads).score_bias(query, query, keys[-40:], keys, None)
    assert_close(ours, theirs(40, 200), rtol=1e-6, atol=0)
