"""Layers of attention in transformers and ours with the same weights: Llama, VITS, T5, DeepSeek V3."""

import math
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close
from transformers import LlamaConfig, T5Config, VitsConfig
from transformers.models.deepseek_v3 import DeepseekV3Config
from transformers.models.deepseek_v3 import modeling_deepseek_v3 as v3
from transformers.models.llama import modeling_llama as llama
from transformers.models.t5 import modeling_t5 as t5
from transformers.models.vits import modeling_vits as vits

from posenc_lessons.encodings import (
    ContextExtension,
    PositionEncoding,
    RotaryEncoding,
    ShawRelative,
    T5RelativeBias,
    t5_buckets,
)
from posenc_lessons.models import KeyValueCache, LatentAttention, MultiHeadAttention, causal_mask


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


WIDTH, HEADS, LENGTH = 32, 4, 12
YARN = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 40.0, "original_max_position_embeddings": 64}
YARN |= {"beta_fast": 32, "beta_slow": 1}


def config(**other: Any) -> DeepseekV3Config:
    sizes = {"hidden_size": WIDTH, "num_attention_heads": HEADS, "num_key_value_heads": HEADS}
    sizes |= {"kv_lora_rank": 10, "qk_nope_head_dim": 8, "qk_rope_head_dim": 6, "v_head_dim": 8}
    built = DeepseekV3Config(**{"q_lora_rank": None} | sizes | other)
    built._attn_implementation = "eager"
    return built


def ours_with(theirs: v3.DeepseekV3Attention, rotary: RotaryEncoding) -> LatentAttention:
    """Return latent attention with the weights of ``theirs``."""
    c = theirs.config
    ours = LatentAttention(
        WIDTH,
        HEADS,
        c.kv_lora_rank,
        c.qk_nope_head_dim,
        c.qk_rope_head_dim,
        rotary,
        scale=theirs.scaling,
    )
    latent, key = theirs.kv_a_proj_with_mqa.weight.split((c.kv_lora_rank, c.qk_rope_head_dim))
    both = theirs.kv_b_proj.weight.unflatten(0, (HEADS, -1))
    keys, values = both.split((c.qk_nope_head_dim, c.v_head_dim), dim=1)
    weights = {
        "w_latent.weight": latent,
        "w_rotary_key.weight": key,
        "latent_norm.weight": theirs.kv_a_layernorm.weight,
        "w_key.weight": keys.flatten(0, 1),
        "w_value.weight": values.flatten(0, 1),
        "w_out.weight": theirs.o_proj.weight,
        "w_query.weight": theirs.q_proj.weight,
    }
    ours.load_state_dict(weights)
    return ours.double()


@pytest.mark.parametrize("mscale", [None, 0.707, 1.0])
def test_deepseek_v3s_attention(mscale: float | None) -> None:
    """With YaRN the two mscales are equal: cosine and sine have the factor 1, the whole score mscale²."""
    torch.manual_seed(0)
    extension, rope = None, {}
    if mscale is not None:
        rope = {"rope_parameters": YARN | {"mscale": mscale, "mscale_all_dim": mscale}}
        extension = ContextExtension("yarn", 40, 64, attention_scale=1.0)
    built = config(**rope)
    theirs = v3.DeepseekV3Attention(built, 0)
    for weight in theirs.parameters():
        torch.nn.init.normal_(weight, std=0.3)
    ours = ours_with(theirs, RotaryEncoding(6, extension=extension))
    if mscale is not None:
        factor = 0.1 * mscale * math.log(40) + 1
        assert ours.scale == pytest.approx(factor**2 / math.sqrt(14))
    x, at = torch.randn(2, LENGTH, WIDTH), torch.arange(LENGTH) + 50
    cos_sin = v3.DeepseekV3RotaryEmbedding(built)(x, at.expand(2, -1))
    hidden = torch.zeros(LENGTH, LENGTH).masked_fill(~causal_mask(LENGTH), -math.inf)
    with torch.no_grad():
        expected = theirs(x, cos_sin, hidden)[0]
        for absorbed in (False, True):
            how = {"query_positions": at, "causal": True, "absorbed": absorbed}
            for actual in (ours(x.double(), **how), ours(x.double(), **how, need_weights=True)[0]):
                assert_close(actual.float(), expected, rtol=1e-4, atol=1e-4)
