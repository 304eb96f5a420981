"""Measure every type of text model that transformers has: ``python -m tests.oracles.config_census``.

    python -m tests.oracles.config_census                what is missing; results are kept in build/census
    python -m tests.oracles.config_census llama gemma3   only these, again
    python -m tests.oracles.config_census --write        write configs/census.json of the kept results

It takes most of an hour on one core, may be stopped at any time and goes on where it was.
"""

import datetime
import gc
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import transformers
from transformers.models.auto import modeling_auto as auto
from transformers.models.auto.configuration_auto import CONFIG_MAPPING, model_type_to_module_name

from posenc_lessons import configs
from posenc_lessons.configs import Layer, Rotation
from posenc_lessons.configs.measured import read_measured
from posenc_lessons.configs.small import attribute, full_config, text_of
from posenc_lessons.language import BilingualValueError

KEPT = Path("build") / "census"
TABLE = Path(configs.__file__).with_name("census.json")
#: Layers of a type that has more by default.
FEW = 16
_MAPPINGS = (
    auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    auto.MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES,
)


#: What a released file says and the class needs, for types whose defaults alone give no model.
_SECTIONS = {
    "rope_type": "default",
    "rope_theta": 10000.0,
    "partial_rotary_factor": 0.5,
    "mrope_section": [8, 12, 12],
}
EXAMPLES: dict[str, dict[str, Any]] = {
    "glm4v_text": {"rope_parameters": _SECTIONS},
    "glm4v_moe_text": {"rope_parameters": _SECTIONS, "head_dim": 128},
    "gemma4_assistant": {
        "text_config": {
            **{
                "model_type": "gemma4_text",
                "hidden_size_per_layer_input": 0,
                "vocab_size_per_layer_input": 0,
            },
            "num_kv_shared_layers": 30,
        }
    },
    "glm4_moe": {"head_dim": 128},
    "chameleon": {"vocabulary_map": {"<image>": 5}},
    "cohere_compass_text": {
        "rope_parameters": {
            "full_attention": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [24, 20, 20]}
        }
    },
    "deepseek_ocr2_text": {"num_hidden_layers": 2, "mlp_layer_types": ["dense", "sparse"]},
    "dbrx": {"attn_config": {"kv_n_heads": 2, "rope_theta": 10000.0, "clip_qkv": 8.0}},
    "esm": {"pad_token_id": 1, "mask_token_id": 3, "token_dropout": False, "vocab_size": 64},
    "granitemoehybrid": {"num_hidden_layers": 4, "layer_types": ["mamba", "mamba", "attention", "mamba"]},
    "bamba": {"attn_layer_indices": [9, 18, 27]},
    "hunyuan_v1_dense": {"head_dim": 128},
    "hunyuan_v1_moe": {"head_dim": 128},
    "lfm2_moe": {"num_hidden_layers": 8, "layer_types": ["conv", "conv", "full_attention", "conv"] * 2},
    "hunyuan_vl_text": {
        "head_dim": 128,
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": 10000.0,
            "xdrope_section": [16, 16, 16, 16],
        },
    },
    "qwen4_exp_text": {
        **{"indexer_n_heads": 2, "indexer_kv_heads": 1, "indexer_head_dim": 256, "indexer_budget": 64},
        **{"indexer_compress_ratio": 4, "split_ngram_parts": 1, "hc_lowrank": 16},
    },
    "reformer": {
        **{"is_decoder": True, "hidden_size": 128, "max_position_embeddings": 600},
        **{"axial_pos_shape": [20, 30], "axial_pos_embds_dim": [32, 96]},
    },
    "step3p5": {"sliding_window": 512},
    "xmod": {"languages": ["en_XX"], "default_language": "en_XX"},
}


def model_types() -> list[str]:
    """Return every type with a causal, masked, sequence-to-sequence or multimodal language model, by name."""
    return sorted({name for mapping in _MAPPINGS for name in mapping if name in CONFIG_MAPPING})


def language_types() -> set[str]:
    """Return the types with a causal, masked or sequence-to-sequence language model."""
    return {name for mapping in _MAPPINGS[:3] for name in mapping}


def look(name: str) -> dict[str, Any]:
    """Return the row of the type ``name``, by its defaults; "of" for one whose text model is another type."""
    row: dict[str, Any] = {"folder": model_type_to_module_name(name)}
    keys = {"model_type": name, **EXAMPLES.get(name, {})}
    try:
        inner = text_of(full_config(keys))
        if inner.model_type != name and inner.model_type in CONFIG_MAPPING:
            return {**kept(inner.model_type), **row, "of": inner.model_type}
        return row | summary(_fewer(keys, inner).layers)
    except Exception as error:  # a class may raise anything; why a type is not read is the result
        why = getattr(error, "en", f"{type(error).__name__}: {error}")[:300]
        return row | summary([]) | {"kind": "unseen", "error": why}
    finally:
        gc.collect()


def _fewer(keys: dict[str, Any], config: Any) -> Any:
    """Measure a type with FEW layers, enough to see its pattern; with all of them if its class objects."""
    if (attribute(config, "num_hidden_layers") or 0) > FEW and "num_hidden_layers" not in keys:
        try:
            return read_measured({**keys, "num_hidden_layers": FEW}, keys["model_type"])
        except BilingualValueError:
            pass
    return read_measured(keys, keys["model_type"])


