"""Record what small models showed, for a test without transformers: each layer's encoding, in numbers."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from tests.oracles.census.rotary_rows import weights_pairing

#: Keys about positions and related sizes; other keys would only make the data large.
_KEPT = re.compile(
    r"rope|rotary|position|alibi|relative|theta|partial|sliding|window|layer_types|layers_block|block_types"
    r"|hidden_size$|heads?$|head_dim|^d_|^n_|num_(hidden_|decoder_)?layers|(en|de)coder_layers|embd|embedding_size"
    r"|^dim$|chunk|attn_|pad_token|model_type|is_(encoder_)?decoder|local_att|max_|per_layer|^window_size|^layers$|^attention_heads|^embed_dim$|^attention_types|^attention_layers_config|interleave|emb_dim|multiplier"
)
_LONG = 1000  # characters of a value that a small configuration does not need


def compact(seen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration and the turn and window of each kind of layer, without an encoder's layers."""
    config = {
        key: value
        for key, value in seen["config"].items()
        if value is not None
        and _KEPT.search(key)
        and len(json.dumps(value)) < _LONG
        and not key.endswith("_config")
    }
    if "per_layer_config" in seen["config"]:
        config["per_layer_config"] = seen["config"]["per_layer_config"]
    layers: dict[str, list[int]] = {}
    for each in seen["layers"]:
        if each["stack"] == "encoder":
            continue
        layers.setdefault(json.dumps(_layer(each), sort_keys=True), []).append(each["layer"])
    return {
        "config": config,
        "layers": [{"layers": sorted(set(numbers)), **json.loads(kind)} for kind, numbers in layers.items()],
        "tables": [{key: each[key] for key in ("first_row", "size")} for each in seen["tables"][-1:]],
    }


def _layer(each: Mapping[str, Any]) -> dict[str, Any]:
    query, sees = each["query"], each["sees"] or ["whole", None]
    told: dict[str, Any] = {"sees": sees[0], "window": sees[1], "kind": query["kind"]}
    if query["kind"] == "turns":
        told |= {
            key: query[key]
            for key in ("head", "start", "pairs", "angles", "angles_there", "at")
            if key in query
        }
        told["pairing"] = weights_pairing(query)
        told["apart"] = query.get("apart", 1) if told["pairing"] == "half_split" else 1
        told["keys"] = _keys(query, each["key"])
    told |= {key: query[key] for key in ("scale", "scale_at", "head") if "scale" in query}
    if "axes" in each:
        told["axes"] = each["axes"]
    return told


def _keys(query: Mapping[str, Any], key: Mapping[str, Any]) -> float | str:
    """Return the difference between keys' and queries' angles, or what keys do if it is not a rotation."""
    same = ("kind", "pairing", "start", "pairs", "apart")
    if any(query.get(name) != key.get(name) for name in same):
        return str(key["kind"])
    apart = [
        abs((one - other + math.pi) % (2 * math.pi) - math.pi)
        for name in ("angles", "angles_there")
        for one, other in zip(query[name], key[name], strict=True)
    ]
    return round(max(apart), 7)


def written_seen(seen: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the results of all model types as text, one to a line."""
    lines = [
        f"{json.dumps(name)}: {json.dumps(compact(each), sort_keys=True)}"
        for name, each in sorted(seen.items())
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"
