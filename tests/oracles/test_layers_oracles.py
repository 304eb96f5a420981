"""Layers of attention in transformers and ours, with the same weights: Llama, VITS (Shaw), T5."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close
from transformers import LlamaConfig, T5Config, VitsConfig
from transformers.models.llama import modeling_llama as llama
from transformers.models.t5 import modeling_t5 as t5
from transformers.models.vits import modeling_vits as vits

from posenc_lessons.encodings import (
    PositionEncoding,
    RotaryEncoding,
    ShawRelative,
    T5RelativeBias,
    t5_buckets,
)
from posenc_lessons.models import KeyValueCache, MultiHeadAttention, causal_mask


def attention_from(
    layers: Sequence[nn.Linear], n_heads: int, encoding: PositionEncoding, **sizes: Any
) -> MultiHeadAttention:
    """Return our attention with these weights of queries, keys, values and output."""
    width, bias = layers[0].in_features, layers[0].bias is not None
    ours = MultiHeadAttention(width, n_heads, encoding, bias=bias, **sizes).double().eval()
    for mine, theirs in zip((ours.w_query, ours.w_key, ours.w_value, ours.w_out), layers, strict=True):
        mine.load_state_dict(theirs.state_dict())
    return ours


def hiding(length: int) -> Tensor:
    """Return the causal mask as their layers take it: 0 where a query may look, −inf elsewhere."""
    return torch.zeros(length, length).double().masked_fill(~causal_mask(length), -math.inf)


@pytest.mark.parametrize(("n_kv_heads", "d_head"), [(6, 8), (2, 8), (1, 8), (2, 12)])
def test_a_llama_layer_of_grouped_heads(n_kv_heads: int, d_head: int) -> None:
    """Its angles are float32's: off by 5e-7 or so at nine tokens."""
    torch.manual_seed(0)
    sizes = {"hidden_size": 48, "num_attention_heads": 6, "num_key_value_heads": n_kv_heads}
    config = LlamaConfig(**sizes, head_dim=d_head, attn_implementation="eager")
    theirs = llama.LlamaAttention(config, layer_idx=0).double().eval()
    layers = (theirs.q_proj, theirs.k_proj, theirs.v_proj, theirs.o_proj)
    rotary = RotaryEncoding(d_head, pairing="half_split")
    ours = attention_from(layers, 6, rotary, n_kv_heads=n_kv_heads, d_head=d_head)
    x = torch.randn(2, 9, 48).double()
    cos_sin = llama.LlamaRotaryEmbedding(config)(x, torch.arange(9)[None])
    expected, weights = theirs(x, position_embeddings=cos_sin, attention_mask=hiding(9)[None, None])

    assert_close(ours(x, causal=True), expected, rtol=0, atol=1e-6)
    actual, shares = ours(x, causal=True, need_weights=True)
    assert_close(actual, expected, rtol=0, atol=1e-6)
    assert_close(shares, weights, rtol=0, atol=1e-6)

    cache = KeyValueCache()
    steps: list[Tensor] = [ours(x[:, n : n + 1], causal=True, cache=cache) for n in range(9)]
    assert_close(torch.cat(steps, dim=1), expected, rtol=0, atol=1e-6)
    assert cache.keys is not None and cache.keys.shape == (2, n_kv_heads, 9, d_head)


@pytest.mark.parametrize("length", [1, 4, 9])
def test_vits_has_vectors_for_keys_and_values(length: int) -> None:
    """It shifts rows by padding and reshaping; ours gathers and scatters.

    Beyond its window it adds nothing, but the paper (and ours) adds the outermost vector, so the window here
    covers the whole sequence.
    """
    torch.manual_seed(0)
    theirs = (
        vits.VitsAttention(VitsConfig(hidden_size=32, num_attention_heads=2, window_size=8)).double().eval()
    )
    encoding = ShawRelative(16, max_distance=8)
    ours = attention_from((theirs.q_proj, theirs.k_proj, theirs.v_proj, theirs.out_proj), 2, encoding)
    assert encoding.key_table is not None and encoding.value_table is not None
    with torch.no_grad():
        encoding.key_table.copy_(theirs.emb_rel_k[0])
        encoding.value_table.copy_(theirs.emb_rel_v[0])
    x = torch.randn(2, length, 32).double()
    expected, weights = theirs(x, output_attentions=True)
    actual, shares = ours(x, need_weights=True)
    assert_close(actual, expected, rtol=0, atol=1e-13)
    assert_close(shares, weights, rtol=0, atol=1e-14)


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(("n_buckets", "max_distance"), [(32, 128), (64, 256), (8, 20), (32, 1000), (6, 9)])
def test_t5_has_the_same_bucket_for_every_distance(
    n_buckets: int, max_distance: int, bidirectional: bool
) -> None:
    """Theirs use float32 logarithms, ours use whole numbers; they agree for every distance up to 20,000."""
    distances = torch.arange(-20_000, 20_001)
    ours = t5_buckets(distances, n_buckets, max_distance, bidirectional)
    theirs = t5.T5Attention._relative_position_bucket(distances, bidirectional, n_buckets, max_distance)
    assert torch.equal(ours, theirs)


@pytest.mark.parametrize("decoder", [False, True])
def test_a_t5_layer(decoder: bool) -> None:
    """T5 does not divide scores by √d_head, so its query weights are multiplied by it here."""
    torch.manual_seed(0)
    config = T5Config(d_model=32, d_kv=8, num_heads=4, is_decoder=decoder, attn_implementation="eager")
    theirs = t5.T5Attention(config, has_relative_attention_bias=True, layer_idx=0).double().eval()
    encoding = T5RelativeBias(4, bidirectional=not decoder)
    ours = attention_from((theirs.q, theirs.k, theirs.v, theirs.o), 4, encoding)
    ours.w_query.weight.data.mul_(math.sqrt(8))
    encoding.table.data.copy_(theirs.relative_attention_bias.weight)
    x, mask = torch.randn(2, 150, 32).double(), causal_mask(150) if decoder else None
    expected = theirs(x, mask=(hiding(150) if decoder else torch.zeros(150, 150).double())[None, None])[0]
    assert_close(ours(x, mask=mask), expected, rtol=0, atol=1e-12)
    assert_close(ours(x, mask=mask, need_weights=True)[0], expected, rtol=0, atol=1e-12)
