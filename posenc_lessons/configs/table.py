"""Read a configuration from ``table.json``, for well-known types where transformers is not installed.

A row has the type's defaults, other names of keys, and what was measured in each kind of layer. Keys that
only a measurement can follow have the one value in ``fixed`` that the row is true for.
``python -m tests.oracles.config_table`` makes it by measuring.
"""

from __future__ import annotations

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


@cache
def table() -> Mapping[str, Any]:
    """Return the table: "transformers", its version, and "types", a row for each type."""
    return json.loads(Path(__file__).with_name("table.json").read_text("utf-8"))


class Keys:
    """The keys of a file, under any of their names, and the defaults of the type."""

    def __init__(self, file: Row, row: Row) -> None:
        self.file, self.row, self.read = file, row, {*row["harmless"], "rope_parameters", "rope_scaling"}

    def own(self, name: str) -> Any:
        """Return what the file has for ``name``, or None."""
        names = [name, *self.row["names"].get(name, ())]
        self.read.update(names)
        return next((self.file[name] for name in names if self.file.get(name) is not None), None)

    def value(self, name: str) -> Any:
        """Return what the file has for ``name``, or the default; a null is no window."""
        value = self.own(name)
        if value is None and not (name in self.file and "window" in name):
            value = self.row["defaults"].get(name)
        return value

    def whole(self, name: str, least: int = 1) -> int:
        """Return ``value`` as a whole number."""
        return whole_number(name, self.value(name), least)


def read_table(keys: Row, shown: str) -> ModelPositions:
    """Return what the table says of the model of ``keys``; it was compared with measurements when made."""
    types = table()["types"]
    if keys["model_type"] not in types:
        raise unknown_type(keys, types, Text("课程的表", "the course's table"), True)
    file, where = keys, ""
    row = types[keys["model_type"]]
    if "of" in row:
        if isinstance(inner := keys.get("text_config"), Mapping):
            file, where = inner, "text_config."
        row = types[row["of"]]
    entries = Keys(file, row)
    names = _kinds(entries)
    for name in set(names):
        if name not in row["kinds"]:
            raise BilingualValueError(
                f"layer_types 里的 {name!r} 不认识；有的是 {', '.join(row['kinds'])}",
                f"layer_types has {name!r}, which is not known; known are {', '.join(row['kinds'])}",
            )
    layers = {name: _layer(entries, name, row["kinds"][name]) for name in dict.fromkeys(names)}
    unread = [
        key for key in file if key not in entries.read and about_positions(key) and file[key] is not None
    ]
    for key, rope in ropes_in(file).items():
        unread += [f"{key}.{name}" for name in unread_of_rope(rope)]
    outside = [key for key in keys if where and about_positions(key) and keys[key] is not None]
    return ModelPositions(
        shown,
        tuple(layers[name] for name in names),
        table()["transformers"],
        True,
        (*outside, *(where + key for key in unread)),
    )


def _kinds(keys: Keys) -> list[str]:
    """Return the kind of each layer: the file's list of types, or the type's own rule."""
    row, layers = keys.row, keys.whole("num_hidden_layers")
    if row["decoder_layers"]:
        later = keys.own(row["decoder_layers"])
        later = layers if later is None else whole_number(row["decoder_layers"], later, 1)
        return ["encoder"] * min(layers, MOST_LAYERS) + ["decoder"] * min(later, MOST_LAYERS)
    turns = keys.own("no_rope_layers") if row["by_rope"] else None
    types = keys.own("layer_types")
    ordered = row["order"] if not (turns or types) else {}
    for key, value in {**row["fixed"], **ordered}.items():
        other = keys.own(key)
        if other is not None and (bool(other) if isinstance(value, bool) else other) != value:
            raise BilingualValueError(
                f"课程的表只有 {key} = {value}，这里是 {other}。要去量：{INSTALL}",
                f"the course's table only has {key} = {value}, here it is {other}. To have it measured:"
                f" {INSTALL}",
            )
    keys.read.update(row["order"])
    if turns:
        return [row["by_rope"][0 if turn else 1] for turn in _one_each("no_rope_layers", turns, layers)]
    if types is None or row["by_rope"]:
        types = [row["cycle"][layer % len(row["cycle"])] for layer in range(layers)]
        types[-1:] = [row["last"] or types[-1]]
    return [str(kind) for kind in _one_each("layer_types", types, layers)]


def _one_each(name: str, values: Any, layers: int) -> list[Any]:
    """Return ``values`` if it is a list with an entry for each layer; ValueError otherwise."""
    if not isinstance(values, list) or len(values) != layers:
        raise BilingualValueError(
            f"{name} 必须是 {layers} 项的列表，每层一项",
            f"{name} must be a list of {layers}, one for each layer",
        )
    return values


