"""Write the table of well-known types by measuring them: ``python -m tests.oracles.config_table``.

Each type is measured with its defaults and with keys changed one at a time; what changes in its layers says
what a key means. ``test_configs_oracles.py`` compares files that the table reads with measurements.
"""

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import transformers

from posenc_lessons import configs
from posenc_lessons.configs import Layer
from posenc_lessons.configs.measured import read_measured
from posenc_lessons.configs.small import attribute, full_config, text_of
from posenc_lessons.language import BilingualValueError
from tests.oracles.config_census import cycle

TYPES = """
    bert bloom cohere cohere2 deepseek_v3 falcon gemma gemma2 gemma3 gemma4 gpt2 gpt_neox gpt_oss gptj llama
    llama4 minimax_m2 ministral3 mistral mixtral modernbert olmo2 opt phi phi3 qwen2 qwen3 qwen3_moe
    qwen3_next roberta smollm3 t5
"""
#: Keys whose defaults the table needs, where the class has them.
KEYS = """
    hidden_size num_attention_heads num_hidden_layers max_position_embeddings head_dim global_head_dim
    qk_rope_head_dim rotary_dim sliding_window attention_chunk_size attn_scale local_attention floor_scale
    relative_attention_num_buckets relative_attention_max_distance
"""
#: Keys that set which layers are of which kind, and those with true or false that change a kind. The table
#: has their defaults only.
ORDER = """
    sliding_window_pattern full_attention_interval no_rope_layer_interval global_attn_every_n_layers
"""
SWITCHES = "alibi rope_interleave attn_temperature_tuning use_sliding_window"
BASES = ("rope_theta", "rotary_emb_base", "rope_local_base_freq", "global_rope_theta", "local_rope_theta")
SHARES = ("partial_rotary_factor", "rotary_pct")
#: Keys that well-known files have, and that change nothing about positions.
HARMLESS = """
    position_embedding_type n_ctx n_positions use_sliding_window max_window_layers rope_interleaved use_mrope
    layer_types head_dim num_hidden_layers
"""
WINDOWS = ("sliding_window", "attention_chunk_size", "local_attention")
MARK = 12345.0
TABLE = Path(configs.__file__).with_name("table.json")


def measured(name: str, **keys: Any) -> list[Layer] | None:
    """Return the layers of a type with these keys, or None if its class refuses them."""
    try:
        return list(read_measured({"model_type": name, "num_hidden_layers": 12, **keys}, name).layers)
    except BilingualValueError:
        return None


def config(name: str, **keys: Any) -> Any:
    return text_of(full_config({"model_type": name, **keys}))


def row_of(name: str) -> dict[str, Any]:
    """Return the row of a text model's type."""
    made = config(name, num_hidden_layers=12)
    fields = {field.name: field.default for field in dataclasses.fields(type(made))}
    default = config(name)
    defaults: dict[str, Any] = {
        key: value for key in KEYS.split() if isinstance(value := attribute(default, key), (int, float))
    }
    if not isinstance(fields.get("head_dim"), int):
        defaults.pop("head_dim", None)  # the class divides the width by the heads
    spread = made.model_type.startswith("gemma4")  # its class spreads two widths of heads over the layers
    if spread:
        defaults |= {"head_dim": fields["head_dim"], "global_head_dim": 512}
    layers = measured(name)
    assert layers is not None, name
    kinds = [_kind(made, layer, number) for number, layer in enumerate(layers)]
    fixed = {key: bool(fields[key]) for key in SWITCHES.split() if key in fields} | _order(name)
    rope = _ropes(made)
    return {
        "keys": _keys(name, made, {*defaults, *fixed}),
        "defaults": defaults,
        "kinds": _facts(name, made, defaults),
        "cycle": cycle(kinds[:-1] if spread else kinds),
        "last": kinds[-1] if spread else None,
        "fixed": fixed,
        "rope": rope,
        "stretched": _stretched(name),
    }


def _keys(name: str, made: Any, others: set[str]) -> dict[str, str]:
    """Return the keys that the type reads or may have, each with its standard name."""
    keys = {key: key for key in {*HARMLESS.split(), *others}}
    keys |= {key: key for key in KEYS.split() if key in type(made).__dataclass_fields__}
    keys |= {key: standard for standard, key in made.attribute_map.items() if standard in KEYS.split()}
    keys |= {"no_rope_layers": "no_rope_layers"} if attribute(made, "no_rope_layers") else {}
    keys |= {"num_decoder_layers": "num_decoder_layers"} if made.is_encoder_decoder else {}
    for key in BASES:
        for kind, rope in _ropes(config(name, **{key: MARK})).items():
            if rope.get("rope_theta") == MARK:
                keys[key] = f"rope_theta of {kind}" if kind else "rope_theta"
    for key in SHARES:
        if _features(name, **{key: 0.25}) != _features(name, **{key: 0.75}):
            keys[key] = "partial_rotary_factor"
    keys.pop("rotary_dim", None)
    if _features(name, rotary_dim=40) == 40:
        keys["rotary_dim"] = "rotary_dim"
    return dict(sorted(keys.items()))


