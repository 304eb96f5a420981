"""Read a configuration from ``table.json``, for well-known types where transformers is not installed.

A row has the keys that a type reads with their standard names, the defaults, and what was measured in each
kind of layer. Keys that only a measurement can follow have the one value in ``fixed`` that the row is true
for. ``python -m tests.oracles.config_table`` makes it by measuring.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from posenc_lessons.configs.files import (
    INSTALL,
    MOST_HEAD_WIDTH,
    MOST_LAYERS,
    about_positions,
    ropes_in,
    unknown_type,
)
from posenc_lessons.configs.layers import Layer, ModelPositions, Part, Rotation
from posenc_lessons.configs.rope import check_numbers, kind_of, rates, rotary_part, unread_of_rope
from posenc_lessons.encodings.alibi import ALiBi
from posenc_lessons.encodings.arguments import number, whole_number
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.encodings.t5 import T5RelativeBias
from posenc_lessons.encodings.temperature import QueryTemperature
from posenc_lessons.language import BilingualValueError, Text

Row = Mapping[str, Any]
#: The length before stretching, which these types of RoPE may have outside their own settings.
_ORIGINAL, _WITH_ORIGINAL = "original_max_position_embeddings", ("yarn", "longrope", "llama3")


@cache
def table() -> Mapping[str, Any]:
    """Return the table: "transformers", its version, and "types", a row for each type."""
    return json.loads(Path(__file__).with_name("table.json").read_text("utf-8"))


def read_table(keys: Row, title: str) -> ModelPositions:
    """Return what the table says of the model of ``keys``; it was compared with measurements when made."""
    types = table()["types"]
    if keys["model_type"] not in types:
        raise unknown_type(keys, types, Text("课程的表", "the course's table"), True)
    file, where, row = keys, "", types[keys["model_type"]]
    if "of" in row:
        if isinstance(inner := keys.get("text_config"), Mapping):
            file, where = inner, "text_config."
        row = types[row["of"]]
    names, values = row["keys"], dict(row["defaults"])
    for key, value in file.items():
        if key in names and (value is not None or "window" in key):  # a window that is null is none
            values[names[key]] = value
    values["rope"] = file.get("rope_parameters") or file.get("rope_scaling") or {}
    if not isinstance(values["rope"], Mapping):
        raise BilingualValueError("rope_scaling 必须是 JSON 的对象", "rope_scaling must be a JSON object")
    if any(kind_of(rope) in _WITH_ORIGINAL for rope in (values["rope"], *row["rope"].values())):
        names = {**names, _ORIGINAL: _ORIGINAL}
        values[_ORIGINAL] = file.get(_ORIGINAL)
    kinds = _kinds(values, row)
    layers = {kind: _layer(values, row, kind) for kind in dict.fromkeys(kinds)}
    ropes = ropes_in(file)
    others = [key for key in file if key not in names and key not in ropes and file[key] is not None]
    unread = [key for key in others if about_positions(key)]
    unread += [f"{key}.{name}" for key, rope in ropes.items() for name in unread_of_rope(rope)]
    outside = [key for key in keys if where and about_positions(key) and keys[key] is not None]
    every = (*outside, *(where + key for key in unread))
    return ModelPositions(title, tuple(layers[kind] for kind in kinds), table()["transformers"], True, every)


def _whole(values: Row, name: str, least: int = 1) -> int:
    """Return the value of a key as a whole number."""
    return whole_number(name, values.get(name), least)


def _kinds(values: Row, row: Row) -> list[str]:
    """Return the kind of each layer: the file's list of types, or the type's own rule."""
    layers = _whole(values, "num_hidden_layers")
    if "decoder" in row["kinds"]:
        later = _whole({"num_decoder_layers": layers, **values}, "num_decoder_layers")
        return ["encoder"] * min(layers, MOST_LAYERS) + ["decoder"] * min(later, MOST_LAYERS)
    turns, types = values.get("no_rope_layers"), values.get("layer_types")
    for key, value in row["fixed"].items():
        other = values.get(key)
        ordered = not isinstance(value, bool)  # the key sets an order, and a list goes before it
        if other is None or (ordered and (turns or types)):
            continue
        if (other if ordered else bool(other)) != value:
            raise BilingualValueError(
                f"课程的表只有 {key} = {value}，这里是 {other}。要去量：{INSTALL}",
                f"the course's table only has {key} = {value}, here it is {other}. To have it measured:"
                f" {INSTALL}",
            )
    still = [kind for kind in row["cycle"] if kind.endswith("/still")]
    if turns:
        turning = next(kind for kind in row["cycle"] if kind not in still)
        return [turning if turn else still[0] for turn in _one_each("no_rope_layers", turns, layers)]
    if types is None or still:
        types = [row["cycle"][layer % len(row["cycle"])] for layer in range(layers)]
        types[-1:] = [row["last"] or types[-1]]
    kinds = [str(kind) for kind in _one_each("layer_types", types, layers)]
    for kind in kinds:
        if kind not in row["kinds"]:
            raise BilingualValueError(
                f"layer_types 里的 {kind!r} 不认识；有的是 {', '.join(row['kinds'])}",
                f"layer_types has {kind!r}, which is not known; known are {', '.join(row['kinds'])}",
            )
    return kinds


def _one_each(name: str, values: Any, layers: int) -> list[Any]:
    """Return ``values`` if it is a list with an entry for each layer; ValueError otherwise."""
    if not isinstance(values, list) or len(values) != layers:
        raise BilingualValueError(
            f"{name} 必须是 {layers} 项的列表，每层一项",
            f"{name} must be a list of {layers}, one for each layer",
        )
    return values


def _layer(values: Row, row: Row, kind: str) -> Layer:
    """Return a layer of one kind, at the sizes of the file."""
    facts = row["kinds"][kind]
    if not facts["attends"]:
        return Layer(attends=False)
    window = values.get(facts["window"])
    window = whole_number(facts["window"], window, 1) // facts["halved"] if window else None
    parts = [_part(values, row, kind, makes) for makes in facts["makes"]]
    rotations = []
    for part in parts:
        if "d_head" in part.settings:
            own = rates(part)
            turning = 2 * sum(map(bool, own))
            rotations.append(Rotation("attention", facts["pairing"], turning, part.settings["base"], own))
    heat = next((part.settings for part in parts if part.makes is QueryTemperature), None)
    return Layer(
        sees=facts["sees"] if window else "whole",
        window=window,
        reads=facts["reads"],
        rotations=tuple(rotations),
        bias=facts["bias"],
        temperature=dict(heat, kind="QueryTemperature") if heat else None,
        sink=facts["sink"],
        parts=tuple(parts),
        remarks=tuple(Text(*remark) for remark in facts["remarks"]),
    )


def _part(values: Row, row: Row, kind: str, makes: str) -> Part:
    """Return one encoding of a layer."""
    if makes == "ALiBi":
        return Part(ALiBi, {"n_heads": _whole(values, "num_attention_heads")})
    if makes == "LearnedEncoding":
        rows = _whole(values, "max_position_embeddings") + row["kinds"][kind]["more_rows"]
        rows = whole_number("max_position_embeddings", rows, 1)
        return Part(LearnedEncoding, {"d_model": _whole(values, "hidden_size"), "max_len": rows})
    if makes == "T5RelativeBias":
        names = ("num_attention_heads", "relative_attention_num_buckets", "relative_attention_max_distance")
        heads, buckets, farthest = (_whole(values, name) for name in names)
        sizes = {"n_heads": heads, "n_buckets": buckets, "max_distance": farthest}
        return Part(T5RelativeBias, {**sizes, "bidirectional": kind == "encoder"})
    rope = _rope(values, row, kind.partition("/")[0])
    if makes == "RotaryEncoding":
        return _rotary(values, row, kind, rope)
    if (beta := rope.get("llama_4_scaling_beta")) is not None:
        return Part(QueryTemperature, {"scale": beta, "step": rope[_ORIGINAL], "plus": 0})
    scale = number("attn_scale", values.get("attn_scale"))
    return Part(QueryTemperature, {"scale": scale, "step": _whole(values, "floor_scale")})


def _rotary(values: Row, row: Row, kind: str, rope: Row) -> Part:
    """Return the rotation of a layer; the class computes a share of the head as ``int`` does."""
    facts = row["kinds"][kind]
    if facts["head"]:
        head = _whole(values, facts["head"], 2)
    else:
        width, heads = _whole(values, "hidden_size"), _whole(values, "num_attention_heads")
        if width % heads:
            raise BilingualValueError(
                f"hidden_size={width} 不能被 num_attention_heads={heads} 整除",
                f"hidden_size={width} is not divisible by num_attention_heads={heads}",
            )
        head = values.get("head_dim") or width // heads
    if head > MOST_HEAD_WIDTH:
        raise BilingualValueError(
            f"头宽最多是 {MOST_HEAD_WIDTH}", f"heads have at most {MOST_HEAD_WIDTH} features"
        )
    shares = "partial_rotary_factor" in row["keys"].values()
    turned = int(head * rope.get("partial_rotary_factor", 1.0)) if shares else head
    if values.get("rotary_dim") is not None:
        turned = _whole(values, "rotary_dim", 2)
    part = rotary_part(rope, values.get("max_position_embeddings"), head, facts["pairing"], turned)
    part.makes(**part.settings)  # lists of factors of the wrong length are refused here
    return part


def _rope(values: Row, row: Row, kind: str) -> dict[str, Any]:
    """Return the settings of RoPE for one kind of layer, from old keys and new ones."""
    default = row["rope"].get(kind) or row["rope"].get("") or {"rope_theta": 10000.0}
    inside = values["rope"]
    if any(isinstance(value, Mapping) for value in inside.values()):
        inside = inside.get(kind) or {}
    elif kind in row["rope"] and kind not in row["stretched"]:
        inside = {}
    rope = {**(inside or default), "rope_type": kind_of(inside or default)}
    rope.pop("type", None)
    outside = {
        "rope_theta": values.get(f"rope_theta of {kind}", values.get("rope_theta")),
        "partial_rotary_factor": values.get("partial_rotary_factor"),
    }
    if rope["rope_type"] in _WITH_ORIGINAL:
        outside[_ORIGINAL] = values.get(_ORIGINAL)
    for name, value in outside.items():
        value = default.get(name) if value is None else value
        if value is not None and name not in inside:
            rope[name] = value
    check_numbers(rope)
    return rope
