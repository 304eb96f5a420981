"""Rotations from a configuration compared with transformers' models from the same one. Small models run, and
the queries and keys of every layer are compared."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close
from transformers import AutoModel
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from posenc_lessons.encodings import PositionEncoding, QueryTemperature, RotaryEncoding, encoding_from_config
from posenc_lessons.encodings.config import read_config
from tests.encodings.released import released
from tests.oracles.small_models import LAYERS, LENGTH, NEAR, SMALL, class_of, model

IN_THE_WAY = ("quantization_config", "auto_map", "torch_dtype", "dtype")
MOE = {"num_local_experts": 2, "num_experts_per_tok": 1}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}


def text_of(name: str) -> dict[str, Any]:
    """Return a released configuration with small sizes and all its settings about positions."""
    config = released(name)
    head = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    config |= SMALL
    if "qk_rope_head_dim" not in config:
        config |= {"hidden_size": 4 * head, "num_key_value_heads": 4}
    for key in ("layer_types", "no_rope_layers"):
        if key in config:
            config[key] = config[key][:LAYERS]
    return {key: value for key, value in config.items() if key not in IN_THE_WAY}


LONGROPE = {
    "type": "longrope",
    "short_factor": [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 2.0],
    "long_factor": [1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 9.0, 9.5],
}
DEEPSEEK = text_of("deepseek-v3") | {"num_key_value_heads": 4, "first_k_dense_replace": 99}
DEEPSEEK |= {"q_lora_rank": 16, "kv_lora_rank": 8, "qk_nope_head_dim": 8, "v_head_dim": 8}
DEEPSEEK |= {"n_routed_experts": 4, "n_group": 1, "topk_group": 1, "num_experts_per_tok": 2}
LLAMA_4 = {**released("llama-4-scout")["text_config"], **SMALL, "num_key_value_heads": 4, "moe_layers": []}
del LLAMA_4["torch_dtype"]
LLAMA_4 |= {"no_rope_layers": [1, 1, 1, 0], "head_dim": 16, "intermediate_size_mlp": 32, "use_qk_norm": False}
LLAMA_4["attn_temperature_tuning"] = True  # the file says 4, which this transformers refuses
PHI_3 = text_of("phi-3-128k")
PHI_3["rope_scaling"]["type"] = "longrope"  # the file says "su", which this transformers cannot handle
GEMMA_4 = {"head_dim": 16, "global_head_dim": 32}
GEMMA_4 |= {"vocab_size_per_layer_input": 40, "hidden_size_per_layer_input": 0}

ROTARY: dict[str, dict[str, Any]] = {
    "GPT-NeoX": model("gpt_neox", rotary_pct=0.25, rotary_emb_base=5000),
    "GPT-NeoX, new keys": model(
        "gpt_neox",
        rope_parameters={"rope_type": "default", "rope_theta": 5000.0, "partial_rotary_factor": 0.5},
    ),
    "GPT-NeoX, nothing said": model("gpt_neox", hidden_size=128),
    "Phi": text_of("phi-1"),
    "Phi, nothing said": model("phi"),
    "Llama 2": model("llama"),
    "Llama 2, linear": model("llama", rope_scaling={"type": "linear", "factor": 4.0}),
    "Llama 2, dynamic": model(
        "llama", max_position_embeddings=16, rope_scaling={"type": "dynamic", "factor": 2.0}
    ),
    "Llama 3": model("llama", rope_theta=500000.0),
    "Llama 3.1": text_of("llama-3.1-8b-instruct"),
    "Qwen 2.5": text_of("qwen2.5-7b-instruct"),
    "Qwen 2.5, YaRN": {**text_of("qwen2.5-7b-instruct"), "rope_scaling": YARN},
    "Qwen 3, YaRN, scale given": model("qwen3", head_dim=16, rope_scaling={**YARN, "attention_factor": 0.9}),
    "Mistral": text_of("mistral-7b-instruct-v0.3"),
    "Mixtral": model("mixtral", **MOE),
    "Gemma": model("gemma", head_dim=32),
    "Gemma 2": model("gemma2", head_dim=32),
    "Gemma 3": text_of("gemma-3-1b-it"),
    "Gemma 3, local and global, linear": model(
        "gemma3_text",
        head_dim=16,
        sliding_window_pattern=2,
        rope_scaling={"rope_type": "linear", "factor": 8.0},
    ),
    "Gemma 4": model("gemma4_text", **GEMMA_4, layer_types=["sliding_attention", "full_attention"] * 2),
    "Phi-3": model("phi3"),
    "Phi-3, a part": model("phi3", partial_rotary_factor=0.5),
    "Phi-3, LongRoPE": PHI_3,
    "Phi-3, LongRoPE, short text": model(
        "phi3",
        original_max_position_embeddings=10**5,
        max_position_embeddings=2 * 10**5,
        rope_scaling=LONGROPE,
    ),
    "Phi-3, LongRoPE, long text": model(
        "phi3", original_max_position_embeddings=8, max_position_embeddings=64, rope_scaling=LONGROPE
    ),
    "gpt-oss": {**text_of("gpt-oss-120b"), **MOE},
    "gpt-oss, nothing said": model("gpt_oss", head_dim=16, max_position_embeddings=131072, **MOE),
    "SmolLM3": text_of("smollm3-3b"),
    "SmolLM3, nothing said": model("smollm3"),
    "Cohere 2": model(
        "cohere2", rope_theta=50000, layer_types=["sliding_attention"] * 3 + ["full_attention"]
    ),
    "Cohere 2, old key": model("cohere2", sliding_window_pattern=2),
    "Llama 4": LLAMA_4,
    "Llama 4, a step": {
        **LLAMA_4,
        "rope_scaling": {**LLAMA_4["rope_scaling"], "factor": 16.0, "high_freq_factor": 1.0},
    },
    "Llama 4, nothing said": model("llama4_text", moe_layers=[], use_qk_norm=False, intermediate_size_mlp=32),
    "DeepSeek V3": DEEPSEEK,
    "DeepSeek V3, mscales that differ": {
        **DEEPSEEK,
        "rope_scaling": {**DEEPSEEK["rope_scaling"], "mscale": 0.707, "mscale_all_dim": 1.0},
    },
    "DeepSeek V3, half-split": {**DEEPSEEK, "rope_interleave": False},
}


def theirs(config: dict[str, Any]) -> Any:
    """Return transformers' model for ``config``, whose attention writes queries and keys down."""
    torch.manual_seed(0)
    return AutoModel.from_config(class_of(config), attn_implementation="written down").eval()


