"""Latent attention compared with transformers' DeepSeek V3."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch.testing import assert_close
from transformers.models.deepseek_v3 import DeepseekV3Config
from transformers.models.deepseek_v3 import modeling_deepseek_v3 as v3

from posenc_lessons.encodings import ContextExtension, RotaryEncoding
from posenc_lessons.models import LatentAttention, causal_mask

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
