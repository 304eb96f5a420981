"""What a small vision tower shows: how its patches know their places, as a row of the table of towers."""

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

from posenc_lessons.encodings import (
    AXIAL_LAYOUTS,
    PAIRINGS,
    AxialRotary,
    RelativeGridBias,
    grid_positions,
    interpolate_table,
    patch_centres,
)
from tests.oracles.census.tower_models import Seen, attended, picture, tables, usual_grid

Row = dict[str, Any]
#: Relative to the largest number: float32 angles differ by so much.
CLOSE = 2e-4
_STRETCHES = tuple(itertools.product(("bicubic", "bilinear"), (False, True)))


class Shown(NamedTuple):
    """A small model, the (height, width) of the picture it was shown, and what its attentions were given."""

    network: nn.Module
    config: Any
    grid: tuple[int, int]
    seen: list[Seen]


def shown(network: nn.Module, config: Any, grid: tuple[int, int] | None = None) -> Shown:
    """Show the model a picture, of its usual size if no ``grid`` is given."""
    grid = grid or usual_grid(config)
    return Shown(network, config, grid, attended(network, picture(network, config, grid)))


def row_of(what: Shown) -> Row:
    """Return kind and settings of a tower's encoding; kind "unlike" if it is none of ours."""
    named = _left(what.network)
    if (turned := _whole(what)) is not None and not _same(turned):
        rotation = next((each for each in _rotations(what) if turns(what, *each[1:])), None)
        if rotation is None:
            return {"kind": "unlike", "seen": "turns", "named": named}
        return {"kind": "axial", **rotation[0], **({"table": True} if named else {})}
    if (window := _window_of_bias(what.network)) is not None:
        return {"kind": "bias", "window": list(window)}
    if any(_varies(each.added) for each in what.seen):
        return {"kind": "unlike", "seen": "bias", "named": named}
    table = None if _more_than_a_table(what) else table_of(what)
    return {"kind": "unlike", "named": named} if table is None else {"kind": "table", **table}


def _more_than_a_table(what: Shown) -> bool:
    """Return whether scores may change with places in a way that was not seen."""
    if any(re.search(r"relative|rel_pos|bias_table|cpb", name) for name in _left(what.network)):
        return True
    source = inspect.getsource(sys.modules[type(what.network).__module__])
    return not what.seen and re.search(r"rotary|apply_rope|relative_position|rel_pos", source) is not None


def _left(network: nn.Module) -> list[str]:
    """Return the names of parameters about positions, those of the first layer for all."""
    named = [re.sub(r"\.\d+(?=\.)", "", name) for name, _ in tables(network)]
    return list(dict.fromkeys(named))[:3]


def _whole(what: Shown) -> Tensor | None:
    """Return queries [1, H, L, d] of an attention over all patches; None if there is none."""
    patches = math.prod(what.grid)
    each = next((each for each in what.seen if each.query.shape[0] == 1 and each.query.ndim == 4), None)
    return each.query.double() if each is not None and each.query.shape[2] >= patches else None


def _same(queries: Tensor) -> bool:
    """Return whether queries [1, H, L, d] are the same at every place."""
    return bool((queries - queries[:, :, :1]).abs().max() < CLOSE * queries.abs().max())