FOUND: list[tuple[Tensor, Tensor]] = []


def written_down(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, *rest: Any, **more: Any
) -> Any:
    """Record queries and keys [B, H, L, d]. Attention returns nothing, so that the inputs of later layers do
    not depend on positions."""
    FOUND.append((query.detach(), key.detach()))
    return query.new_zeros(query.shape[0], query.shape[2], query.shape[1], value.shape[-1]), None


ALL_ATTENTION_FUNCTIONS.register("written down", written_down)


def not_turning(module: nn.Module, given: Any, tables: Any) -> Any:
    """Replace the tables by some that neither turn nor scale; this is a hook."""
    if isinstance(tables, tuple):
        return torch.ones_like(tables[0]), torch.zeros_like(tables[1])
    return torch.ones_like(tables)


def run(network: Any, at: Tensor, turning: bool) -> list[tuple[Tensor, Tensor]]:
    """Return queries and keys of every layer at positions ``at`` [L], turned or not."""
    tokens = torch.arange(3, 3 + LENGTH)[None]
    rotary = [part for name, part in network.named_modules() if name.endswith("rotary_emb")]
    hooks = [] if turning else [part.register_forward_hook(not_turning) for part in rotary]
    FOUND.clear()
    with torch.no_grad():
        network(input_ids=tokens, position_ids=at[None], use_cache=False)
    for hook in hooks:
        hook.remove()
    assert rotary and len(FOUND) == LAYERS
    return list(FOUND)


