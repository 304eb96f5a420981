"""Make the model of a configuration small, with everything about positions as in the file.

The type's own classes are taken from transformers' lists; code that a file names (``auto_map``) is never
loaded. Width, heads, experts and vocabulary shrink; layers, head width, bases and patterns stay. Windows
shrink too, because a short text must not fit into one; ``Small.windows`` says which key each came from.
"""

import copy
import importlib
import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn
from transformers import AutoModel, AutoModelForCausalLM, AutoModelForMaskedLM, AutoModelForSeq2SeqLM
from transformers.modeling_utils import PreTrainedModel
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from posenc_lessons.language import BilingualValueError

WIDTH, HEADS, VOCABULARY = 128, 2, 320
#: Small windows, each of another size, so that a window that is seen tells its key.
WINDOWS = (5, 7, 9, 11)
MOST_ROWS = 20_000
#: More parameters than this are not small: some size was not recognised.
MOST_PARAMETERS = 145_000_000

_HEADS = (
    r"^(num_attention_heads|n_heads?|num_heads|(num_)?(en|de)coder_(attention|attn)_heads|swa_num_attention_heads"
    r"|num_(full|sliding)_attention_heads)$"
)
_GROUPS = r"num_key_value_heads|num_kv_heads|n_head_kv|^num_query_groups$|kv_n_heads"
_WIDTH = r"^(hidden_size|d_model|n_embd|emb_dim|dim|embed_dim|embedding_dim)$"
_WINDOW = r"sliding_window|attention_chunk_size|local_attention$|swa_window|window_size|attention_window"
_SEVERAL_WINDOWS = r"pattern|layers|use_|size_in|types"
#: The first pattern that a key matches gives its largest value.
_SIZES: tuple[tuple[str, int], ...] = (
    (r"^(embedding_size|word_embed_proj_dim)$", WIDTH // 2),
    (r"vocab_size|_vocab$", VOCABULARY),
    (r"(intermediate_size|ffn_dim|ffn_hidden_size|n_inner|d_ff|intermediate_size_mlp|d_inner|ffn_size)$", 64),
    (r"^(dense_ffn.*|ff_dim|mlp_hidden_size|moe_hidden_size|dff|dim_ff|(q|kv|o)_lora_rank)$", 64),
    (r"^(num_local_experts|(moe_)?num_experts|n_routed_experts|num_routed_experts|zero_expert_num)$", 4),
    (r"^(num_experts_per_tok|moe_top_?k|top_k|moe_k|num_experts_per_token|top_k_experts)$", 2),
    (r"^(n_group|topk_group|num_expert_group|n_shared_experts|num_shared_experts|num_codebooks)$", 1),
    (r"^(mamba_d_state|ssm_state_size|state_size|linear_(key|value)_head_dim|linear_head_dim)$", 16),
    (r"^(mamba_)?chunk_size$", 8),
    (r"^(linear_num_(key_|value_)?heads|index(er)?_(n|num)_heads)$", 2),
    (r"^(hidden_size_per_layer_input|lru_width|moe_latent_size)$", WIDTH),
    (r"^(floor_scale|log_scaling_n_floor)$", 2),  # queries grow from these lengths on
)
_HEAD_WIDTHS = r"^((attention_)?head_dim|d_kv|d_head|kv_channels|attention_head_size|qk_nope_head_dim)$"
_UNSAID = {"n_inner": 64, "n_routed_experts": 4, "num_experts_per_tok": 2, "n_shared_experts": 1}
_UNSAID |= {"vocab_size": VOCABULARY, "num_key_value_heads": HEADS}
_ROWS = (
    r"^(max_(position_embeddings|(source|target)_positions|seq_len|seq(uence)?_length)|n_positions|n_ctx)$"
)
_INNER = re.compile(r"^((text|thinker|llm|language|decoder|talker)_config|decoder)$")


class TooLarge(BilingualValueError):
    """A size that even a small model must keep, and that is too large for one."""


@dataclass
class Small:
    """A small configuration: of which full one, and which small window stands for which key of it."""

    config: Any
    full: Any
    windows: dict[int, tuple[str, int]] = field(default_factory=dict)
    rows_cut: int = 0  # rows of the longest table by position that the small model does not have


def full_config(file: Mapping[str, Any]) -> Any:
    """Return transformers' configuration of ``file``; its class raises its own errors.

    Numbers where the class wants true or false, and a legacy name of LongRoPE, are what old files have.
    """
    flags: set[str] = set()
    for _ in range(8):
        keys = {name: value for name, value in _cleaned(file, flags).items() if name != "model_type"}
        try:
            return CONFIG_MAPPING[file["model_type"]](**keys)
        except Exception as error:
            flag = re.search(r"[Ff]ield '(\w+)' expected bool, got (int|float)", str(error))
            if flag is None:
                raise
            flags.add(flag[1])
    raise ValueError(f"too many numbers where true or false belongs: {', '.join(sorted(flags))}")


def _cleaned(file: Mapping[str, Any], flags: set[str]) -> dict[str, Any]:
    """Return a copy of ``file`` without weights' and code's keys, and with true or false for ``flags``."""
    keys: dict[str, Any] = {}
    for name, value in file.items():
        if name in ("dtype", "torch_dtype", "auto_map", "quantization_config", "attn_implementation"):
            continue
        keys[name] = _cleaned(value, flags) if isinstance(value, Mapping) else copy.deepcopy(value)
        if name in flags:
            keys[name] = bool(value)
        if name in ("type", "rope_type") and value == "su":
            keys[name] = "longrope"
    return keys


def attribute(config: Any, name: str) -> Any:
    """Return an attribute of a configuration; None where it has none, or one for each layer."""
    try:
        return getattr(config, name, None)
    except Exception:  # transformers refuses to give the head width of models whose layers differ
        return None


def text_of(config: Any) -> Any:
    """Return the configuration of the text model in ``config``; of a model with two stacks, all of it."""
    inner = config.get_text_config(decoder=True)
    parts = [value for name, value in vars(config).items() if _INNER.search(name)]
    holds = any(part is inner for part in parts) and not hasattr(config, "encoder")
    return config if getattr(config, "is_encoder_decoder", False) and not holds else inner


def small_config(text: Any) -> Small:
    """Return ``text`` made small."""
    values = text.to_dict()
    small = Small(None, text)
    keys = {**values, **_keys(values, small)}
    for name in ("model_type", "transformers_version", "architectures", "dtype"):
        keys.pop(name, None)
    small.config = type(text)(**copy.deepcopy(keys))
    return small


def _keys(values: Mapping[str, Any], small: Small) -> dict[str, Any]:
    """Return the keys of ``values`` that must shrink, with small values."""
    keys: dict[str, Any] = {}
    heads = next((value for name, value in values.items() if re.search(_HEADS, name) and _size(value)), None)
    wide = next((value for name, value in values.items() if re.search(_WIDTH, name) and _size(value)), None)
    width = WIDTH
    head_widths = [value for name, value in values.items() if re.search(_HEAD_WIDTHS, name) and _size(value)]
    own_head, head = bool(head_widths), max(head_widths, default=0)
    if own_head and HEADS * head <= 2 * WIDTH:  # some classes expect heads to fill the width
        width = max(WIDTH, HEADS * head)
    if not own_head and heads and wide and wide >= heads:
        width = HEADS * (wide // heads)
    if head and _size(values.get("attention_hidden_size")):  # two vectors side by side
        width = HEADS * head // 2
    windows = iter(WINDOWS)
    for name, value in values.items():
        if name.endswith("_token_id") and (isinstance(value, list) or (_size(value) and value > 9)):
            keys[name] = 3
        elif name == "head_dim" and value is None and heads and wide:
            keys[name] = wide // heads
        elif name == "per_layer_config" and isinstance(value, Mapping):
            keys[name] = {layer: {**own, **_keys(own, small)} for layer, own in value.items()}
        elif isinstance(value, Mapping) and (name.endswith("_config") or name in ("encoder", "decoder")):
            keys[name] = {**value, **_keys(value, small)}
        elif re.search(_WINDOW, name) and not re.search(_SEVERAL_WINDOWS, name):
            if isinstance(value, list) and value and all(map(_size, value)):
                sizes = dict(zip(dict.fromkeys(value), (8, 12, 6, 4), strict=False))
                small.windows.update({tiny: (name, size) for size, tiny in sizes.items()})
                keys[name] = [sizes.get(size, 8) for size in value]
            elif _size(value):
                tiny = 2 * next(windows) if "local_attention" in name else next(windows)
                tiny = 8 if name == "attention_window" else tiny  # the length must be a multiple of it
                small.windows[tiny] = (name, value)
                keys[name] = tiny
        elif isinstance(value, list) and value and all(map(_size, value)) and (most := _most(name)):
            keys[name] = [min(item, most) for item in value]
        elif name == "attention_hidden_size":
            keys[name] = 2 * width
        elif name == "embedding_size" and value == wide:
            keys[name] = width
        elif not _size(value):
            if value is None and name in _UNSAID:
                keys[name] = _UNSAID[name]
        elif re.search(_HEADS, name):
            keys[name] = HEADS
        elif re.search(_GROUPS, name):
            keys[name] = 1 if heads and value < heads else HEADS
        elif re.search(_WIDTH, name):
            keys[name] = width
        elif re.search(_ROWS, name) and value > MOST_ROWS and not values.get("rope_parameters"):
            keys[name], small.rows_cut = MOST_ROWS, value - MOST_ROWS
        else:
            most = _most(name)
            if most and most < value:
                keys[name] = most
    return {**keys, **_recurrent(values, keys)}


def _most(name: str) -> int | None:
    """Return the largest value that a size may keep; None for what is no size of the small model's."""
    return next((most for pattern, most in _SIZES if re.search(pattern, name)), None)


def _recurrent(values: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return the heads of a Mamba layer, whose number times their width must be a multiple of the model's."""
    width = next((keys[name] for name in keys if re.search(_WIDTH, name)), WIDTH)

    def present(*names: str) -> list[str]:
        return [name for name in names if _size(values.get(name))]

    inner = width * next((int(values[name]) for name in present("mamba_expand", "expand")), 2)
    sizes = present("mamba_d_head", "mamba_head_dim", "mamba_headdim")
    smaller: dict[str, Any] = dict.fromkeys(sizes, 32)
    if sizes:
        smaller.update(
            dict.fromkeys(present("mamba_n_heads", "mamba_num_heads", "n_mamba_heads"), inner // 32)
        )
    smaller.update(dict.fromkeys(present("mamba_n_groups", "n_groups", "mamba_ngroups"), 1))
    if _size(values.get("state_size")) and _size(values.get("num_heads")) and _size(values.get("head_dim")):
        smaller["num_heads"] = inner // values["head_dim"]
    if _size(values.get("mamba_d_ssm")):
        smaller["mamba_d_ssm"] = inner
    return smaller


def _size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


_AUTO = (AutoModelForCausalLM, AutoModelForMaskedLM, AutoModelForSeq2SeqLM, AutoModel)


def _of_its_folder(config: Any) -> list[Any]:
    """Return the model classes beside ``config``'s class: an inner text model has no Auto class."""
    source = type(config).__module__.replace(".configuration_", ".modeling_")
    try:
        module = importlib.import_module(source)
    except ImportError:
        return []
    classes: list[Any] = [
        item for item in vars(module).values() if isinstance(item, type) and issubclass(item, PreTrainedModel)
    ]
    fitting = [item for item in classes if item.config_class is type(config) and item.__module__ == source]
    with_tokens = [item for item in fitting if "input_ids" in inspect.signature(item.forward).parameters]
    return sorted(with_tokens, key=lambda item: ("Model" not in item.__name__[-5:], len(item.__name__)))


def _from(way: Any) -> Any:
    return way.from_config if hasattr(way, "from_config") else way._from_config


def built(config: Any) -> nn.Module:
    """Return a model of ``config`` with random weights, or raise the last error if no class works."""
    error: Exception = ValueError(f"{config.model_type}: no class to build it")
    ways = sorted(_AUTO, key=lambda way: config.is_encoder_decoder and way is not AutoModelForSeq2SeqLM)
    for way in (*ways, *_of_its_folder(config)):
        for attention in ({"attn_implementation": "eager"}, {}):
            try:
                with torch.device("meta"):
                    empty = _from(way)(copy.deepcopy(config))
                numbers = sum(item.numel() for item in (*empty.parameters(), *empty.buffers()))
                if numbers > MOST_PARAMETERS:
                    raise TooLarge(
                        f"缩小以后的模型最多有 {MOST_PARAMETERS} 个数，这一个有 {numbers} 个",
                        f"the small model may have {MOST_PARAMETERS} numbers; it has {numbers}",
                    )
                torch.manual_seed(0)
                return _from(way)(copy.deepcopy(config), **attention).eval()
            except TooLarge:
                raise
            except (ValueError, KeyError) as wrong:
                error = wrong
                if "Unrecognized configuration class" in str(wrong):
                    break
    raise error
