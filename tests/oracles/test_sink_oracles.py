"""A learned sink as in gpt-oss, whose released code transformers carries."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from posenc_lessons.encodings import PositionEncoding
from posenc_lessons.models import SinkAttention

gpt_oss = pytest.importorskip("transformers.models.gpt_oss.modeling_gpt_oss")


@torch.no_grad()
def test_weights_and_heads_are_those_of_gpt_oss() -> None:
    torch.manual_seed(0)
    mine = SinkAttention(16, 4, PositionEncoding(), n_kv_heads=2).eval()
    mine.sink.copy_(torch.randn(4))
    x = torch.randn(2, 6, 16)
    out, weights = mine(x, need_weights=True, causal=True)

    theirs = SimpleNamespace(num_key_value_groups=2, sinks=mine.sink, training=False)
    query, key, value = (
        project(x).unflatten(-1, (-1, 4)).transpose(1, 2)
        for project in (mine.w_query, mine.w_key, mine.w_value)
    )
    hidden = torch.full((6, 6), -torch.inf).triu(1)[None, None]
    heads, their_weights = gpt_oss.eager_attention_forward(theirs, query, key, value, hidden, scaling=0.5)
    torch.testing.assert_close(weights, their_weights)
    torch.testing.assert_close(out, mine.w_out(heads.flatten(2)))
