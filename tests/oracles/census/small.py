"""Small configurations of any model type, and models built from them on a CPU.

Sizes are recognised by the names of keys. Keys about positions (heads, windows, patterns, shares) keep the
class's values, or get values that show their effect in a short text. A model type that the rules do not fit
has its own keys in ``OWN``, with the reason.
"""

from __future__ import annotations

import copy
import importlib
import inspect
import re
from typing import Any

import torch
from torch import nn
from transformers import AutoModel, AutoModelForCausalLM, AutoModelForMaskedLM, AutoModelForSeq2SeqLM
from transformers.modeling_utils import PreTrainedModel

from tests.oracles.census.folders import default_sections, folder_of, made, text_path

WIDTH, HEADS, HEAD, LAYERS, LONGEST, WINDOW = 128, 4, 32, 8, 600, 5

_LAYERS = r"^(num_hidden_layers|n_layer|n_layers|num_layers|(en|de)coder_layers|num_(en|de)coder_layers)$"
#: Number of layers if all layers are alike.
FEW = 2
LISTS = (
    "layer_types",
    "layers_block_type",
    "no_rope_layers",
    "layer_rope_theta",
    "attention_layers",
    "block_types",
)

#: The first pattern that a key matches gives its value; None keeps the class's value.
SIZES: tuple[tuple[str, Any], ...] = (
    (
        r"^(max_position_embeddings|n_positions|max_seq_len|max_seq_length|max_source_positions|max_target_positions|n_ctx)$",
        LONGEST,
    ),
    (r"^(hidden_size|d_model|n_embd|emb_dim|dim|attention_hidden_size|embed_dim)$", WIDTH),
    (r"^(embedding_size|word_embed_proj_dim)$", WIDTH // 2),
    (
        r"^(num_attention_heads|n_head|n_heads|num_heads|(en|de)coder_attention_heads|num_(en|de)coder_attention_heads|swa_num_attention_heads)$",
        HEADS,
    ),
    (r"num_key_value_heads|num_kv_heads|n_head_kv", HEADS),
    (_LAYERS, LAYERS),
    (
        r"^(head_dim|global_head_dim|d_kv|attention_head_dim|d_head|kv_channels|swa_head_dim|attention_head_size)$",
        HEAD,
    ),
    (r"^(qk_rope_head_dim|rotary_dim)$", 16),
    (r"^(qk_nope_head_dim|v_head_dim|q_lora_rank|kv_lora_rank|swa_v_head_dim|o_lora_rank)$", 32),
    (r"^(vocab_size|vocab_size_per_layer_input|padded_vocab_size)$", 320),
    (r"^(sliding_window|attention_chunk_size|local_attention|swa_window)$", WINDOW),
    (
        r"(intermediate_size|ffn_dim|ffn_hidden_size|n_inner|d_ff|intermediate_size_mlp|d_inner_size|dense_ffn.*|shared_intermediate_size)$",
        64,
    ),
    (r"^(num_local_experts|num_experts|n_routed_experts|moe_num_experts)$", 4),
    (r"^(num_experts_per_tok|moe_top_k|top_k|moe_k|num_experts_per_token)$", 2),
    (r"^(n_group|topk_group|num_expert_group|n_shared_experts|num_shared_experts)$", 1),
    (r"^(mamba_n_heads|mamba_num_heads|n_mamba_heads)$", 8),
    (r"^(mamba_d_head|mamba_head_dim|mamba_headdim)$", 32),
    (r"^(mamba_)?chunk_size$", 8),
    (r"^(mamba_d_state|ssm_state_size|state_size)$", 16),
    (r"^(linear_num_key_heads|linear_num_value_heads|linear_num_heads)$", 2),
    (r"^(linear_key_head_dim|linear_value_head_dim|linear_head_dim)$", 16),
)
TOKENS = {
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "sep_token_id": 2,
    "cls_token_id": 1,
    "mask_token_id": 3,
}

#: A model with more parameters than this is not small: some size was not recognised.
MOST = 60_000_000

#: Keys without which a configuration cannot be made.
EXAMPLES: dict[str, dict[str, Any]] = {
    "gemma4_assistant": {
        "text_config": {
            "model_type": "gemma4_text",
            "hidden_size_per_layer_input": 0,
            "vocab_size_per_layer_input": 0,
            "num_kv_shared_layers": 30,
        }
    },
}

#: Models whose text model has no separate class, and the parts to make small.
WHOLE = {"t5gemma": ("encoder", "decoder"), "t5gemma2": ("encoder", "decoder")}

#: Keys for which the class has None, which is not a size.
UNSAID = {"head_dim": HEAD, "num_key_value_heads": HEADS, "n_routed_experts": 4, "num_experts_per_tok": 2}
UNSAID |= {"n_shared_experts": 1, "vocab_size": 320}

#: Keys of model types that the rules above do not fit, and why.
OWN: dict[str, dict[str, Any]] = {
    # The head has a list with an entry for each of the class's layers.
    "gemma4_text": {"per_layer_config": {"05": {"head_dim": 2 * HEAD}, "07": {"head_dim": 2 * HEAD}}},
    "gemma4_unified_text": {"per_layer_config": {"05": {"head_dim": 2 * HEAD}, "07": {"head_dim": 2 * HEAD}}},
    "diffusion_gemma_text": {
        "per_layer_config": {"05": {"head_dim": 2 * HEAD}, "07": {"head_dim": 2 * HEAD}},
        "num_experts": 4,
        "top_k_experts": 2,
        "moe_intermediate_size": 64,
    },
    "dots3_note_text": {"per_layer_config": {}, "head_dim": 48},
    "neomme": {"per_layer_config": {"05": {"sliding_window": None}, "07": {"sliding_window": None}}},
    "gemma3n_text": {"num_kv_shared_layers": 0},
    "zamba2": {
        "attention_hidden_size": 2 * WIDTH,
        "attention_head_dim": 2 * HEAD,
        "layers_block_type": ["linear_attention", "hybrid"] * (LAYERS // 2),
    },
    "cohere_compass_text": {
        "rope_parameters": {
            "full_attention": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [6, 5, 5]}
        }
    },
    "longcat_flash": {"head_dim": 16},
    "glm5_next_text": {"qk_rope_head_dim": 0},  # its class refuses RoPE
    "step3p5": {"sliding_window": WINDOW},
    "deepseek_ocr2_text": {"mlp_layer_types": ["dense"] * FEW},
    "chameleon": {"vocabulary_map": {"<image>": 5}},
    "xmod": {"languages": ["en_XX"], "default_language": "en_XX"},
    "squeezebert": {"embedding_size": WIDTH},
    # Their attention gets two vectors side by side.
    "zamba": {"attention_hidden_size": 2 * WIDTH, "attention_head_dim": 2 * HEAD},
    "dbrx": {"attn_config": {"kv_n_heads": HEADS, "rope_theta": 10000.0, "clip_qkv": 8.0}},
    "esm": {"pad_token_id": 0, "mask_token_id": 3, "token_dropout": False},
    "bamba": {"attn_layer_indices": [1, 5]},
    "funnel": {"block_sizes": [2, 2], "architectures": []},
    "gpt_neo": {"attention_types": [[["global", "local"], LAYERS // 2]], "window_size": WINDOW},
    "mamba2": {"num_heads": 8},  # heads times head width is twice the model's width
    # Rows and columns alternate in the first two sections, so these are equal.
    "ernie4_5_vl_moe_text": {
        "rope_parameters": {"rope_type": "default", "rope_theta": 500000.0, "mrope_section": [6, 6, 4]}
    },
    "reformer": {"is_decoder": True, "axial_pos_shape": [20, 30], "axial_pos_embds_dim": [32, 96]},
    "mimo_v2_flash": {"num_key_value_heads": HEADS // 2, "v_head_dim": HEAD, "head_dim": HEAD},
    "falcon_h1": {"mamba_d_ssm": 256},
    "t5gemma2_decoder": {"dropout_rate": 0.0},
    "lfm2_moe": {"layer_types": ["conv", "conv", "full_attention", "conv"] * (LAYERS // 4)},
    # Sizes that no other class has.
    "luke": {"entity_vocab_size": 40, "entity_emb_size": 16},
    "perceiver": {"d_latents": 64, "num_latents": 8, "max_position_embeddings": 64},
    "seamless_m4t": {
        "speech_encoder_layers": 1,
        "speech_encoder_intermediate_size": 64,
        "t2u_vocab_size": 40,
    },
    "seamless_m4t_v2": {
        "speech_encoder_layers": 1,
        "speech_encoder_intermediate_size": 64,
        "t2u_vocab_size": 40,
    },
    "qwen4_exp_text": {
        "indexer_n_heads": 2,
        "indexer_kv_heads": 1,
        "indexer_head_dim": HEAD,
        "indexer_budget": 64,
        "indexer_compress_ratio": 4,
        "ngram_vocab_size_base": 50,
        "make_ngram_vocab_size_divisible_by": 8,
        "split_ngram_parts": 1,
        "hc_lowrank": 16,
    },
}


def small(name: str, **keys: Any) -> Any:
    """Return a small configuration of the model type, or of the text model inside it."""
    text = made(name, **EXAMPLES.get(name, {}))
    if name in WHOLE:
        parts = {
            each: {**getattr(text, each).to_dict(), **small_keys(getattr(text, each).to_dict())}
            for each in WHOLE[name]
        }
        for each in (*parts.values(), *(each.get("text_config", {}) for each in parts.values())):
            each.pop("layer_types", None)
        return type(text)(**parts, vocab_size=320)
    for each in text_path(text):
        text = getattr(text, each)
    found = {**small_keys(text.to_dict()), **_sections(text), **OWN.get(text.model_type, {})}
    if not any(hasattr(text, each) for each in LISTS):
        found = {key: FEW if re.search(_LAYERS, key) else value for key, value in found.items()}
    return type(text)(**{**found, **keys})


def small_keys(said: dict[str, Any]) -> dict[str, Any]:
    """Return keys that make the model of ``said`` small, with their values."""
    found: dict[str, Any] = {}
    for key, value in said.items():
        if "qk_rope_head_dim" in said and key in ("head_dim", "qk_head_dim"):
            continue  # follow from the other sizes of such a head
        if key in TOKENS and isinstance(value, (int, list)):
            found[key] = TOKENS[key]
        elif value is None and key in UNSAID:
            found[key] = UNSAID[key]
        elif isinstance(value, dict) and key.endswith("_config"):
            found[key] = {**value, **small_keys(value)}
        elif isinstance(value, int) and not isinstance(value, bool):
            size = next((size for pattern, size in SIZES if re.search(pattern, key)), None)
            if size is not None:
                found[key] = min(size, value) if re.search("key_value|expert|group", key) else size
    return found


def _sections(text: Any) -> dict[str, Any]:
    """Return ``rope_parameters`` that distribute the small head's pairs over three coordinates."""
    ropes = text.to_dict().get("rope_parameters")
    if not isinstance(ropes, dict) or default_sections(folder_of(text)) is None:
        return {}
    if any(isinstance(each, dict) for each in ropes.values()):
        return {"rope_parameters": {name: _sectioned(rope) for name, rope in ropes.items()}}
    return {"rope_parameters": _sectioned(ropes)}


def _sectioned(rope: Any) -> Any:
    if not isinstance(rope, dict):
        return rope
    n = int(HEAD * rope.get("partial_rotary_factor", 1.0)) // 2
    return {**rope, "mrope_section": [n - 2 * (n // 3), n // 3, n // 3]}


_AUTO = (AutoModel, AutoModelForCausalLM, AutoModelForMaskedLM, AutoModelForSeq2SeqLM)


def _of_its_folder(config: Any) -> list[Any]:
    """Return the classes in ``config``'s folder that it configures: an inner text model has no Auto class."""
    source = type(config).__module__.replace(".configuration_", ".modeling_")
    try:
        module = importlib.import_module(source)
    except ImportError:
        return []
    classes = [
        each for each in vars(module).values() if isinstance(each, type) and issubclass(each, PreTrainedModel)
    ]
    fitting = [each for each in classes if each.config_class is type(config) and each.__module__ == source]
    with_tokens = [each for each in fitting if "input_ids" in inspect.signature(each.forward).parameters]
    return sorted(with_tokens, key=lambda each: ("Model" not in each.__name__[-5:], len(each.__name__)))


def _from(way: Any) -> Any:
    return way.from_config if hasattr(way, "from_config") else way._from_config


def built(config: Any) -> nn.Module:
    """Return a model of ``config`` with random weights, or the last error if no class works."""
    error: Exception = ValueError(f"{config.model_type}: no way to build it")
    for way in (*_AUTO, *_of_its_folder(config)):
        for attention in ({"attn_implementation": "eager"}, {}):
            try:
                with torch.device("meta"):
                    numbers = sum(each.numel() for each in _from(way)(copy.deepcopy(config)).parameters())
                if numbers > MOST:
                    raise MemoryError(f"{numbers / 1e6:.0f} million parameters")
                torch.manual_seed(0)
                return _from(way)(copy.deepcopy(config), **attention).eval()
            except (ValueError, KeyError) as wrong:
                error = wrong
                if "Unrecognized configuration class" in str(wrong):
                    break
    raise error