def kept(name: str, again: bool = False) -> dict[str, Any]:
    """Return the kept result of ``name`` with this version of transformers, or look now and keep it."""
    path = KEPT / transformers.__version__ / f"{name}.json"
    if path.exists() and not again:
        return json.loads(path.read_text("utf-8"))
    start = time.perf_counter()
    row = look(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
    print(f"{name} {time.perf_counter() - start:.0f} s", row.get("error", "measured"), flush=True)
    return row


def summary(layers: Sequence[Layer]) -> dict[str, Any]:
    """Return a type's row in census.json, of what its layers do."""
    attending = [layer for layer in layers if layer.attends]
    turning = [
        (layer, rotation) for layer in attending for rotation in layer.rotations if rotation.of == "attention"
    ]
    share, amount = _share(*turning[0]) if turning else (None, None)
    lacks = next((layer.lacks for layer in attending if layer.lacks), None)
    extensions = [layer.settings["extension"] for layer in attending if layer.settings.get("extension")]
    return {
        "kind": _kind(layers),
        "doors": _doors(attending),
        "pairing": turning[0][1].pairing if turning else None,
        "share": share,
        "amount": amount,
        "bases": sorted({rotation.base for _, rotation in turning if rotation.base}),
        "layers": _pattern(layers),
        "extension": extensions[0].method if extensions else "",
        "sink": any(layer.sink for layer in attending),
        "indexer": any(rotation.of == "indexer" for layer in attending for rotation in layer.rotations),
        "why": [lacks.zh, lacks.en] if lacks else None,
    }


def _kind(layers: Sequence[Layer]) -> str:
    if any(layer.reason for layer in layers):
        return "unseen"
    if any(layer.lacks for layer in layers):
        return "unlike"
    makes = {part.makes.__name__ for layer in layers for part in layer.parts}
    kinds = {
        "RotaryEncoding": "rotary",
        "MultiAxisRotary": "rotary",
        "LearnedEncoding": "learned",
        "SinusoidalEncoding": "sinusoidal",
        "T5RelativeBias": "t5",
        "ALiBi": "alibi",
    }
    return next((kind for name, kind in kinds.items() if name in makes), "none")


def _doors(attending: Sequence[Layer]) -> list[int]:
    """Return the doors by which positions come in."""
    rotates = any(rotation.of == "attention" for layer in attending for rotation in layer.rotations)
    holds = {
        1: any(layer.reads == "place" for layer in attending),
        2: rotates or any(layer.temperature for layer in attending),
        3: any(layer.bias for layer in attending),
        4: any(layer.lacks and layer.lacks.en.startswith("4") for layer in attending),
    }
    return [door for door, used in holds.items() if used]


def _share(layer: Layer, rotation: Rotation) -> tuple[str, str | None]:
    if rotation.start:
        return "apart", str(rotation.features)
    head = layer.settings.get("d_head") or rotation.features
    amount = f"{100 * rotation.features / head:.3g}%"
    if layer.settings.get("turning_pairs") is not None:
        return "proportional", amount
    return ("part", amount) if rotation.features < head else ("whole", None)


def _pattern(layers: Sequence[Layer]) -> dict[str, int]:
    """Return how often each kind of layer comes in the shortest list that repeats."""

    def kind(layer: Layer) -> str:
        if not layer.attends or layer.reads == "none":
            return "none" if layer.attends else "no_attention"
        return "full" if layer.window is None else "window"

    return dict(Counter(cycle([kind(layer) for layer in layers])))


def cycle(kinds: list[str]) -> list[str]:
    """Return the shortest list that repeats into ``kinds``."""
    sizes = range(1, len(kinds))
    return next((kinds[:n] for n in sizes if all(kinds[i] == kinds[i % n] for i in range(len(kinds)))), kinds)


def write() -> None:
    """Write census.json of the kept results; print how many types are measured, and why others are not."""
    rows = {
        name: kept(name)
        for name in model_types()
        if (KEPT / transformers.__version__ / f"{name}.json").exists()
    }
    of = {name: row["of"] for name, row in rows.items() if "of" in row}
    types: dict[str, Any] = {}
    for name, row in rows.items():
        shown = {key: row[key] for key in row if key not in ("of", "error")}
        types.setdefault(of.get(name, name), shown)
    head = {"transformers": transformers.__version__, "date": datetime.date.today().isoformat()}
    lines = [f"  {json.dumps(name)}: {json.dumps(types[name], ensure_ascii=False)}" for name in sorted(types)]
    TABLE.write_text(
        f'{{"made": {json.dumps(head)},\n "of": {json.dumps(of)},\n "types": {{\n'
        + ",\n".join(lines)
        + "\n }}\n",
        "utf-8",
    )
    kinds = {name: types[of.get(name, name)]["kind"] for name in rows}
    unseen = [name for name, kind in kinds.items() if kind == "unseen"]
    for title, names in (("all", set(rows)), ("causal, masked or seq2seq", language_types() & rows.keys())):
        reading = {name for name in names if kinds[name] != "none"}
        share = 1 - len(reading.intersection(unseen)) / len(reading)
        print(
            f"types, {title}: {len(names)}; with positions: {len(reading)}, of which {share:.1%} are measured"
        )
    for name in unseen:
        print(f"not measured: {name}: {rows[name].get('error', 'a layer')[:150]}")


def main(arguments: list[str]) -> None:
    """Look at the named types, or at all that are not kept."""
    transformers.logging.set_verbosity_error()
    if "--write" in arguments:
        write()
        return
    wanted = [name for name in arguments if not name.startswith("-")]
    for name in wanted or model_types():
        kept(name, again=bool(wanted))


if __name__ == "__main__":
    main(sys.argv[1:])
