"""Find whether rows of a small vision tower's tables are added to patches, and how tables are stretched."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from posenc_lessons.encodings import GridLearned, SinusoidalEncoding, grid_positions, interpolate_table
from tests.oracles.census.tower_models import picture, tables

if TYPE_CHECKING:
    from tests.oracles.census.tower_rows import Row, Shown

_STRETCHES = tuple(itertools.product(("bicubic", "bilinear"), (False, True)))


def table_of(what: Shown) -> Row | None:
    """Return the number of special rows of a table that is added to patches row by row, or None.

    "stretch": [mode, antialias] of ``interpolate_table`` for other pictures, or None if none fits.
    """
    size = math.prod(what.grid)
    for name, table in tables(what.network):
        rows = table.numel() // table.shape[-1]
        if table.ndim < 2 or rows < 4:
            continue
        own = rows - size if 0 <= rows - size <= 16 else rows - math.isqrt(rows) ** 2
        native = what.grid if 0 <= rows - size <= 16 else (math.isqrt(rows),) * 2
        grids = [each for each in (native, (5, 3), (4, 9)) if each != what.grid] + [what.grid]
        for left_out in (False, True) if own else (False,):
            found = adds(what, name, native, own, native, None, left_out)
            fit = (s for s in _STRETCHES if all(adds(what, name, native, own, g, s, left_out) for g in grids))
            stretch = next(fit, None)
            if found or stretch:
                row = {"special": own, "rows": rows, "named": [name], "stretch": stretch and list(stretch)}
                return row | ({"left_out": True} if left_out else {})
    return None


def adds(
    what: Shown,
    name: str,
    native: tuple[int, int],
    special: int,
    grid: tuple[int, int],
    stretch: tuple[Any, bool] | None,
    left_out: bool = False,
) -> bool:
    """Return whether the table's rows, stretched from ``native`` to ``grid``, are added to the patches.

    The table is changed, and the outputs of the modules around it are compared. ``left_out``: its special
    rows are added to no token.
    """
    table = what.network.get_parameter(name)
    change = torch.randn(
        table.numel() // table.shape[-1], table.shape[-1], generator=torch.Generator().manual_seed(4)
    )
    if grid != native:
        if stretch is None:
            return False
        mode, antialias = stretch
        change_there = interpolate_table(change, native, grid, prefix=special, mode=mode, antialias=antialias)
    else:
        change_there = change
    expected = change_there[special if left_out else 0 :]
    return any(close(apart, expected) for apart in changes(what, {name: change.view_as(table)}, grid))


def changes(what: Shown, tables_changes: dict[str, Tensor], grid: tuple[int, int]) -> list[Tensor]:
    """Return how the outputs of the modules around a table change [L, d] with the table.

    Tokens that do not change are left out, because registers, which have no row, may be between them.
    """
    given = picture(what.network, what.config, grid)
    name = next(iter(tables_changes))
    torch.manual_seed(5)
    before = _returned(what.network, name, given)
    for each, change in tables_changes.items():
        what.network.get_parameter(each).data += change
    after = _returned(what.network, name, given)
    for each, change in tables_changes.items():
        what.network.get_parameter(each).data -= change
    found = []
    for old, new in zip(before, after, strict=False):
        if old.shape != new.shape:
            continue
        differences = [new - old] + ([(new - old).movedim(1, -1)] if new.ndim == 4 else [])
        for each in differences:  # channels may come first
            apart = each.flatten(0, -2)
            found.append(apart[apart.abs().amax(-1) > 0])
    return found


def close(found: Tensor, expected: Tensor) -> bool:
    """Return True if two tables are the same up to rounding."""
    return found.shape == expected.shape and bool((found - expected).abs().max() < 1e-3)


def _returned(network: nn.Module, name: str, given: dict[str, Any]) -> list[Tensor]:
    """Return the outputs of the modules around a parameter, and the input of the first layer."""
    parts = name.split(".")[:-1]
    around = [network.get_submodule(".".join(parts[:n])) for n in range(1, len(parts) + 1)]
    lists = [each for each in network.modules() if isinstance(each, nn.ModuleList) and len(each)]
    found: list[Tensor] = []

    def after(module: nn.Module, args: Any, result: Any) -> None:
        first = result if isinstance(result, Tensor) else result[0]
        if isinstance(first, Tensor) and first.ndim > 1:
            found.append(first.detach().clone())

    def before(module: nn.Module, args: Any) -> None:
        found.extend(each.detach().clone() for each in args[:1] if isinstance(each, Tensor) and each.ndim > 1)

    hooks = [each.register_forward_hook(after) for each in around]
    # Some models add a table themselves, so it appears in the input of their first layer.
    firsts = [each[0] for each in lists] if parts else [*network.children(), *(each[0] for each in lists)]
    hooks += [each.register_forward_pre_hook(before) for each in firsts]
    try:
        with torch.no_grad():
            network(**given)
    except Exception:  # layers after the embeddings may refuse this picture
        pass
    finally:
        for hook in hooks:
            hook.remove()
    return found


def row_and_column(what: Shown) -> Row | None:
    """Return whether vectors of row and column are added; "first" is the number of the first of each."""
    for first in (0, 1):
        if adds_row_and_column(what, first):
            return {"first": first, "named": [name for name, _ in _halves(what.network)]}
    return None


def _halves(network: nn.Module) -> list[tuple[str, nn.Parameter]]:
    """Return the tables of rows and of columns, which may be one parameter."""
    both = [(name, each) for name, each in tables(network) if "row_embedder" in name or "column_emb" in name]
    return both or [(name, each) for name, each in tables(network) if each.ndim == 3 and len(each) == 2]


def adds_row_and_column(what: Shown, first: int, rows: int | None = None) -> bool:
    """Return whether patches get what ``GridLearned`` adds for places counted from ``first``."""
    named = _halves(what.network)
    if not named:
        return False
    size, width = named[0][1].shape[-2:]
    if rows not in (None, size):
        return False
    ours = GridLearned(width, size, size, std=1.0)
    change = torch.stack((ours.row_table.detach(), ours.column_table.detach()))
    if len(named) == 1:  # (x, y)
        given = {named[0][0]: change.flip(0)}
    else:
        given = {name: change[0 if "row" in name else 1] for name, _ in named}
    expected = ours.encode(grid_positions(*what.grid) + first).detach()
    return any(close(apart, expected) for apart in changes(what, given, what.grid))


def sinusoidal_of(what: Shown) -> Row | None:
    """Return a row if a fixed table of sines and cosines is added to the patches in order."""
    for module in what.network.modules():
        table = vars(module).get("position_embeddings")
        if isinstance(table, Tensor) and not isinstance(table, nn.Parameter) and is_sinusoidal(table):
            return {}
    return None


def is_sinusoidal(table: Tensor) -> bool:
    """Return whether a table [1, L, d] is that of ``SinusoidalEncoding``."""
    ours = SinusoidalEncoding(table.shape[-1], table.shape[-2]).table
    return bool((ours - table[0]).abs().max() < 1e-5)
