"""Make the rows of the table: what a configuration class answers, and what its small model showed."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Mapping
from typing import Any

from tests.oracles.census.experiments import (
    MARK,
    Asked,
    base_with_scaling,
    default_ropes,
    layer_lists,
    period_keys,
    rule,
    share_keys,
    stretched_types,
    theta_keys,
    upper,
    words,
)
from tests.oracles.census.folders import MODELS, ModelType, made, text_path
from tests.oracles.census.small import EXAMPLES, LONGEST, WIDTH, WINDOW

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
_POSITIONS = re.compile(
    r"rope|rotary|position|alibi|relative|theta|partial|yarn|ntk|mscale|sliding|window|layer_types"
    r"|per_layer_config|global_head_dim|chunk_size$|attn_temperature|floor_scale|attn_scale$|^attn_factor|no_rope"
)
#: Keys that attentions read and that change no score, or that the reader reads.
_EXPLAINED = re.compile(
    r"hidden|heads?$|head_dim|bias$|drop|eps(ilon)?$|logits?_|types?$|implementation|is_decoder|cache|rank$|initializer|init_"
    r"|d_model|n_embd|pretraining|dtype|device|gradient|norm$|use_qk|num_|layer_idx|token_id|head_size|embed_dim|max_seq"
    r"|^d_|_dim$|^dim$|cross|encoder|decoder|rms|bidirectional|model_type|scale_attn|reorder|fuse|conv|expand|group|gating|output|chunk_size_feed"
)


def row_of(model: ModelType, seen: Mapping[str, Any]) -> Row:
    """Return the row of ``model``, whose small model showed ``seen``."""
    text = made(model.name, **EXAMPLES.get(model.name, {}))
    path = text_path(text)
    for each in path:
        text = getattr(text, each)
    ask = Asked(type(text), _base(text))
    row: Row = {"folder": model.folder, **_names(text), **_kind(seen)}
    if row["kind"] == "rotary":
        row |= _rotary(ask, text, seen, row)
    if row["kind"] == "learned" and _after_padding(model.folder):
        row["after_padding"] = True
    if any(each["sink"] for each in seen["layers"]):
        row["sink"] = True
    if row["kind"] == "bias":
        row["kind"] = "t5" if "relative_attention_num_buckets" in text.to_dict() else "alibi"
    row |= _layers(ask, text, seen, row)
    row |= _keys(ask, text, model.folder, row)
    return {key: value for key, value in row.items() if value not in (None, [], {}, (), 0) or value is False}


def _narrow(config: Mapping[str, Any], width: int) -> str | None:
    """Return the key of the width of embeddings that are narrower than the layers."""
    names = [name for name, value in config.items() if value == width and "embedding_size" in name]
    return names[0] if width != WIDTH and names else None


def _source(folder: str) -> str:
    return "".join(path.read_text("utf-8") for path in sorted((MODELS / folder).glob("modeling_*.py")))


def _after_padding(folder: str) -> bool:
    """Return whether the code counts positions from that of padding."""
    text = _source(folder)
    return "def create_position_ids_from_input_ids" in text


def container(model: ModelType) -> Row | None:
    """Return the row of a file that holds a text model of another type; None if it is a text model itself."""
    text = whole = made(model.name, **EXAMPLES.get(model.name, {}))
    path = text_path(whole)
    for each in path:
        text = getattr(text, each)
    return {"folder": model.folder, "inside": path[0], "of": text.model_type} if path else None


def _base(text: Any) -> dict[str, Any]:
    return {"per_layer_config": {}} if "per_layer_config" in text.to_dict() else {}


def _names(text: Any) -> Row:
    """Return the names of the sizes, where they are not the usual ones."""
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
    """Return the kind by what was seen in any layer."""
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


def _rotary(ask: Asked, text: Any, seen: Mapping[str, Any], row: Row) -> Row:
    """Return pairing, base, share and stretching."""
    turns = next(each["query"] for each in seen["layers"] if each["query"]["kind"] == "turns")
    found: Row = {"pairing": weights_pairing(turns)}
    if turns["angles"][0] < 0:
        found["kind"], found["backward"] = "unlike", True
    if turns["start"] > 0:
        found["last"] = True
    said = text.to_dict()
    if "qk_rope_head_dim" in said:
        found["head"] = "qk_rope_head_dim"
    if not seen["told"]:
        found["told"] = False
    ropes = default_ropes(ask)
    plain = {label: dict(rope) for label, rope in ropes.items()}
    if "" in plain:
        base = plain[""].get("rope_theta", 10000.0)
        extra = {
            k: v
            for k, v in plain[""].items()
            if k not in ("rope_theta", "partial_rotary_factor") and (k, v) != ("rope_type", "default")
        }
        found |= {
            "base": base,
            "rope": {("rope_type" if k == "type" else k): v for k, v in extra.items()} or None,
        }
        share = plain[""].get("partial_rotary_factor")
    elif plain:
        found["base"] = {label: rope.get("rope_theta", 10000.0) for label, rope in plain.items() if rope}
        found["rope"] = {label: rope for label, rope in plain.items() if rope}
        share = None
    else:
        share = said.get("partial_rotary_factor")
        found["base"] = said.get("rope_theta", 10000.0)
    thetas = theta_keys(ask)
    found["base_with_scaling"] = base_with_scaling(ask) or None
    if "" in thetas:
        found["theta"] = thetas[""] + [name for name in ("rope_theta",) if name not in thetas[""]]
    elif plain and "" not in plain:
        found["theta"] = thetas
        found["old_keys"] = bool(thetas) or None
        found["stretched"] = stretched_types(ask)
        if not thetas:
            found["old_keys"] = False
    if found.get("theta") == ["rope_theta"]:
        del found["theta"]
    shares = share_keys(ask)
    if shares and shares != ["partial_rotary_factor"]:
        found["share_keys"] = [*shares, "partial_rotary_factor"]
    width = turns["pairs"] * 2 if turns["pairing"] == "interleaved" else turns.get("apart", 0) * 2
    if "rotary_dim" in said and share is None and width == seen["config"]["rotary_dim"]:
        found["missing"] = {"rotary_dim": said["rotary_dim"]}
    elif share is not None:
        found["rotary_share"] = share
    elif "partial_rotary_factor" in _source(row["folder"]):
        found["rotary_share"] = 1.0
    if not ropes and width < turns["head"] and "qk_rope_head_dim" not in said and "missing" not in found:
        found["rotary_share"] = width / turns["head"]
    return {key: value for key, value in found.items() if value is not None}


def weights_pairing(turns: Mapping[str, Any]) -> str:
    """Return the pairing of the *weights*: code may put neighbours into halves before it turns them."""
    stored = turns.get("stored")
    if stored and turns["pairing"] == "half_split":
        first, apart = turns["start"], turns["apart"]
        if all(abs(stored[first + i] - stored[first + apart + i]) == 1 for i in range(turns["pairs"])):
            return "interleaved"
    return turns["pairing"]


def _layers(ask: Asked, text: Any, seen: Mapping[str, Any], row: Row) -> Row:
    """Return what the types of layers are, which of them turn and how far they see."""
    found: Row = {}
    counted = next(
        (name for name in ("num_hidden_layers", "n_layer", "num_layers") if name in text.to_dict()),
        "num_hidden_layers",
    )
    lists = layer_lists(ask, counted)
    types: list[str] | None = seen["config"].get("layer_types")
    if "layer_types" in lists:
        found["listed"] = "layer_types"
        told = rule(lists["layer_types"])
        if told and told != {"cycle": ["full_attention"]}:
            found["rule"] = told
        found["period"] = period_keys(ask, counted, "layer_types")
        found["upper"] = upper(ask, counted) or None
    elif types:
        found["listed"] = "layer_types"
    named = {each for run in (seen, *seen.get("more", ())) for each in run["config"].get("layer_types") or ()}
    source = _source(row["folder"])
    found["types"] = (
        sorted(
            named
            | {each for each in _TYPES if f'"{each}"' in source} - {"full_attention", "sliding_attention"}
        )
        if named
        else []
    )
    found["by_layer"] = [name for name in ("no_rope_layers", "layer_rope_theta") if name in lists]
    if "no_rope_layers" in lists:
        turn = [1, 1, 0, 0, 1, 0, 0, 1]
        keys = {counted: 8, "no_rope_layers": turn, "use_sliding_window": True, "sliding_window": 5}
        by = (ask(**keys) or {}).get("layer_types", [])
        pairs = set(zip(turn, by, strict=False))
        if len(pairs) == 2:
            found["by_rope"] = [dict(pairs)[0], dict(pairs)[1]]
    if not types and any(each["sees"] and each["sees"][0] != "whole" for each in seen["layers"]):
        found["rule"] = {"cycle": ["sliding_attention"]}
    of: dict[str, set[str]] = {}
    views: dict[str, str] = {}
    window = seen["config"].get("sliding_window")
    for run in (seen, *seen.get("more", ())):
        if window and run["config"].get("sliding_window") is None:
            continue  # what changes without a window is told by itself
        own = run["config"].get("layer_types") or found.get("rule", {}).get("cycle", ["full_attention"]) * 99
        for each in run["layers"]:
            if each["stack"] == "encoder" or each["layer"] >= len(own):
                continue
            layer_type = own[each["layer"]]
            of.setdefault(layer_type, set()).add(each["query"]["kind"])
            if each["sees"] and each["sees"][0] != "whole":
                names = [
                    name
                    for name, value in run["config"].items()
                    if value == WINDOW and re.search("window|local_att|chunk", name)
                ]
                if each["sees"][1] == WINDOW:
                    names.sort(key=lambda name: name != "sliding_window")
                if names:
                    views[layer_type] = names[0]
    if row["kind"] == "rotary" and "by_rope" not in found and "no_rope_layers" not in lists:
        found["still"] = sorted(
            layer_type for layer_type, kinds in of.items() if not kinds & {"turns", "unseen"}
        )
    found["windows"] = {layer_type: views[layer_type] for layer_type in sorted(views)}
    if found.get("still") and seen.get("without_window") == "turns":
        found["without_window"] = True
    return {key: value for key, value in found.items() if value}


def _keys(ask: Asked, text: Any, folder: str, row: Row) -> Row:
    """Return the class's own values of keys, the keys that are not read, and those that nothing explains."""
    said = text.to_dict()
    missing = dict(row.get("missing", {}))
    for name in (
        "head_dim",
        "qk_rope_head_dim",
        *row.get("windows", {}).values(),
        "max_position_embeddings",
        "max_window_layers",
        "pad_token_id",
        "num_attention_heads",
        "rope_interleave",
        "use_sliding_window",
        "original_max_position_embeddings",
    ):
        value = said.get(name)
        if (
            name in ("pad_token_id", "num_attention_heads")
            and row["kind"] != "learned"
            and (name[0] == "p" or not row.get("inner"))
        ):
            continue
        if name == "head_dim" and row.get("head"):
            continue
        if value is not None and not (name == "head_dim" and _derived(ask, said)):
            missing[name] = value
    for name in ("attn_temperature_tuning", "attn_scale", "floor_scale"):
        if "attn_temperature_tuning" in said:
            missing[name] = said[name]
    read = reads(folder)
    known = {name for name in (*said, *words(ask.kind)) if _POSITIONS.search(name)}
    unexplained = {
        name: _neutral(name, said[name])
        for name in sorted(read["attention"])
        if name in said
        and not _EXPLAINED.search(name)
        and not _POSITIONS.search(name)
        and said[name] is not None
    }
    return {
        "missing": missing,
        "ignored": sorted(each for each in known - read["all"] if each in said or each in _FILE_KEYS),
        "unexplained": unexplained,
        "reads": sorted(name for name in read["all"] if _POSITIONS.search(name) and name in said),
    }


