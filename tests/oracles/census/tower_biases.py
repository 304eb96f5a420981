"""Find what windows of a small vision tower add to scores: numbers of a table or a network, or vectors."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from posenc_lessons.encodings import (
    ContinuousGridBias,
    DecomposedGridBias,
    RelativeGridBias,
    grid_positions,
)


def window_of_bias(network: nn.Module) -> tuple[int, int] | None:
    """Return the window of tables by row and column differences, or None unless all are like ours."""
    found = {}
    for name, index in network.named_buffers():
        owner = network.get_submodule(name.rpartition(".")[0])
        if name.endswith("relative_position_index") and hasattr(owner, "relative_position_bias_table"):
            found[name] = table_window(owner, index)
    return next(iter(found.values())) if found and None not in found.values() else None


def table_window(owner: nn.Module, index: Tensor) -> tuple[int, int] | None:
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


def class_tables(network: nn.Module) -> list[tuple[int, int]]:
    """Return heads and window of each table with rows for a class token that is like ours."""
    found = []
    for owner in network.modules():
        table, window = (vars(owner).get(name) for name in ("_parameters", "window_size"))
        table = (table or {}).get("relative_position_bias_table")
        if table is None or not isinstance(window, tuple):
            continue
        ours = RelativeGridBias(table.shape[1], window, class_token=True)
        ours.table.data = torch.randn_like(table)
        kept, table.data = table.data, ours.table.data
        at = torch.cat((torch.tensor([[-1, -1]]), grid_positions(*window)))
        q = torch.zeros(1, ours.n_heads, len(at), 1)
        with torch.no_grad():
            theirs = owner(window)
        table.data = kept
        if theirs.numel() == q.shape[1] * len(at) ** 2 and torch.allclose(
            ours.score_bias(q, q, at, at, None).detach(), theirs.view(q.shape[1], len(at), len(at)), atol=1e-5
        ):
            found.append((ours.n_heads, window[0]))
    return found


def networks(network: nn.Module) -> list[tuple[int, int]]:
    """Return heads and window of each attention with a network, or nothing unless all are like ours."""
    found = []
    for owner in network.modules():
        theirs = vars(owner).get("_modules", {}).get("continuous_position_bias_mlp")
        if theirs is None:
            continue
        window, trained = owner.window_size, owner.pretrained_window_size
        ours = ContinuousGridBias(
            owner.num_attention_heads, tuple(window), tuple(trained) if trained[0] else None
        )
        for mine, other in ((ours.network[0], theirs[0]), (ours.network[2], theirs[2])):
            mine.load_state_dict(other.state_dict())
        numbers = 16 * theirs(owner.relative_coords_table).flatten(0, 2).sigmoid()
        expected = numbers[owner.relative_position_index.flatten()].T
        at = grid_positions(*window)
        q = torch.zeros(1, ours.n_heads, len(at), 1)
        if not torch.allclose(ours.score_bias(q, q, at, at, None).flatten(1), expected, atol=1e-5):
            return []
        found.append((ours.n_heads, window[0]))
    return found


def decomposed(network: nn.Module) -> list[int]:
    """Return the window of each attention with vectors for differences; nothing unless all are like ours."""
    found = []
    for owner in network.modules():
        if "rel_pos_h" not in vars(owner).get("_parameters", {}):
            continue
        rows, columns = owner.rel_pos_h, owner.rel_pos_w
        side, d_head = (len(rows) + 1) // 2, rows.shape[-1]
        ours, at = DecomposedGridBias(d_head, (side, (len(columns) + 1) // 2), std=1.0), None
        at = grid_positions(*ours.window)
        q = torch.randn(2, len(at), d_head, generator=torch.Generator().manual_seed(3))
        with torch.no_grad():
            theirs = owner.get_decomposed_rel_pos(
                q, ours.row_table, ours.column_table, ours.window, ours.window
            )
            mine = ours.score_bias(q[None], q[None], at, at, None)[0]
        if not torch.allclose(mine, theirs.reshape(mine.shape), atol=1e-4):
            return []
        found.append(side)
    return found
