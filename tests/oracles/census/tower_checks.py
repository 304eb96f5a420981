"""A vision tower read from its configuration, beside transformers' model of the same configuration."""

from __future__ import annotations

import zlib
from functools import cache
from typing import Any

import torch

from posenc_lessons.encodings import AxialRotary, LearnedEncoding, RelativeGridBias, encoding_from_config
from posenc_lessons.encodings.config.towers import Tower, towers_table
from tests.oracles.census.tower_models import built, classes, sides, small, tables, towers, usual_grid
from tests.oracles.census.tower_rows import Shown, adds, biases, places, shown, turns


@cache
def read_towers() -> list[str]:
    """Return the types of towers that are read, in order."""
    return [name for name, tower in towers_table().items() if tower.read]


def check_tower(name: str) -> None:
    """Raise AssertionError unless the encoding read for ``name`` does what the model does.

    The picture has another number of patches than the one by which the row was found.
    """
    tower = towers_table()[name]
    what = _shown(name, tower)
    said = what.config.to_dict()
    encoding = encoding_from_config(said, part="vision")
    if isinstance(encoding, AxialRotary):
        queries = next(each.query for each in what.seen if each.query.shape[0] == 1)
        height, width = what.grid
        at = places(what.grid, queries.shape[2] - height * width, tower.centres, tower.first, tower.last)
        if tower.time:
            at = torch.cat((torch.zeros(len(at), 1), at), dim=-1)
        assert turns(what, encoding, at), "queries"
        if not tower.time:
            assert not turns(what, encoding, at.flip(-1)), "rows and columns"
    elif isinstance(encoding, LearnedEncoding):
        _check_table(what, encoding, tower)
    else:
        _check_bias(what, encoding)


def _said(config: Any) -> bool:
    """Return whether the configuration says how large the picture is."""
    return sides(getattr(config, "image_size", None)) is not None


def _shown(name: str, tower: Tower) -> Shown:
    """Return what a small model shows of a picture whose sides are drawn by the tower's name."""
    drawn = torch.Generator().manual_seed(zlib.crc32(name.encode()))
    height, width = (int(n) for n in torch.randint(3, 9, (2,), generator=drawn))
    error: Exception = ValueError(f"{name}: no class takes a picture alone")
    for kind in classes(towers()[name]):
        for grid in ((height, width), (width, width)):  # some take squares only
            try:
                config = small(towers()[name], grid)
                fixed = tower.kind == "bias" or (tower.kind == "table" and _said(config))
                what = shown(built(kind, config), config, None if fixed else grid)
                if what.seen or tower.kind != "axial":
                    return what
            except Exception as wrong:  # the next class or size may do
                error = wrong
    raise error


def _check_table(what: Shown, encoding: LearnedEncoding, tower: Tower) -> None:
    found = [
        name
        for name, table in tables(what.network)
        if table.numel() == encoding.max_len * encoding.d_model
        and table.shape[-2:] == (encoding.max_len, encoding.d_model)
    ]
    assert found, f"no table of {encoding.max_len} rows"
    patches = encoding.max_len - tower.special
    native = usual_grid(what.config)
    if native[0] * native[1] != patches:
        side = round(patches**0.5)
        native = (side, side)
    stretch = tower.stretch
    grids = [native] if stretch is None else [native, (3, 5), (8, 2)]
    for grid in grids:
        assert adds(what, found[0], native, tower.special, grid, stretch), f"a picture of {grid}"


def _check_bias(what: Shown, encoding: Any) -> None:
    assert isinstance(encoding, RelativeGridBias)
    found = [
        biases(what.network.get_submodule(name.rpartition(".")[0]), index)
        for name, index in what.network.named_buffers()
        if name.endswith("relative_position_index")
    ]
    assert found and set(found) == {encoding.window}, str(found)
