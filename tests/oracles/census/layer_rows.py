"""Make the part of a row about layers: their types, which of them turn, and how far they see."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tests.oracles.census.experiments import Asked, layer_lists, period_keys, rule, upper
from tests.oracles.census.folders import source
from tests.oracles.census.small import WINDOW

Row = dict[str, Any]

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


def layers_row(ask: Asked, text: Any, seen: Mapping[str, Any], row: Row) -> Row:
    """Return the types of layers, which of them turn, and how far they see."""
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
        found["period"], found["rare_first"] = period_keys(ask, counted, "layer_types")
        found["upper"] = upper(ask, counted) or None
    elif types:
        found["listed"] = "layer_types"
    named = {each for run in (seen, *seen.get("more", ())) for each in run["config"].get("layer_types") or ()}
    code = source(row["folder"])
    found["types"] = (
        sorted(
            named | {each for each in _TYPES if f'"{each}"' in code} - {"full_attention", "sliding_attention"}
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
    reaches: set[tuple[str, int]] = set()
    window = seen["config"].get("sliding_window")
    for run in (seen, *seen.get("more", ())):
        if window and run["config"].get("sliding_window") is None:
            continue  # a run without windows says nothing about them
        own = run["config"].get("layer_types") or found.get("rule", {}).get("cycle", ["full_attention"]) * 99
        for each in run["layers"]:
            if each["stack"] == "encoder" or each["layer"] >= len(own):
                continue
            layer_type = own[each["layer"]]
            of.setdefault(layer_type, set()).add(each["query"]["kind"])
            if each["sees"] and each["sees"][0] != "whole":
                reaches.add(tuple(each["sees"]))
                names = [
                    name
                    for name, value in run["config"].items()
                    if value == WINDOW and re.search("window|local_att|chunk", name)
                ]
                if each["sees"][1] == WINDOW:  # not half of the window
                    names.sort(key=lambda name: name != "sliding_window")
                if names:
                    views[layer_type] = names[0]
    if row["kind"] == "rotary" and "by_rope" not in found and "no_rope_layers" not in lists:
        found["still"] = sorted(
            layer_type for layer_type, kinds in of.items() if not kinds & {"turns", "unseen"}
        )
    found["windows"] = {layer_type: views[layer_type] for layer_type in sorted(views)}
    found["both_sides"] = any(kind == "both_sides" for kind, _ in reaches)
    found["halved"] = bool(reaches) and all(number == WINDOW // 2 for _, number in reaches)
    if found.get("still") and seen.get("without_window") == "turns":
        found["without_window"] = True
    return {key: value for key, value in found.items() if value}
