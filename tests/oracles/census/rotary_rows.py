"""Make the part of a row about RoPE: pairing, base, share, stretching, and coordinates of pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.oracles.census.experiments import (
    Asked,
    base_with_scaling,
    default_ropes,
    share_keys,
    stretched_types,
    theta_keys,
)
from tests.oracles.census.folders import default_sections, source

Row = dict[str, Any]


def rotary_row(ask: Asked, text: Any, seen: Mapping[str, Any], row: Row) -> Row:
    """Return pairing, base, share and stretching."""
    turns = next(each["query"] for each in seen["layers"] if each["query"]["kind"] == "turns")
    found: Row = {"pairing": weights_pairing(turns)}
    if turns["angles"][0] < 0:
        found["kind"], found["backward"] = "unlike", True
    if turns["start"] > 0:
        found["last"] = True
    found |= _sections(seen, row["folder"])
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
    elif "partial_rotary_factor" in source(row["folder"]):
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


def _sections(seen: Mapping[str, Any], folder: str) -> Row:
    """Return how pairs are distributed over coordinates; the kind "unlike" if no encoding here does so."""
    found = next((each["axes"] for each in seen["layers"] if "axes" in each), None)
    if found is None:
        return {}
    if found["kind"] != "turns":
        return {"kind": "unlike"}
    n = len(found["of_pair"])
    given = _given_sections(seen["config"]["rope_parameters"])
    told: Row = {"default": default_sections(folder)} if default_sections(folder) else {}
    if given and found["of_pair"] == [axis for axis, pairs in enumerate(given) for _ in range(pairs)]:
        return {"sections": {"layout": "contiguous", **told}}
    if given and found["of_pair"] == [pair % 3 for pair in range(n)]:
        return {"sections": {"layout": "interleaved", **told}}
    if not given and found["of_pair"] == [pair % 2 for pair in range(n)]:
        return {"sections": {"layout": "alternate"}}
    return {"kind": "unlike"}


def _given_sections(rope: Mapping[str, Any]) -> list[int] | None:
    """Return the sections of the small model; if they differ by type of layer, those of one type."""
    inner = [each for each in (rope, *rope.values()) if isinstance(each, Mapping)]
    return next((each["mrope_section"] for each in inner if "mrope_section" in each), None)
