"""Our buckets and biases compared with T5 in transformers."""

from __future__ import annotations

import math

import pytest
import torch
from torch.testing import assert_close
from transformers import T5Config
from transformers.models.t5 import modeling_t5 as t5

from posenc_lessons.encodings import T5RelativeBias, t5_buckets
from posenc_lessons.models import MultiHeadAttention, causal_mask

WIDTH, HEADS = 32, 4
SIZES = [(32, 128), (64, 256), (8, 20), (32, 1000), (6, 9)]


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(("n_buckets", "max_distance"), SIZES)
def test_the_same_bucket_for_every_distance(n_buckets: int, max_distance: int, bidirectional: bool) -> None:
    """Theirs use float32 logarithms, ours use whole numbers; they agree for every distance up to 20,000."""
    distances = torch.arange(-20_000, 20_001)
    ours = t5_buckets(distances, n_buckets, max_distance, bidirectional)
    theirs = t5.T5Attention._relative_position_bucket(distances, bidirectional, n_buckets, max_distance)
    assert torch.equal(ours, theirs)


@pytest.mark.parametrize("decoder", [False, True])
def test_a_t5_layer(decoder: bool) -> None:
    """T5 does not divide scores by √d_head, so its query weights are multiplied by it here."""
    torch.manual_seed(0)
    config = T5Config(
        d_model=WIDTH, d_kv=WIDTH // HEADS, num_heads=HEADS, is_decoder=decoder, attn_implementation="eager"
    )
    theirs = t5.T5Attention(config, has_relative_attention_bias=True, layer_idx=0).double().eval()
    encoding = T5RelativeBias(HEADS, bidirectional=not decoder)
    ours = MultiHeadAttention(WIDTH, HEADS, encoding).double().eval()
    with torch.no_grad():
        own = (ours.w_query, ours.w_key, ours.w_value, ours.w_out)
        for mine, layer in zip(own, (theirs.q, theirs.k, theirs.v, theirs.o), strict=True):
            mine.weight.copy_(layer.weight)
            mine.bias.zero_()
        ours.w_query.weight.mul_(math.sqrt(WIDTH // HEADS))
        encoding.table.copy_(theirs.relative_attention_bias.weight)
    x = torch.randn(2, 150, WIDTH).double()
    mask = causal_mask(150) if decoder else None
    hidden = torch.zeros(150, 150).double()
    if mask is not None:
        hidden = hidden.masked_fill(~mask, float("-inf"))
    expected = theirs(x, mask=hidden[None, None])[0]
    assert_close(ours(x, mask=mask), expected, rtol=0, atol=1e-12)
    assert_close(ours(x, mask=mask, need_weights=True)[0], expected, rtol=0, atol=1e-12)