def turned(encoding: PositionEncoding, x: Tensor, at: Tensor, config: dict[str, Any], role: Any) -> Tensor:
    """Turn ``x`` by our encoding; of DeepSeek's heads only the last part, with neighbours in halves."""
    if "qk_rope_head_dim" not in config:
        return encoding.turn(x, at, role)
    still, x = x.split([config["qk_nope_head_dim"], config["qk_rope_head_dim"]], dim=-1)
    assert isinstance(encoding, RotaryEncoding)
    if encoding.pairing == "half_split":
        return torch.cat((still, encoding.turn(x, at, role)), dim=-1)
    neighbours = x.unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)
    turned = encoding.turn(neighbours, at, role).unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2)
    return torch.cat((still, turned), dim=-1)


FAR = NEAR * 100


@pytest.mark.parametrize("name", ROTARY)
def test_queries_and_keys_of_every_layer_are_turned_as_theirs(name: str) -> None:
    """To 1e-5 up to position 63, and then to the precision of their float32 angles."""
    config = ROTARY[name]
    network = theirs(config)
    for at in (NEAR, FAR):
        before, after = run(network, at, turning=False), run(network, at, turning=True)
        for layer, (plain, expected) in enumerate(zip(before, after, strict=True)):
            encoding = encoding_from_config(config, layer)
            if isinstance(encoding, QueryTemperature):
                continue  # uses the place in the cache: it has a separate test
            for role, x, answer in zip(("query", "key"), plain, expected, strict=True):
                got = turned(encoding, x, at, config, role)
                known_to = 1e-5 if at is NEAR else 2.5e-7 * int(at.max())
                assert_close(got, answer, rtol=0, atol=known_to * max(1.0, x.abs().max().item()))


@pytest.mark.parametrize("name", ROTARY)
def test_windows_of_layers_equal_theirs(name: str) -> None:
    config = class_of(ROTARY[name])
    kinds = {"sliding_attention": "sliding", "chunked_attention": "chunked", "full_attention": "whole"}
    window = getattr(config, "sliding_window", None) or getattr(config, "attention_chunk_size", None)
    listed = getattr(config, "layer_types", None)
    expected = [kinds[each] for each in listed] if listed else ["sliding" if window else "whole"] * LAYERS
    read = read_config(ROTARY[name]).layers
    assert [layer.sees for layer in read] == expected
    assert {layer.window for layer in read} - {None} <= {window}


@pytest.mark.parametrize("name", ROTARY)
def test_the_file_that_transformers_saves_gives_the_same_encodings(name: str) -> None:
    """It has the newer keys, and values for everything that the first file left out."""
    config = ROTARY[name]
    saved = json.loads(class_of(config).to_json_string(use_diff=False))
    for layer in range(LAYERS):
        assert repr(encoding_from_config(saved, layer)) == repr(encoding_from_config(config, layer))


def test_llama_4s_layers_without_rotation_scale_their_queries() -> None:
    """Their scale depends on a token's place in the cache and ignores ``position_ids``."""
    config = {**LLAMA_4, "floor_scale": 4, "attn_scale": 0.5}
    network, at = theirs(config), torch.arange(LENGTH)
    without = theirs({**config, "attn_temperature_tuning": False})
    without.load_state_dict(network.state_dict())
    still = encoding_from_config(config, 3)
    assert isinstance(still, QueryTemperature)
    assert type(encoding_from_config({**config, "attn_temperature_tuning": False}, 3)) is PositionEncoding
    (query, key), (expected, expected_key) = (
        run(without, at, turning=True)[3],
        run(network, at, turning=True)[3],
    )
    assert_close(still.turn(query, at, "query"), expected, rtol=1e-6, atol=0)
    assert torch.equal(still.turn(key, at, "key"), expected_key)
    assert torch.equal(run(network, at + 100, turning=True)[3][0], expected)
