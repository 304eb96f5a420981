"""Read a configuration file safely: what is no JSON, too large, too deep or contradictory is refused."""

import difflib
import json
import math
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from textwrap import shorten
from typing import Any

from posenc_lessons.language import BilingualValueError, Text

#: What makes any type of transformers known.
INSTALL = "pip install 'posenc-lessons[models]'"
LIKE = Text(
    '如果它的代码和某个模型一样，请指明：like="llama"（命令行是 --like llama）',
    'If its code is like another model\'s, say so: like="llama" (--like llama)',
)
MOST_BYTES, MOST_ENTRIES, MOST_DEPTH = 20_000_000, 20_000, 24
MOST_LAYERS, MOST_HEAD_WIDTH = 144, 576
MOST, MOST_IN_A_LIST = 10**12, 10**8
#: The first pattern that a key matches gives the largest value it may have.
_LIMITS: tuple[tuple[str, int], ...] = (
    (r"^(num_hidden_layers|n_layers?|num_layers|(num_)?(en|de)coder_layers)$", MOST_LAYERS),
    (r"^(num_attention_heads|n_heads?|num_heads|(en|de)coder_attention_heads|num_key_value_heads)$", 8192),
    (r"^(\w*head_dim|d_kv|rotary_dim)$", MOST_HEAD_WIDTH),
    (r"num_buckets", 1024),
    (r"max_distance|experts|groups|num_nextn_predict_layers|kernel|n_inner|attention_types", 10**6),
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
    try:
        # Windows' Notepad begins UTF-8 with a mark, which JSON does not allow.
        if name == "-":
            text = sys.stdin.read(MOST_BYTES + 1).lstrip("\ufeff")
        else:
            with path.open(encoding="utf-8-sig") as file:
                text = file.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise BilingualValueError(
                f"{path} 太大，不像配置文件", f"{path} is too large for a configuration"
            )
        return json.loads(text, object_pairs_hook=_without_repeats)
    except BilingualValueError:
        raise
    except OSError as error:
        why = error.strerror or error
        raise BilingualValueError(f"读不了 {path}：{why}", f"cannot read {path}: {why}") from error
    except (ValueError, RecursionError) as error:  # not JSON, not UTF-8, or nested too deeply
        raise BilingualValueError(f"{path} 不是 JSON：{error}", f"{path} is not JSON: {error}") from error


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict; ValueError for a key that occurs twice."""
    entries: dict[str, Any] = {}
    for key, value in pairs:
        if key in entries:
            name = printable(key)
            raise BilingualValueError(f"键 {name!r} 写了两次", f"the key {name!r} is there twice")
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
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            _check_number(printable(name), value, in_list)


def _check_number(name: str, value: int | float, in_list: bool) -> None:
    if not isinstance(value, int):
        if not math.isfinite(value):
            raise BilingualValueError(
                f"{name} 必须是有限的数，收到 {value}", f"{name} must be finite; got {value}"
            )
        return
    usual = MOST_IN_A_LIST if in_list else MOST
    most = next((most for pattern, most in _LIMITS if re.search(pattern, name)), usual)
    if abs(value) > most:
        digits = str(value) if abs(value) < 10**30 else "…"
        raise BilingualValueError(
            f"{name} 最多是 {most}，收到 {digits}", f"{name} must be at most {most}; got {digits}"
        )


def ropes_in(keys: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the settings of RoPE in ``keys``, by the new and the old name of their key."""
    names = ("rope_parameters", "rope_scaling")
    return {name: rope for name in names if isinstance(rope := keys.get(name), Mapping)}


def check_agreement(keys: Mapping[str, Any], where: str = "") -> None:
    """Raise ValueError where two keys of ``keys`` say different things."""
    for (one, value), (other, other_value) in _contradictions(keys):
        text, other_text = (shorten(json.dumps(item), 200) for item in (value, other_value))
        raise BilingualValueError(
            f"{where}{one} 是 {text}，{where}{other} 却是 {other_text}，两者矛盾：请改正其中一个",
            f"{where}{one} is {text} but {where}{other} is {other_text}, and they contradict each other:"
            " correct one of them",
        )


def _contradictions(keys: Mapping[str, Any]) -> Iterator[tuple[tuple[str, Any], tuple[str, Any]]]:
    """Yield two keys that say different things, each with its value."""
    ropes = ropes_in(keys)
    if len(ropes) == 2 and _without_base(ropes["rope_parameters"]) != _without_base(ropes["rope_scaling"]):
        one, other = ropes.items()
        yield one, other
    for name, rope in ropes.items():
        if any(isinstance(value, Mapping) for value in rope.values()):
            continue
        outside = {**keys, "rope_type": rope.get("type")}
        for key in ("rope_type", "rope_theta", "partial_rotary_factor", "original_max_position_embeddings"):
            if None not in (rope.get(key), outside.get(key)) and rope[key] != outside[key]:
                outer = f"{name}.type" if key == "rope_type" else key
                yield (f"{name}.{key}", rope[key]), (outer, outside[key])
    slides, types = keys.get("use_sliding_window"), keys.get("layer_types")
    if slides is False and isinstance(types, list) and any("sliding" in str(kind) for kind in types):
        yield ("use_sliding_window", slides), ("layer_types", types)
    if slides is True and keys.get("sliding_window", 0) is None:
        yield ("use_sliding_window", slides), ("sliding_window", None)
    for name in ("layer_types", "no_rope_layers"):
        layers, listed = keys.get("num_hidden_layers"), keys.get(name)
        if isinstance(listed, list) and listed and isinstance(layers, int) and len(listed) != layers:
            yield (f"len({name})", len(listed)), ("num_hidden_layers", layers)


def _without_base(rope: Mapping[str, Any]) -> dict[str, Any]:
    named = {"rope_type" if key == "type" else key: value for key, value in rope.items()}
    return {key: value for key, value in named.items() if key not in ("rope_theta", "partial_rotary_factor")}


def unknown_type(
    keys: Mapping[str, Any], types: Collection[str], where: Text, install: bool
) -> BilingualValueError:
    """Return the error for the type of ``keys``, which ``where`` does not have among its ``types``."""
    name = printable(str(keys["model_type"]))[:100]
    near = ", ".join(difflib.get_close_matches(name.lower(), types)) or "llama"
    zh = "auto_map 指的是别人的代码，这里从不运行。" if "auto_map" in keys else ""
    en = " auto_map names other people's code, which is never run here." if "auto_map" in keys else ""
    if install:
        zh += f"装上 transformers 就能量任何一种：{INSTALL}。"
        en += f" With transformers any type can be measured: {INSTALL}."
    return BilingualValueError(
        f"model_type {name!r} 不在 {where.zh} 里（{len(types)} 种），它的代码怎样放位置，文件里没有写，"
        f"也不猜。{zh}{LIKE.zh}；名字相近的有：{near}",
        f"model_type {name!r} is not in {where.en}, which has {len(types)}: how its code places positions is"
        f" not in the file and is not guessed.{en} {LIKE.en}; names close to it: {near}",
    )
