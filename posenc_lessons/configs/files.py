"""Read a configuration file safely: what is no JSON, too large, too deep or contradictory is refused."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from posenc_lessons.language import BilingualValueError

MOST_BYTES, MOST_ENTRIES, MOST_DEPTH = 20_000_000, 20_000, 24
MOST_LAYERS, MOST_HEADS, MOST_HEAD_WIDTH, MOST_BUCKETS = 256, 8192, 2048, 1024
MOST, MOST_IN_A_LIST = 10**12, 10**8
#: The first pattern that a key matches gives the largest value it may have.
_LIMITS: tuple[tuple[str, int], ...] = (
    (r"^(num_hidden_layers|n_layers?|num_layers|(num_)?(en|de)coder_layers)$", MOST_LAYERS),
    (
        r"^(num_attention_heads|n_heads?|num_heads|(en|de)coder_attention_heads|num_key_value_heads)$",
        MOST_HEADS,
    ),
    (r"^(\w*head_dim|d_kv|rotary_dim)$", MOST_HEAD_WIDTH),
    (r"num_buckets", MOST_BUCKETS),
    (r"max_distance", 10**6),
    (r"experts|groups|num_nextn_predict_layers|kernel|n_inner", 10**6),
)
_POSITIONS = re.compile(
    r"rope|rotary|position|alibi|relative|theta|partial|yarn|ntk|mscale|sliding|window|layer_types|layers_block"
    r"|per_layer_config|global_head_dim|chunk_size$|attn_temperature|floor_scale|attn_scale$|^attn_factor"
    r"|attn_layer_|hybrid_override|attention_types"
)


def about_positions(key: str) -> bool:
    """Return whether a key's name says that it is about positions, or which layers attend."""
    return _POSITIONS.search(key.rpartition(".")[2]) is not None


def printable(text: str) -> str:
    """Return ``text`` with control characters as escapes, so that a terminal does not obey them."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def read_file(name: str) -> dict[str, Any]:
    """Return the JSON object in the file ``name``, in its folder's config.json, or in standard input for "-".

    Raises:
        ValueError: a file that cannot be read, or is no JSON object without repeated keys.
    """
    path = Path(name)
    if name != "-" and path.is_dir():
        path = path / "config.json"
    shown = "-" if name == "-" else str(path)
    try:
        # Windows' Notepad begins UTF-8 with a mark, which JSON does not allow.
        if name == "-":
            text = sys.stdin.read(MOST_BYTES + 1).lstrip("\ufeff")
        else:
            with path.open(encoding="utf-8-sig") as file:
                text = file.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise BilingualValueError(
                f"{shown} 太大，不像配置文件", f"{shown} is too large for a configuration"
            )
        return json.loads(text, object_pairs_hook=_without_repeats)
    except BilingualValueError:
        raise
    except OSError as error:
        raise BilingualValueError(
            f"读不了 {shown}：{error.strerror or error}", f"cannot read {shown}: {error.strerror or error}"
        ) from error
    except (ValueError, RecursionError) as error:  # not JSON, not UTF-8, or nested too deeply
        raise BilingualValueError(f"{shown} 不是 JSON：{error}", f"{shown} is not JSON: {error}") from error


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict; ValueError for a key that occurs twice."""
    entries: dict[str, Any] = {}
    for key, value in pairs:
        if key in entries:
            raise BilingualValueError(
                f"键 {printable(key)!r} 写了两次", f"the key {printable(key)!r} is there twice"
            )
        entries[key] = value
    return entries


