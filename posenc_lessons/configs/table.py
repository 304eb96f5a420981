"""Read a configuration from ``table.json``, for well-known types where transformers is not installed.

A row has the type's defaults and other names of keys; for each kind of layer what was measured in it; and
which keys set the kinds. ``python -m tests.oracles.config_table`` makes it by measuring.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from posenc_lessons.configs.files import MOST_HEAD_WIDTH, MOST_LAYERS, about_positions, unknown_type
from posenc_lessons.configs.layers import Layer, ModelPositions, Part, Rotation
from posenc_lessons.configs.rope import kind_of, rates, rotary_part, unread_of_rope
from posenc_lessons.encodings import alibi, learned, t5, temperature
from posenc_lessons.encodings.arguments import number, whole_number
from posenc_lessons.language import BilingualValueError, Text

Row = Mapping[str, Any]


@cache
def table() -> Mapping[str, Any]:
    """Return the table: "transformers", its version, and "types", a row for each type."""
    return json.loads(Path(__file__).with_name("table.json").read_text("utf-8"))


class Keys:
    """The keys of a file, under any of their names, and the defaults of the type."""

    def __init__(self, file: Row, row: Row) -> None:
        self.file, self.row, self.read = file, row, set[str]()

    def said(self, name: str) -> Any:
        """Return what the file says for ``name``, or None."""
        names = [name, *self.row["names"].get(name, ())]
        self.read.update(names)
        return next((self.file[name] for name in names if self.file.get(name) is not None), None)

    def value(self, name: str) -> Any:
        """Return what the file says for ``name``, or the default; a null is no window."""
        value = self.said(name)
        if value is None and name in self.file and "window" in name:
            return None
        return self.row["defaults"].get(name) if value is None else value

    def whole(self, name: str, least: int = 1) -> int:
        """Return ``value`` as a whole number."""
        value = self.value(name)
        if value is None:
            raise BilingualValueError(f"缺少键 {name}", f"there is no key {name}")
        return whole_number(name, value, least)


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
    found = Keys(file, row)
    kinds: Row = row["kinds"]
    for switch in row["switches"]:
        if found.said(switch["key"]) is not None and bool(found.said(switch["key"])) == switch["value"]:
            kinds = {**kinds, **switch["kinds"]}
    layers = whole_number("num_hidden_layers", found.value("num_hidden_layers"), 1)
    if layers > MOST_LAYERS:
        raise BilingualValueError(
            f"num_hidden_layers 最多是 {MOST_LAYERS}，收到 {layers}",
            f"num_hidden_layers must be at most {MOST_LAYERS}; got {layers}",
        )
    known: dict[str, Layer] = {}
    names = _kinds(found, layers)
    for name in names:
        if name not in kinds:
            raise BilingualValueError(
                f"layer_types 里的 {name!r} 不认识；有的是 {', '.join(kinds)}",
                f"layer_types has {name!r}, which is not known; known are {', '.join(kinds)}",
            )
        if name not in known:
            known[name] = _layer(found, name, kinds[name])
    for name in (*row["read"], *row["harmless"]):
        found.said(name)
    unread = [
        where + key
        for key in file
        if key not in found.read and about_positions(key) and file[key] is not None
    ]
    outside = [key for key in keys if where and about_positions(key) and keys[key] is not None]
    unread += [*outside, *(where + key for key in _unread_of_rope(found))]
    return ModelPositions(
        shown, tuple(known[name] for name in names), table()["transformers"], True, tuple(unread)
    )


def _kinds(keys: Keys, layers: int) -> list[str]:
    """Return the kind of each layer: the file's list of types, or the type's own rule."""
    row = keys.row
    if row["decoder_layers"]:
        later = keys.said(row["decoder_layers"])
        later = layers if later is None else whole_number(row["decoder_layers"], later, 1)
        return ["encoder"] * layers + ["decoder"] * min(later, MOST_LAYERS)
    types, cycle = keys.said("layer_types"), list(row["cycle"])
    period = keys.said(row["period"]) if row["period"] else None
    if period is not None:
        usual, rare = (cycle[-1], cycle[0]) if cycle.count(cycle[0]) == 1 else (cycle[0], cycle[-1])
        others = [usual] * (whole_number(row["period"], period, 1) - 1)
        cycle = [rare, *others] if rare == cycle[0] else [*others, rare]
    if row["by_rope"]:
        turns = keys.said("no_rope_layers")
        if turns:
            turns = _one_each("no_rope_layers", turns, layers)
            return [row["by_rope"][0 if turn else 1] for turn in turns]
        types = None
    if types is None:
        types = [cycle[layer % len(cycle)] for layer in range(layers)]
        types[-1:] = [row["last"] or types[-1]]
        if keys.said("use_sliding_window") and "max_window_layers" in row["defaults"]:
            full = keys.whole("max_window_layers", 0)
            types = ["full_attention" if layer < full else "sliding_attention" for layer in range(layers)]
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
    rotations: tuple[Rotation, ...] = ()
    parts = [_part(keys, name, facts, makes) for makes in facts["makes"]]
    for part in parts:
        if "d_head" in part.settings:
            own = rates(part)
            rotations = (
                Rotation("attention", facts["pairing"], 2 * sum(map(bool, own)), part.settings["base"], own),
            )
    tuned = next((part for part in parts if part.makes.__name__ == "QueryTemperature"), None)
    heat = {"kind": "QueryTemperature", **tuned.settings} if tuned else None
    sees: Any = facts["sees"] if window else "whole"
    remarks = tuple(Text(*remark) for remark in facts["remarks"])
    return Layer(
        True,
        sees,
        window,
        facts["reads"],
        rotations,
        facts["bias"],
        heat,
        facts["sink"],
        parts=tuple(parts),
        lacks=Text(*facts["lacks"]) if facts["lacks"] else None,
        remarks=remarks,
    )


def _part(keys: Keys, name: str, facts: Row, makes: str) -> Part:
    """Return one encoding of a layer."""
    if makes == "RotaryEncoding":
        return _rotary(keys, name, facts)
    heads = "num_attention_heads"
    if makes == "ALiBi":
        return Part(alibi.ALiBi, {"n_heads": keys.whole(heads)})
    if makes == "LearnedEncoding":
        rows = keys.whole("max_position_embeddings") + facts["more_rows"]
        if rows < 1:
            raise BilingualValueError("max_position_embeddings 太小", "max_position_embeddings is too small")
        return Part(learned.LearnedEncoding, {"d_model": keys.whole("hidden_size"), "max_len": rows})
    if makes == "T5RelativeBias":
        sizes = {
            "n_heads": keys.whole(heads),
            "n_buckets": keys.whole("relative_attention_num_buckets"),
            "max_distance": keys.whole("relative_attention_max_distance"),
        }
        return Part(t5.T5RelativeBias, {**sizes, "bidirectional": name == "encoder"})
    rope = _rope(keys, name)
    if (beta := rope.get("llama_4_scaling_beta")) is not None:
        step = rope["original_max_position_embeddings"]
        return Part(temperature.QueryTemperature, {"scale": beta, "step": step, "plus": 0})
    stairs: dict[str, Any] = {
        "scale": number("attn_scale", keys.value("attn_scale")),
        "step": keys.whole("floor_scale"),
    }
    return Part(temperature.QueryTemperature, stairs)


def _rotary(keys: Keys, name: str, facts: Row) -> Part:
    """Return the rotation of a layer; the class computes a share of the head as ``int`` does."""
    rope = _rope(keys, name)
    if facts["head"]:
        head = keys.whole(facts["head"], 2)
    else:
        width, heads = keys.whole("hidden_size"), keys.whole("num_attention_heads")
        if width % heads:
            raise BilingualValueError(
                f"hidden_size={width} 不能被 num_attention_heads={heads} 整除",
                f"hidden_size={width} is not divisible by num_attention_heads={heads}",
            )
        head = keys.said("head_dim") or width // heads
    if head > MOST_HEAD_WIDTH:
        raise BilingualValueError(
            f"头宽最多是 {MOST_HEAD_WIDTH}", f"heads have at most {MOST_HEAD_WIDTH} features"
        )
    turned = head
    if keys.row["rotary_dim"] and (features := keys.value("rotary_dim")) is not None:
        turned = whole_number("rotary_dim", features, 2)
    elif keys.row["share"]:
        share = rope.get("partial_rotary_factor")
        turned = int(head * number("partial_rotary_factor", 1.0 if share is None else share, above=0))
    part = rotary_part(rope, keys.value("max_position_embeddings"), head, facts["pairing"], turned)
    part.makes(**part.settings)  # lists of factors of the wrong length are refused here
    return part


def _rope(keys: Keys, name: str) -> dict[str, Any]:
    """Return the settings of RoPE for one kind of layer, from old keys and new ones."""
    row, name = keys.row, name.partition("/")[0]
    default = row["rope"].get(name) or row["rope"].get("") or {}
    given = keys.said("rope_parameters") or keys.said("rope_scaling") or {}
    keys.read.update(("rope_parameters", "rope_scaling"))
    if not isinstance(given, Mapping):
        raise BilingualValueError("rope_scaling 必须是 JSON 的对象", "rope_scaling must be a JSON object")
    if any(isinstance(value, Mapping) for value in given.values()):
        given = given.get(name) or {}
    elif given and name in row["rope"] and name not in row["stretched"]:
        given = {}
    rope = dict(given) if given else dict(default)
    rope["rope_type"] = kind_of(rope)
    rope.pop("type", None)
    bases = row["theta"].get(name) or row["theta"].get("") or []
    outside = next((value for key in bases if (value := keys.said(key)) is not None), None)
    if outside is not None and "rope_theta" not in given:
        rope["rope_theta"] = outside
    rope.setdefault("rope_theta", default.get("rope_theta", 10000.0))
    number("rope_theta", rope["rope_theta"], above=1)
    share = next((value for key in row["share"] if (value := keys.said(key)) is not None), None)
    if share is not None and "partial_rotary_factor" not in given:
        rope["partial_rotary_factor"] = share
    if "partial_rotary_factor" in default:
        rope.setdefault("partial_rotary_factor", default["partial_rotary_factor"])
    trained = keys.said("original_max_position_embeddings")
    if trained is not None and rope["rope_type"] in ("yarn", "longrope", "llama3"):
        rope["original_max_position_embeddings"] = trained
    return rope


def _unread_of_rope(keys: Keys) -> list[str]:
    """Return the keys inside ``rope_parameters`` or ``rope_scaling`` that its type does not read."""
    ropes = {name: keys.file.get(name) for name in ("rope_parameters", "rope_scaling")}
    inside = {name: unread_of_rope(rope) for name, rope in ropes.items() if isinstance(rope, Mapping)}
    return [f"{name}.{key}" for name, unread in inside.items() for key in unread]