def _kind(made: Any, layer: Layer, number: int) -> str:
    """Return the name of a layer's kind: its type, and "/still" where a list says that it does not rotate."""
    if made.is_encoder_decoder:
        return "encoder" if layer.settings.get("bidirectional") else "decoder"
    types = attribute(made, "layer_types")
    still = bool(attribute(made, "no_rope_layers")) and layer.attends and not layer.rotations
    return (types[number] if types else "full_attention") + ("/still" if still else "")


def _facts(name: str, made: Any, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return what each kind of layer of a type does; windows are read with values that name their keys."""
    marks = {key: 4320 + 2 * n for n, key in enumerate(WINDOWS) if key in type(made).__dataclass_fields__}
    layers = measured(name, **marks) or measured(name) or []
    made = config(name, num_hidden_layers=12, **marks)
    facts: dict[str, Any] = {}
    for number, layer in enumerate(layers):
        kind = _kind(made, layer, number)
        if kind in facts:
            continue
        window, halved = next(
            (
                (key, times)
                for key, mark in marks.items()
                for times in (1, 2)
                if layer.window == mark // times
            ),
            (None, 1),
        )
        fact: dict[str, Any] = {"attends": layer.attends}
        if layer.attends:
            rotation = next((item for item in layer.rotations if item.of == "attention"), None)
            fact |= {
                "sees": layer.sees,
                "window": window,
                "halved": halved,
                "reads": layer.reads,
                "makes": [part.makes.__name__ for part in layer.parts],
                "pairing": rotation.pairing if rotation else None,
                "head": _head(rotation, layer, defaults),
                "bias": layer.bias,
                "sink": layer.sink,
                "more_rows": layer.settings.get("max_len", 0) - defaults.get("max_position_embeddings", 0),
                "remarks": [[remark.zh, remark.en] for remark in layer.remarks],
            }
        facts[kind] = fact
    return facts


def _head(rotation: Any, layer: Layer, defaults: Mapping[str, Any]) -> str | None:
    """Return the key with the width of heads; None if it is the model's width over their number."""
    if rotation is None:
        return None
    if rotation.start:
        return "qk_rope_head_dim"
    if layer.settings["d_head"] == defaults.get("global_head_dim"):
        return "global_head_dim"
    return "head_dim" if "head_dim" in defaults else None


def _order(name: str) -> dict[str, int]:
    """Return the keys that set which layers are of which kind, with the numbers of the default order."""
    usual = _lists(name)
    orders = {key: {size: _lists(name, **{key: size}) for size in range(2, 7)} for key in ORDER.split()}
    return {
        key: next(size for size, lists in by_size.items() if lists == usual)
        for key, by_size in orders.items()
        if by_size[3] != by_size[4]
    }


def _lists(name: str, **keys: Any) -> tuple[Any, Any]:
    made = config(name, num_hidden_layers=12, **keys)
    return attribute(made, "layer_types"), attribute(made, "no_rope_layers")


def _ropes(made: Any) -> dict[str, Any]:
    """Return the settings of RoPE by type of layer, under "" if all have the same."""
    rope = attribute(made, "rope_parameters")
    if not isinstance(rope, Mapping) or not rope:
        return {}
    nested = {key: dict(value) for key, value in rope.items() if isinstance(value, Mapping)}
    return nested or {"": dict(rope)}


def _stretched(name: str) -> list[str]:
    """Return the types of layers that ``rope_scaling`` stretches."""
    try:
        made = config(name, rope_scaling={"rope_type": "linear", "factor": 4.0})
    except Exception:  # Phi-3's class takes no linear one
        return [""]
    return [kind for kind, rope in _ropes(made).items() if rope.get("factor") == 4.0]


def _features(name: str, **keys: Any) -> int | None:
    """Return how many features of the first layer rotate with these keys."""
    layers = measured(name, num_hidden_layers=4, **keys) or []
    return next((layer.rotations[0].features for layer in layers if layer.rotations), None)


def main() -> None:
    """Write the table, with a type on each line."""
    rows: dict[str, Any] = {}
    for name in TYPES.split():
        inner = config(name).model_type
        if inner != name:
            rows[name] = {"of": inner}
        rows[inner] = row_of(inner)
        print(name, flush=True)
    lines = [
        f"  {json.dumps(name)}: {json.dumps(row, ensure_ascii=False)}" for name, row in sorted(rows.items())
    ]
    head = f'{{"transformers": {json.dumps(transformers.__version__)},\n "types": {{\n'
    TABLE.write_text(head + ",\n".join(lines) + "\n }}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