def check_sizes(config: Any) -> None:
    """Raise ValueError for anything but a mapping of JSON's values within the limits of this file."""
    if not isinstance(config, Mapping):
        raise BilingualValueError(
            f"config 必须是键为文字的映射（JSON 的对象），收到 {type(config).__name__}",
            f"config must be a mapping with text for keys, a JSON object; got {type(config).__name__}",
        )
    entries = 0
    rest: list[tuple[str, Any, int, bool]] = [("config", config, 0, False)]
    while rest:
        name, value, depth, in_list = rest.pop()
        entries += 1
        if entries > MOST_ENTRIES or depth > MOST_DEPTH:
            raise BilingualValueError(
                f"配置太大或者嵌套太深（最多 {MOST_ENTRIES} 项、{MOST_DEPTH} 层）",
                f"the configuration is too large or nested too deeply (at most {MOST_ENTRIES} entries,"
                f" {MOST_DEPTH} levels)",
            )
        if isinstance(value, Mapping):
            if not all(isinstance(key, (str, int) if depth else str) for key in value):
                raise BilingualValueError(f"{name} 的键必须是文字", f"the keys of {name} must be text")
            rest.extend((str(key), item, depth + 1, False) for key, item in value.items())
        elif isinstance(value, (list, tuple)):
            rest.extend((name, item, depth + 1, True) for item in value)
        elif isinstance(value, float) and not math.isfinite(value):
            raise BilingualValueError(
                f"{printable(name)} 必须是有限的数，收到 {value}",
                f"{printable(name)} must be finite; got {value}",
            )
        elif isinstance(value, int) and not isinstance(value, bool):
            _check_number(name, value, in_list)


def _check_number(name: str, value: int, in_list: bool) -> None:
    most = next(
        (most for pattern, most in _LIMITS if re.search(pattern, name)), MOST_IN_A_LIST if in_list else MOST
    )
    if abs(value) > most:
        digits = str(value) if abs(value) < 10**30 else "…"
        raise BilingualValueError(
            f"{printable(name)} 最多是 {most}，收到 {digits}",
            f"{printable(name)} must be at most {most}; got {digits}",
        )


def check_agreement(keys: Mapping[str, Any], where: str = "") -> None:
    """Raise ValueError where two keys of ``keys`` say different things."""
    new, old = keys.get("rope_parameters"), keys.get("rope_scaling")
    if isinstance(new, Mapping) and isinstance(old, Mapping) and _without_base(new) != _without_base(old):
        _refuse(f"{where}rope_parameters", new, f"{where}rope_scaling", old)
    for name, rope in (("rope_parameters", new), ("rope_scaling", old)):
        if not isinstance(rope, Mapping) or any(isinstance(value, Mapping) for value in rope.values()):
            continue
        if (
            rope.get("type") is not None
            and rope.get("rope_type") is not None
            and rope["type"] != rope["rope_type"]
        ):
            _refuse(f"{where}{name}.rope_type", rope["rope_type"], f"{where}{name}.type", rope["type"])
        for key in ("rope_theta", "partial_rotary_factor", "original_max_position_embeddings"):
            if None not in (rope.get(key), keys.get(key)) and rope[key] != keys[key]:
                _refuse(f"{where}{name}.{key}", rope[key], f"{where}{key}", keys[key])
    types, windows = keys.get("layer_types"), keys.get("use_sliding_window")
    slides = isinstance(types, list) and any(isinstance(kind, str) and "sliding" in kind for kind in types)
    if windows is False and slides:
        raise BilingualValueError(
            f"{where}use_sliding_window 是 false，{where}layer_types 里却有 sliding_attention",
            f"{where}use_sliding_window is false, but {where}layer_types has sliding_attention",
        )
    if windows is True and "sliding_window" in keys and keys["sliding_window"] is None:
        raise BilingualValueError(
            f"{where}use_sliding_window 是 true，{where}sliding_window 却是 null",
            f"{where}use_sliding_window is true, but {where}sliding_window is null",
        )
    for name in ("layer_types", "no_rope_layers"):
        layers, listed = keys.get("num_hidden_layers"), keys.get(name)
        if isinstance(listed, list) and listed and isinstance(layers, int) and len(listed) != layers:
            raise BilingualValueError(
                f"{where}{name} 有 {len(listed)} 项，而 {where}num_hidden_layers 是 {layers}：每层一项",
                f"{where}{name} has {len(listed)} entries and {where}num_hidden_layers is {layers}: there"
                " must be one for each layer",
            )


def _without_base(rope: Mapping[str, Any]) -> dict[str, Any]:
    named = {"rope_type" if key == "type" else key: value for key, value in rope.items()}
    return {key: value for key, value in named.items() if key not in ("rope_theta", "partial_rotary_factor")}


def _refuse(name: str, value: Any, other_name: str, other: Any) -> None:
    raise BilingualValueError(
        f"{name} 是 {value!r}，{other_name} 却是 {other!r}，而两者说的是同一件事：请留下对的那个",
        f"{name} is {value!r} but {other_name} is {other!r}, and both mean the same thing: keep the"
        " right one",
    )
