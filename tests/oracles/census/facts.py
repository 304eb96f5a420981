"""Record what the small model of a model type shows: turn, window and tables of each layer, as plain data."""

from __future__ import annotations

import re
from typing import Any

import torch
from torch import Tensor, nn

from tests.oracles.census.axes import several_coordinates
from tests.oracles.census.capture import Attended, Watch
from tests.oracles.census.probe import Pairs, far, maps, pairs, run, window
from tests.oracles.census.small import WINDOW

_CROSS = re.compile(r"cross|encoder_attn|EncDecAttention|encoder_decoder", re.IGNORECASE)
_SIDE = re.compile(r"speech|vision|audio|image|t2u|patcher|entity")
#: The error of a linear map that is found by least squares in float32.
EXACT = 3e-5
#: Angles are recorded at position 1 and at this place of the sequence.
SECOND = 17


def own_attentions(watch: Watch) -> list[Attended]:
    """Return the self-attentions of the text, in the order in which they ran."""
    return [each for each in watch.attended if not _CROSS.search(each.name) and not _SIDE.search(each.name)]


def place(name: str) -> tuple[str, int]:
    """Return the stack and the layer in a module's name: ("decoder", 3) for model.decoder.layers.3.attn."""
    numbers = re.findall(r"(?:^|\.)(\d+)(?=\.|$)", name)
    stack = next((each for each in ("encoder", "decoder") if re.search(rf"(^|\.){each}\.", name)), "")
    return stack, int(numbers[0]) if numbers else 0


def turning(seen: Tensor | None, at: Tensor, linear: list[Tensor]) -> dict[str, Any]:
    """Return how ``seen`` [B, H, L, d] turns: not at all, as a rotation of pairs, or otherwise."""
    if seen is None or seen.ndim != 4:
        return {"kind": "unseen"}
    if torch.equal(seen, seen[..., :1, :].expand_as(seen)):
        return {"kind": "still", "head": seen.shape[-1]}
    turn = maps(seen, at)
    if turn is None or turn.error > EXACT:
        return {"kind": "no linear map", "head": seen.shape[-1]}
    found = pairs(turn)
    if found is None or found.error > EXACT:
        return {"kind": "no rotation of pairs", "head": seen.shape[-1]}
    scale = found.scale.tolist()
    told: dict[str, Any] = {"kind": "turns" if found.first else "scaled", "head": seen.shape[-1]}
    if max(scale) - min(scale) > 1e-5:
        told |= {"scale": round(scale[SECOND], 7), "scale_at": int(at[SECOND])}
    if found.first:
        told |= layout(found) | {"stored": _order(seen, linear), "at": [1, int(at[SECOND])]}
    return told


def layout(found: Pairs) -> dict[str, Any]:
    """Return which features are pairs, and the pairs' angles at position 1, with sign."""
    steps = {second - first for first, second in zip(found.first, found.second, strict=True)}
    angles = [[round(each, 7) for each in found.angles[at].tolist()] for at in (1, SECOND)]
    told = {
        "start": found.first[0],
        "pairs": len(found.first),
        "angles": angles[0],
        "angles_there": angles[1],
    }
    if steps == {1} and found.first == list(range(found.first[0], found.first[0] + 2 * len(found.first), 2)):
        return {**told, "pairing": "interleaved"}
    if len(steps) == 1 and found.first == list(range(found.first[0], found.first[0] + len(found.first))):
        return {**told, "pairing": "half_split", "apart": steps.pop()}
    return {**told, "pairing": "other", "first": found.first, "second": found.second}


def _order(seen: Tensor, linear: list[Tensor]) -> list[int] | None:
    """Return the place in the projection of each feature of the first head at position 0, or None.

    Code may put neighbours into halves before it turns them; the pairs of the *weights* are then neighbours.
    """
    head = seen[0, 0, 0]
    for outcome in reversed(linear):
        given = outcome.reshape(-1, outcome.shape[-1])[0] if outcome.shape[0] == seen.shape[0] else None
        if given is None:
            continue
        where = [(given == each).nonzero().flatten().tolist() for each in head]
        if all(len(each) == 1 for each in where):
            return [each[0] for each in where]
    return None


def tables(network: nn.Module, watch: Watch, at: Tensor) -> list[dict[str, Any]]:
    """Return the tables that were looked up by position: their number of rows, and the row of position 0."""
    found = []
    for each in watch.looked:
        rows = each.indices.reshape(-1, each.indices.shape[-1]) if each.indices.ndim else each.indices
        if rows.ndim != 2 or rows.shape[-1] != len(at) or _SIDE.search(each.name):
            continue
        offset = rows[0] - at.to(rows.device)
        if (offset == offset[0]).all() and not (rows[0] == rows[0][0]).all():
            weight = getattr(each.module, "weight", None)
            size = list(weight.shape) if isinstance(weight, Tensor) else None
            found.append(
                {"name": each.name, "first_row": int(offset[0]), "size": size, "fixed": fixed(weight)}
            )
    return found