_TYPES = (
    "linear_attention",
    "conv",
    "mamba",
    "recurrent",
    "indexed_attention",
    "chunked_attention",
    "hybrid",
    "moe",
    "mlp",
)
_FILE_KEYS = {"no_rope_layer_interval", "max_window_layers"}


def _neutral(name: str, value: Any) -> Any:
    """Return the value of ``name`` that changes nothing: 1 for what multiplies, null or false for the
    rest."""
    return 1.0 if re.search("multiplier|scale", name) else False if isinstance(value, bool) else None


def _derived(ask: Asked, said: Mapping[str, Any]) -> bool:
    """Return whether the class computes head_dim from the other sizes."""
    width = said.get("hidden_size")
    if not isinstance(width, int):
        return False
    wider = ask(hidden_size=2 * width)
    return wider is None or wider.get("head_dim") != said["head_dim"]


def reads(folder: str) -> dict[str, set[str]]:
    """Return the keys that a folder's models read from ``config``: in classes of attention, and in all."""
    found: dict[str, set[str]] = {"attention": set(), "all": set()}
    for path in (MODELS / folder).glob("modeling_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.ClassDef):
                continue
            names = {_config_key(each) for each in ast.walk(node)} - {None}
            found["all"] |= names  # type: ignore[arg-type]
            if re.search("Attention|Attn", node.name) and not re.search(
                "Vision|Audio|Image|Linear", node.name
            ):
                found["attention"] |= names  # type: ignore[arg-type]
    return found


def _config_key(node: ast.AST) -> str | None:
    """Return ``key`` of ``config.key``, ``self.config.key`` or ``getattr(config, "key", …)``."""
    if isinstance(node, ast.Attribute):
        value = node.value
        if (isinstance(value, ast.Name) and value.id == "config") or (
            isinstance(value, ast.Attribute) and value.attr == "config"
        ):
            return node.attr
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "getattr":
        return None
    named = len(node.args) > 1 and isinstance(node.args[1], ast.Constant)
    return str(node.args[1].value) if named else None  # type: ignore[attr-defined]


def written(models: Mapping[str, Row], version: str, date: str) -> str:
    """Return the table as text: one model to a line, so that a change of one is a change of one line."""
    lines = [
        f"  {json.dumps(name)}: {json.dumps(row, sort_keys=True)}" for name, row in sorted(models.items())
    ]
    made_with = json.dumps({"transformers": version, "date": date})
    return f'{{"made": {made_with},\n "models": {{\n' + ",\n".join(lines) + "\n}}\n"


__all__ = ["MARK", "container", "math", "row_of", "written"]
