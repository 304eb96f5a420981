"""Find how the patches of a small vision tower know their places, as a row of the table of towers."""

from __future__ import annotations

import inspect
import itertools
import math
import re
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from posenc_lessons.encodings import AXIAL_LAYOUTS, PAIRINGS, AxialRotary, grid_positions, patch_centres
from tests.oracles.census.tower_biases import decomposed, networks, window_of_bias
from tests.oracles.census.tower_models import Seen, attended, picture, tables, usual_grid
from tests.oracles.census.tower_tables import row_and_column, sinusoidal_of, table_of

Row = dict[str, Any]
#: Allowed difference, relative to the largest number, because of float32 angles.
CLOSE = 2e-4


class Shown(NamedTuple):
    """A small model, the (height, width) of its picture, and the inputs of its attentions."""

    network: nn.Module
    config: Any
    grid: tuple[int, int]
    seen: list[Seen]


def shown(network: nn.Module, config: Any, grid: tuple[int, int] | None = None) -> Shown:
    """Run the model with a picture, of its usual size if no ``grid`` is given."""
    grid = grid or usual_grid(config)
    return Shown(network, config, grid, attended(network, picture(network, config, grid)))


def row_of(what: Shown) -> Row:
    """Return kind and settings of a tower's encoding; the kind is "unlike" if no encoding here fits."""
    named = _left(what.network)
    if (turned := whole(what)) is not None and not _same(turned):
        rotation = next((each for each in _rotations(what) if turns(what, *each[1:])), None)
        if rotation is None:
            return {"kind": "unlike", "seen": "turns", "named": named}
        learned = {"class_turns": True} if _class_turns(what.network) else {}
        return {"kind": "axial", **rotation[0], **learned, **_beside(what, named)}
    if (window := window_of_bias(what.network)) is not None:
        return {"kind": "bias", "window": list(window)}
    if networks(what.network):
        return {"kind": "network"}
    if decomposed(what.network):
        return {"kind": "vectors", **_beside(what, named)}
    if any(_varies(each.added) for each in what.seen):
        return {"kind": "unlike", "seen": "bias", "named": named}
    if (found := row_and_column(what)) is not None:
        return {"kind": "row_column", **found}
    if (found := sinusoidal_of(what)) is not None:
        return {"kind": "sinusoidal", **found}
    table = None if _more_than_a_table(what) else table_of(what)
    return {"kind": "unlike", "named": named} if table is None else {"kind": "table", **table}


def _beside(what: Shown, named: list[str]) -> Row:
    """Return what else is added to the embeddings, or "own" if it is unknown."""
    if not [name for name in named if "rel_pos" not in name and "class_pos" not in name]:
        return {}
    if (found := row_and_column(what)) is not None:
        return {"beside": "row_column", **({"table_first": found["first"]} if found["first"] else {})}
    if (table := table_of(what)) is not None:
        queries = whole(what)
        others = 0 if queries is None else queries.shape[2] - math.prod(what.grid)
        apart = others - table["special"]  # tokens in front whose vectors are parameters
        return {"beside": "table", **table, **({"apart": apart} if apart > 0 else {})}
    return {"beside": "own"}


def _more_than_a_table(what: Shown) -> bool:
    """Return whether scores may depend on places in a way that was not found."""
    if any(re.search(r"relative|rel_pos|bias_table|cpb", name) for name in _left(what.network)):
        return True
    if getattr(what.config, "use_relative_position_embeddings", None) is False:
        return False  # the code has another part, which this switch turns off
    source = inspect.getsource(sys.modules[type(what.network).__module__])
    return not what.seen and re.search(r"rotary|apply_rope|relative_position|rel_pos", source) is not None


def _left(network: nn.Module) -> list[str]:
    """Return the names of parameters about positions; those of the first layer stand for all layers."""
    named = [re.sub(r"\.\d+(?=\.)", "", name) for name, _ in tables(network)]
    return list(dict.fromkeys(named))[:3]


def whole(what: Shown) -> Tensor | None:
    """Return queries [1, H, L, d] of an attention over all patches, or None."""
    patches = math.prod(what.grid)
    each = next((each for each in what.seen if each.query.shape[0] == 1 and each.query.ndim == 4), None)
    if each is None or each.query.shape[2] < patches:
        return None
    queries = each.query.double()
    return queries[:, :, 1:] if _class_turns(what.network) else queries


def _class_turns(network: nn.Module) -> bool:
    """Return whether a class token in front turns by learned angles."""
    return any(name.endswith("class_pos_emb") for name, _ in network.named_parameters())


def _same(queries: Tensor) -> bool:
    """Return whether queries [1, H, L, d] are the same at every place."""
    return bool((queries - queries[:, :, :1]).abs().max() < CLOSE * queries.abs().max())


def _rotations(what: Shown) -> Iterator[tuple[Row, AxialRotary, Tensor]]:
    """Yield settings of axial rotations with the encoding and the positions of all tokens [L, axes]."""
    queries = whole(what)
    assert queries is not None
    said = what.config.to_dict()
    rope = said.get("rope_parameters") or {}
    base = next((float(each["rope_theta"]) for each in (rope, said) if each.get("rope_theta")), 10000.0)
    d, more = queries.shape[-1], queries.shape[2] - math.prod(what.grid)
    flags = itertools.product(PAIRINGS, AXIAL_LAYOUTS, (False, True), (False, True))
    for pairing, layout, columns_first, alternate in flags:
        settings: Row = {"pairing": pairing, "layout": layout, "columns_first": columns_first}
        settings["alternate"] = alternate
        for centres, first, last in _WHERE if more else _WHERE[:2]:
            where = {"centres": centres, "first": first, "last": last}
            at = places(what.grid, more, centres, first, last)
            scale = 2 * math.pi if centres else 1.0
            yield {**settings, **where}, AxialRotary(d, base, scale=scale, **settings), at
        if "window_size" in said:  # SAM 3: a window's width stands for the picture's
            scale = said["window_size"] / what.grid[1]
            at = places(what.grid, more, False, 0, False)
            yield {**settings, "grid_scale": "window_size"}, AxialRotary(d, base, scale=scale, **settings), at
        if not alternate and not columns_first:
            third = 2 * (d // 6)  # features of each of three axes; a picture has time 0
            at = torch.cat((torch.zeros(len(queries[0, 0]), 1), places(what.grid, more, False, 0, False)), -1)
            three = AxialRotary(d, base, pairing, (third, third, third), layout=layout)
            yield {"pairing": pairing, "layout": layout, "time": True}, three, at


#: Whether coordinates are centres of patches, the first row and column, whether other tokens come last.
_WHERE = ((False, 0, False), (True, 0, False), (False, 1, False), (False, 1, True))


def places(grid: tuple[int, int], more: int, centres: bool, first: int, last: bool) -> Tensor:
    """Return the places [L, 2] of patches and of ``more`` other tokens, which are at (0, 0)."""
    at = patch_centres(*grid) if centres else (grid_positions(*grid) + first).float()
    return torch.cat((at, torch.zeros(more, 2)) if last else (torch.zeros(more, 2), at))


def turns(what: Shown, encoding: AxialRotary, at: Tensor) -> bool:
    """Return whether the queries are one vector turned by ``encoding`` to the places ``at`` [L, axes]."""
    queries = whole(what)
    if queries is None or len(at) != queries.shape[2] or _same(queries):
        return False
    return _same(encoding.turn(queries, -at))


def _varies(added: Tensor | None) -> bool:
    return (
        added is not None
        and added.is_floating_point()
        and bool(added.amax() > added.amin())
        and bool(added.amin() > -1e4)
    )