def _layer(keys: Keys, name: str, facts: Row) -> Layer:
    """Return a layer of one kind, at the sizes of the file."""
    if not facts["attends"]:
        return Layer(attends=False)
    window = keys.value(facts["window"]) if facts["window"] else None
    window = whole_number(facts["window"], window, 1) // facts["halved"] if window else None
    parts = [_part(keys, name, facts, makes) for makes in facts["makes"]]
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


def _part(keys: Keys, name: str, facts: Row, makes: str) -> Part:
    """Return one encoding of a layer."""
    heads = "num_attention_heads"
    if makes == "ALiBi":
        return Part(ALiBi, {"n_heads": keys.whole(heads)})
    if makes == "LearnedEncoding":
        rows = whole_number("max_position_embeddings", keys.value("max_position_embeddings"), 1)
        rows = whole_number("max_position_embeddings", rows + facts["more_rows"], 1)
        return Part(LearnedEncoding, {"d_model": keys.whole("hidden_size"), "max_len": rows})
    if makes == "T5RelativeBias":
        buckets, farthest = (
            keys.whole(f"relative_attention_{key}") for key in ("num_buckets", "max_distance")
        )
        sizes = {"n_heads": keys.whole(heads), "n_buckets": buckets, "max_distance": farthest}
        return Part(T5RelativeBias, {**sizes, "bidirectional": name == "encoder"})
    rope = _rope(keys, name.partition("/")[0])
    if makes == "RotaryEncoding":
        return _rotary(keys, facts, rope)
    if (beta := rope.get("llama_4_scaling_beta")) is not None:
        step = rope["original_max_position_embeddings"]
        return Part(QueryTemperature, {"scale": beta, "step": step, "plus": 0})
    scale = number("attn_scale", keys.value("attn_scale"))
    return Part(QueryTemperature, {"scale": scale, "step": keys.whole("floor_scale")})


def _rotary(keys: Keys, facts: Row, rope: Row) -> Part:
    """Return the rotation of a layer; the class computes a share of the head as ``int`` does."""
    if facts["head"]:
        head = keys.whole(facts["head"], 2)
    else:
        width, heads = keys.whole("hidden_size"), keys.whole("num_attention_heads")
        if width % heads:
            raise BilingualValueError(
                f"hidden_size={width} 不能被 num_attention_heads={heads} 整除",
                f"hidden_size={width} is not divisible by num_attention_heads={heads}",
            )
        head = keys.own("head_dim") or width // heads
    if head > MOST_HEAD_WIDTH:
        raise BilingualValueError(
            f"头宽最多是 {MOST_HEAD_WIDTH}", f"heads have at most {MOST_HEAD_WIDTH} features"
        )
    turned = int(head * rope.get("partial_rotary_factor", 1.0)) if keys.row["share"] else head
    if keys.row["rotary_dim"] and (features := keys.value("rotary_dim")) is not None:
        turned = whole_number("rotary_dim", features, 2)
    part = rotary_part(rope, keys.value("max_position_embeddings"), head, facts["pairing"], turned)
    part.makes(**part.settings)  # lists of factors of the wrong length are refused here
    return part


def _rope(keys: Keys, kind: str) -> dict[str, Any]:
    """Return the settings of RoPE for one kind of layer, from old keys and new ones."""
    row = keys.row
    default = row["rope"].get(kind) or row["rope"].get("") or {"rope_theta": 10000.0}
    inside = keys.own("rope_parameters") or keys.own("rope_scaling") or {}
    if not isinstance(inside, Mapping):
        raise BilingualValueError("rope_scaling 必须是 JSON 的对象", "rope_scaling must be a JSON object")
    if any(isinstance(value, Mapping) for value in inside.values()):
        inside = inside.get(kind) or {}
    elif kind in row["rope"] and kind not in row["stretched"]:
        inside = {}
    rope = dict(inside or default)
    rope["rope_type"] = kind_of(rope)
    rope.pop("type", None)
    outside = {
        "rope_theta": row["theta"].get(kind) or row["theta"].get("") or [],
        "partial_rotary_factor": row["share"],
        "original_max_position_embeddings": ["original_max_position_embeddings"],
    }
    if rope["rope_type"] not in ("yarn", "longrope", "llama3"):
        del outside["original_max_position_embeddings"]
    for name, keys_of_it in outside.items():
        value = next((value for key in keys_of_it if (value := keys.own(key)) is not None), default.get(name))
        if value is not None and name not in inside:
            rope[name] = value
    check_numbers(rope)
    return rope
