"""Make the rows of the table from a configuration class's answers and its small model's results."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.oracles.census.experiments import Asked
from tests.oracles.census.folders import ModelType, folder_of, made, source, text_path
from tests.oracles.census.key_rows import keys_row
from tests.oracles.census.layer_rows import layers_row
from tests.oracles.census.rotary_rows import rotary_row
from tests.oracles.census.small import EXAMPLES, LONGEST, WIDTH

Row = dict[str, Any]

#: Names of a size, the usual one first.
_SIZES = {
    "width": ("hidden_size", "d_model", "n_embd", "dim", "emb_dim"),
    "heads": (
        "num_attention_heads",
        "n_head",
        "n_heads",
        "num_heads",
        "decoder_attention_heads",
        "encoder_attention_heads",
    ),
    "layers": (
        "num_hidden_layers",
        "num_layers",
        "n_layer",
        "n_layers",
        "encoder_layers",
        "num_encoder_layers",
        "decoder_layers",
    ),
    "longest": (
        "max_position_embeddings",
        "n_positions",
        "max_seq_len",
        "max_target_positions",
        "max_seq_length",
    ),
}
_USUAL = {
    "width": "hidden_size",
    "heads": "num_attention_heads",
    "layers": "num_hidden_layers",
    "longest": "max_position_embeddings",
}


def row_of(model: ModelType, seen: Mapping[str, Any]) -> Row:
    """Return the row of ``model``, whose small model showed ``seen``."""
    text = made(model.name, **EXAMPLES.get(model.name, {}))
    path = text_path(text)
    for each in path:
        text = getattr(text, each)
    ask = Asked(type(text), _base(text))
    folder = folder_of(text) if path else model.folder
    row: Row = {"folder": folder, **_names(text), **_kind(seen)}
    if row["kind"] == "rotary":
        row |= rotary_row(ask, text, seen, row)
    if row["kind"] == "learned" and _after_padding(folder):
        row["after_padding"] = True
    if any(each["sink"] for each in seen["layers"]):
        row["sink"] = True
    if row["kind"] == "bias":
        row["kind"] = "t5" if "relative_attention_num_buckets" in text.to_dict() else "alibi"
    row |= layers_row(ask, text, seen, row)
    row |= keys_row(ask, text, folder, row)
    return {key: value for key, value in row.items() if value not in (None, [], {}, (), 0) or value is False}


def _narrow(config: Mapping[str, Any], width: int) -> str | None:
    """Return the key of the width of embeddings that are narrower than the layers."""
    names = [name for name, value in config.items() if value == width and "embedding_size" in name]
    return names[0] if width != WIDTH and names else None


def _after_padding(folder: str) -> bool:
    """Return whether the code counts positions from that of padding."""
    return "def create_position_ids_from_input_ids" in source(folder)


def container(model: ModelType) -> Row | None:
    """Return the row of a file that contains a text model of another type; None for a text model itself."""
    text = whole = made(model.name, **EXAMPLES.get(model.name, {}))
    path = text_path(whole)
    for each in path:
        text = getattr(text, each)
    return {"folder": model.folder, "inside": path[0], "of": text.model_type} if path else None


def _base(text: Any) -> dict[str, Any]:
    """Return keys with which the class answers for any number of layers: nothing said of single layers."""
    empty: Row = {"per_layer_config": {}}
    return empty if "per_layer_config" in text.to_dict() and Asked(type(text), empty)() else {}


def _names(text: Any) -> Row:
    """Return the names of sizes that are not the usual ones."""
    said, row = text.to_dict(), {}
    for size, usual in _USUAL.items():
        mapped = text.attribute_map.get(usual)
        names = [name for name in (usual, mapped) if name and (name in said or name == mapped or mapped)]
        if not names:
            names = [name for name in _SIZES[size] if name in said][:1]
        names.sort(key=lambda name: name not in said)
        if names and names != [usual]:
            row[size] = names
    for name in ("num_decoder_layers", "decoder_layers"):
        if name in said and said.get("is_encoder_decoder") and name not in row.get("layers", ()):
            row["later"] = [name]
    return row


def _kind(seen: Mapping[str, Any]) -> Row:
    """Return the kind, from the results of all layers."""
    layers = seen["layers"]
    turning = [each for each in layers if each["query"]["kind"] == "turns"]
    if turning:
        return {"kind": "rotary"}
    table = next((each for each in seen["tables"]), None)
    biases = {(each["bias"] or "none").split(",")[0] for each in layers}
    if "added" in biases:
        return {"kind": "bias"}
    if table and table["fixed"]:
        return {
            "kind": "sinusoidal",
            "first_row": table["first_row"] - table["fixed"]["row_0"],
            "order": table["fixed"]["order"],
        }
    if table and table["size"]:
        return {
            "kind": "learned",
            "first_row": table["first_row"],
            "more_rows": table["size"][0] - LONGEST,
        } | ({"width": [name]} if (name := _narrow(seen["config"], table["size"][1])) else {})
    return {
        "kind": "unlike"
        if {"no linear map", "no rotation of pairs"} & {each["query"]["kind"] for each in layers}
        else "none"
    }


def written(models: Mapping[str, Row], version: str, date: str) -> str:
    """Return the table as text, one model to a line, so that a change of one model changes one line."""
    lines = [
        f"  {json.dumps(name)}: {json.dumps(row, sort_keys=True)}" for name, row in sorted(models.items())
    ]
    made_with = json.dumps({"transformers": version, "date": date})
    return f'{{"made": {made_with},\n "models": {{\n' + ",\n".join(lines) + "\n}}\n"
