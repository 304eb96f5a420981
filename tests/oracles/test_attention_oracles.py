"""A layer of a Llama in transformers and ours with the same weights and grouped heads."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close
from transformers import LlamaConfig
from transformers.models.llama import modeling_llama as llama

from posenc_lessons.encodings import RotaryEncoding
from posenc_lessons.models import KeyValueCache, MultiHeadAttention, causal_mask

D_MODEL, N_HEADS, LENGTH = 48, 6, 9
LAYERS = {"w_query": "q_proj", "w_key": "k_proj", "w_value": "v_proj", "w_out": "o_proj"}


def llama_layer(n_kv_heads: int, d_head: int) -> tuple[llama.LlamaAttention, LlamaConfig]:
    config = LlamaConfig(
        hidden_size=D_MODEL,
        num_attention_heads=N_HEADS,
        num_key_value_heads=n_kv_heads,
        head_dim=d_head,
        attn_implementation="eager",
    )
    return llama.LlamaAttention(config, layer_idx=0).double().eval(), config


def loaded(theirs: llama.LlamaAttention, n_kv_heads: int, d_head: int) -> MultiHeadAttention:
    rotary = RotaryEncoding(d_head, pairing="half_split")
    ours = MultiHeadAttention(
        D_MODEL, N_HEADS, rotary, n_kv_heads=n_kv_heads, d_head=d_head, bias=False
    ).double()
    state = theirs.state_dict()
    ours.load_state_dict({f"{mine}.weight": state[f"{name}.weight"] for mine, name in LAYERS.items()})
    return ours.eval()


@pytest.mark.parametrize(("n_kv_heads", "d_head"), [(6, 8), (2, 8), (1, 8), (2, 12)])
def test_a_llama_layer_with_its_own_weights(n_kv_heads: int, d_head: int) -> None:
    """Its angles are float32's: off by 5e-7 or so at nine tokens."""
    torch.manual_seed(0)
    theirs, config = llama_layer(n_kv_heads, d_head)
    ours, x = loaded(theirs, n_kv_heads, d_head), torch.randn(2, LENGTH, D_MODEL).double()
    hidden = torch.zeros(LENGTH, LENGTH).double().masked_fill(~causal_mask(LENGTH), float("-inf"))
    cos_sin = llama.LlamaRotaryEmbedding(config)(x, torch.arange(LENGTH)[None])
    expected, weights = theirs(x, position_embeddings=cos_sin, attention_mask=hidden[None, None])

    assert_close(ours(x, causal=True), expected, rtol=0, atol=1e-6)
    actual, shares = ours(x, causal=True, need_weights=True)
    assert_close(actual, expected, rtol=0, atol=1e-6)
    assert_close(shares, weights, rtol=0, atol=1e-6)

    cache = KeyValueCache()
    steps: list[Tensor] = [ours(x[:, n : n + 1], causal=True, cache=cache) for n in range(LENGTH)]
    assert_close(torch.cat(steps, dim=1), expected, rtol=0, atol=1e-6)
    assert cache.keys is not None and cache.keys.shape == (2, n_kv_heads, LENGTH, d_head)
