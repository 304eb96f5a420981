"""Our xPos compared with rotary-embedding-torch and x-transformers, which count factors from the middle."""

from __future__ import annotations

import warnings

import pytest
import torch
from torch.testing import assert_close

from posenc_lessons.encodings import XPos

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # they still import torch.jit.script
    import rotary_embedding_torch
    from x_transformers import x_transformers

WIDTH, LENGTH = 16, 60


@pytest.mark.parametrize("scale_base", [512, 40])
def test_the_scores_are_equal(scale_base: int) -> None:
    """The middle cancels in a score. They count from it; ours counts from 0, so that a cache stays valid."""
    torch.manual_seed(0)
    q, k = torch.randn(2, 1, 2, LENGTH, WIDTH)
    at, ours = torch.arange(LENGTH), XPos(WIDTH, scale_base=scale_base)
    scores = ours.turn(q, at, "query") @ ours.turn(k, at, "key").mT
    lucidrains = rotary_embedding_torch.RotaryEmbedding(WIDTH, use_xpos=True, xpos_scale_base=scale_base)
    q_turned, k_turned = lucidrains.rotate_queries_and_keys(q, k)
    assert_close(scores, q_turned @ k_turned.mT, rtol=1e-4, atol=1e-4)
    angles, scale = x_transformers.RotaryEmbedding(WIDTH, use_xpos=True, scale_base=scale_base)(at)
    q_turned = x_transformers.apply_rotary_pos_emb(q, angles, scale)
    k_turned = x_transformers.apply_rotary_pos_emb(k, angles, scale**-1)
    assert_close(scores, q_turned @ k_turned.mT, rtol=1e-4, atol=1e-4)


def test_a_query_equals_theirs_except_for_the_middle() -> None:
    torch.manual_seed(0)
    x, at = torch.randn(1, 2, LENGTH, WIDTH), torch.arange(LENGTH)
    theirs = rotary_embedding_torch.RotaryEmbedding(WIDTH, use_xpos=True)
    expected, _ = theirs.rotate_queries_and_keys(x, x)
    centre = theirs.scale.repeat_interleave(2) ** (LENGTH // 2 / 512)
    assert_close(XPos(WIDTH).turn(x, at) / centre, expected, rtol=1e-5, atol=1e-5)
