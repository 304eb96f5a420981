"""Our sliding windows compared with the masks of transformers."""

from __future__ import annotations

import pytest
import torch
from transformers import masking_utils

from posenc_lessons.models import causal_mask
from posenc_lessons.models.masks import rows_in_window


@pytest.mark.parametrize("window", [1, 3, 20])
def test_a_window_counts_as_theirs_does(window: int) -> None:
    at = torch.arange(8)
    theirs = masking_utils.sliding_window_causal_mask_function(window)(0, 0, at[:, None], at)
    assert torch.equal(causal_mask(8, window=window), theirs)
    both_ways = masking_utils.sliding_window_bidirectional_overlay(window)(0, 0, at[:, None], at)
    assert torch.equal(rows_in_window(window + 1, None, 8, 8, at.device), both_ways), "theirs counts one side"