def _rotations(what: Shown) -> Iterator[tuple[Row, AxialRotary, Tensor]]:
    """Yield settings of axial rotations with the encoding and the positions of all tokens [L, axes]."""
    queries = _whole(what)
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
        if "window_size" in said:  # SAM 3: a window's width is the picture's
            scale = said["window_size"] / what.grid[1]
            at = places(what.grid, more, False, 0, False)
            yield {**settings, "grid_scale": "window_size"}, AxialRotary(d, base, scale=scale, **settings), at
        if not alternate and not columns_first:
            third = 2 * (d // 6)  # features of each axis where there are three; one picture has time 0
            at = torch.cat((torch.zeros(len(queries[0, 0]), 1), places(what.grid, more, False, 0, False)), -1)
            three = AxialRotary(d, base, pairing, (third, third, third), layout=layout)
            yield {"pairing": pairing, "layout": layout, "time": True}, three, at


#: Whether coordinates are centres of patches, where rows and columns begin, whether other tokens come last.
_WHERE = ((False, 0, False), (True, 0, False), (False, 1, False), (False, 1, True))


def places(grid: tuple[int, int], more: int, centres: bool, first: int, last: bool) -> Tensor:
    """Return the places [L, 2] of patches and of ``more`` other tokens, which are at (0, 0)."""
    at = patch_centres(*grid) if centres else (grid_positions(*grid) + first).float()
    return torch.cat((at, torch.zeros(more, 2)) if last else (torch.zeros(more, 2), at))


def turns(what: Shown, encoding: AxialRotary, at: Tensor) -> bool:
    """Return whether the queries are one vector turned by ``encoding`` to the places ``at`` [L, axes]."""
    queries = _whole(what)
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


def _window_of_bias(network: nn.Module) -> tuple[int, int] | None:
    """Return the window of a table by differences of row and column; None unless all are like ours."""
    found = {}
    for name, index in network.named_buffers():
        owner = network.get_submodule(name.rpartition(".")[0])
        if name.endswith("relative_position_index") and hasattr(owner, "relative_position_bias_table"):
            found[name] = biases(owner, index)
    return next(iter(found.values())) if found and None not in found.values() else None


def biases(owner: nn.Module, index: Tensor) -> tuple[int, int] | None:
    """Return the window if the rows ``index`` of the module's table are those of ``RelativeGridBias``."""
    table = owner.relative_position_bias_table
    assert isinstance(table, Tensor)
    side = math.isqrt(math.isqrt(index.numel()))
    if len(table) != (2 * side - 1) ** 2 or index.numel() != side**4:
        return None
    ours, at = RelativeGridBias(table.shape[1], side), grid_positions(side, side)
    ours.table.data = table.detach().clone()
    x = torch.zeros(1, table.shape[1], side**2, 1)
    theirs = table.detach()[index.flatten()].view(side**2, side**2, -1).permute(2, 0, 1)
    return ours.window if torch.equal(ours.score_bias(x, x, at, at, None).detach(), theirs) else None


def table_of(what: Shown) -> Row | None:
    """Return how many special rows a table has that is added to patches row by row; None if there is none.

    "stretch": [mode, antialias] of ``interpolate_table`` for other pictures, None where it is none of these.
    """
    size = math.prod(what.grid)
    for name, table in tables(what.network):
        rows, width = table.shape[-2:] if table.ndim > 1 else (0, 0)
        if table.numel() != rows * width or rows < 4:
            continue
        own = rows - size if 0 <= rows - size <= 16 else rows - math.isqrt(rows) ** 2
        native = what.grid if 0 <= rows - size <= 16 else (math.isqrt(rows),) * 2
        grids = [each for each in (native, (5, 3), (4, 9)) if each != what.grid] + [what.grid]
        if not adds(what, name, native, own, native, None):
            continue
        stretch = next(
            (s for s in _STRETCHES if all(adds(what, name, native, own, g, s) for g in grids)), None
        )
        return {"special": own, "rows": rows, "named": [name], "stretch": list(stretch) if stretch else None}
    return None


def adds(
    what: Shown,
    name: str,
    native: tuple[int, int],
    special: int,
    grid: tuple[int, int],
    stretch: tuple[Any, bool] | None,
) -> bool:
    """Return whether the table's rows, stretched from ``native`` to ``grid``, are added to the patches.

    The table is changed, and what changes in what the modules around it return is looked at.
    """
    table = what.network.get_parameter(name)
    change = torch.randn(table.shape[-2:], generator=torch.Generator().manual_seed(4))
    if grid != native:
        if stretch is None:
            return False
        mode, antialias = stretch
        change_there = interpolate_table(change, native, grid, prefix=special, mode=mode, antialias=antialias)
    else:
        change_there = change
    torch.manual_seed(5)
    given = picture(what.network, what.config, grid)
    before = _returned(what.network, name, given)
    table.data += change.view_as(table)
    after = _returned(what.network, name, given)
    table.data -= change.view_as(table)
    for old, new in zip(before, after, strict=True):
        if old.shape != new.shape:
            continue
        apart = (new - old).flatten(0, -2)
        apart = apart[apart.abs().amax(-1) > 0]  # registers may stand between, which have no row
        if apart.shape == change_there.shape and (apart - change_there).abs().max() < 1e-3:
            return True
    return False


def _returned(network: nn.Module, name: str, given: dict[str, Any]) -> list[Tensor]:
    """Return what the modules return in which the parameter ``name`` is, in the order of their runs."""
    parts = name.split(".")[:-1]
    around = [network.get_submodule(".".join(parts[:n])) for n in range(1, len(parts) + 1)]
    found: list[Tensor] = []

    def after(module: nn.Module, args: Any, result: Any) -> None:
        first = result if isinstance(result, Tensor) else result[0]
        if isinstance(first, Tensor) and first.ndim > 1:
            found.append(first.detach().clone())

    hooks = [each.register_forward_hook(after) for each in around]
    try:
        with torch.no_grad():
            network(**given)
    except Exception:  # what comes after the embeddings may not take this picture
        pass
    finally:
        for hook in hooks:
            hook.remove()
    return found