def fixed(weight: Tensor | None) -> dict[str, Any] | None:
    """Return the order and the frequencies of a table of sines and cosines, or None if it is learned."""
    if weight is None or weight.ndim != 2:
        return None
    rows = weight.detach().double()
    for start in (0, 1, 2, 3):  # rows before that of position 0 may be zeros, or for padding
        zero = rows[start]
        if (
            not ((zero.abs() < 1e-6) | ((zero - 1).abs() < 1e-6)).all()
            or zero.sum() < 1
            or (zero < 0.5).sum() < 1
        ):
            continue
        sines = (zero < 0.5).nonzero().flatten()
        order = "interleaved" if sines.tolist() == list(range(0, len(zero), 2)) else "halves"
        return {"order": order, "row_0": start}
    return None


def facts(network: nn.Module) -> dict[str, Any]:
    """Return all results for ``network``, by layer: at positions far apart, and windows at 0 … L−1."""
    name = str(network.config.model_type)  # type: ignore[union-attr]
    watch, at = run(network, far(name))
    unclear = {"no linear map", "no rotation of pairs"}
    if any(turning(each.query, at, [])["kind"] in unclear for each in own_attentions(watch)):
        _jiggle(network)  # with a LayerNorm of queries, a linear map shows only if the norm has a bias
        watch, at = run(network, far(name))
    near, counted = run(network, None)
    views = {each.name: window(each) for each in own_attentions(near)}
    layers = []
    for each in own_attentions(watch):
        stack, layer = place(each.name)
        layers.append(
            {
                "name": each.name,
                "stack": stack,
                "layer": layer,
                "query": turning(each.query, at, each.linear),
                "key": turning(each.key, at, each.linear),
                "bias": bias(each),
                "sees": views.get(each.name),
                "sink": each.scores.shape[-1] > each.scores.shape[-2],
            }
        )
    for attention, found in several_coordinates(network, own_attentions(watch), at).items():
        next(layer for layer in layers if layer["name"] == attention)["axes"] = found
    return {
        "told": bool((at == far(name)).all()),
        "layers": layers,
        "tables": tables(network, near, counted),
    }


def _jiggle(network: nn.Module) -> None:
    """Change all parameters that are vectors, and those of norms, which start with weights 1 and biases 0."""
    torch.manual_seed(1)
    for name, each in network.named_parameters():
        if each.ndim == 1 or "norm" in name:
            each.data += 1.4 * torch.rand_like(each) - 0.7  # a weight of 1 does not come near 0


def bias(each: Attended) -> str | None:
    """Return whether scores get more than the mask added: "distance" if that depends on positions."""
    if each.product is None or each.scores.ndim != 4:
        return None
    length = each.product.shape[-1]
    seen = each.scores[..., :length]
    product = each.product.reshape(seen.shape) if each.product.numel() == seen.numel() else None
    visible = seen > -1e4
    if product is None or not visible.any():
        return None
    # scores = a · product + bias, with one a for all; two sequences have the same biases.
    change_p, change_s = (product[0] - product[1])[visible[0]], (seen[0] - seen[1])[visible[0]]
    if change_p.abs().max() < 1e-7:
        return None
    factor = float((change_p * change_s).sum() / (change_p * change_p).sum())
    rest = (seen - factor * product).masked_fill(~visible, 0.0)
    if rest.abs().max() < 1e-4 * max(1.0, float(seen[visible].abs().max())):
        return f"none, scores times {factor:.6g}"
    same = (rest[0] - rest[1]).abs().max() < 1e-3
    return f"{'added' if same else 'by content'}, scores times {factor:.6g}"


def variants(config: Any) -> dict[str, dict[str, Any]]:
    """Return keys that show more of a model type than its small configuration: types of layers, no window."""
    said = config.to_dict()
    found: dict[str, dict[str, Any]] = {}
    types = said.get("layer_types")
    both = {"full_attention", "sliding_attention"}
    if types and not both <= set(types):
        listed = [("full_attention", "sliding_attention")[i % 2] for i in range(len(types))]
        found["types"] = {"layer_types": listed, "sliding_window": WINDOW}
        if "use_sliding_window" in said:
            found["types"] |= {"use_sliding_window": True, "max_window_layers": 0}
    elif "use_sliding_window" in said and not types:
        found["types"] = {"use_sliding_window": True, "sliding_window": WINDOW, "max_window_layers": 0}
    elif "sliding_window" in said and said["sliding_window"] is None:
        found["types"] = {"sliding_window": WINDOW}
    if types and said.get("sliding_window"):
        found["without_window"] = {"sliding_window": None, "layer_types": ["full_attention"] * len(types)}
    return found
