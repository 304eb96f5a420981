"""Compare a vision tower read from its configuration with transformers' model of this configuration."""

from __future__ import annotations

import zlib
from functools import cache
from typing import Any

import torch

from posenc_lessons.encodings import (
    AxialRotary,
    ContinuousGridBias,
    DecomposedGridBias,
    GridLearned,
    LearnedEncoding,
    PositionEncoding,
    RelativeGridBias,
    SinusoidalEncoding,
    Together,
    encoding_from_config,
)
from posenc_lessons.encodings.config.towers import Tower, towers_table
from tests.oracles.census.tower_biases import class_tables, decomposed, networks, table_window
from tests.oracles.census.tower_models import built, classes, sides, small, tables, towers, usual_grid
from tests.oracles.census.tower_rows import Shown, places, shown, turns, whole
from tests.oracles.census.tower_tables import adds, adds_row_and_column, is_sinusoidal, table_of


@cache
def read_towers() -> list[str]:
    """Return the types of towers that are read, in order."""
    return [name for name, tower in towers_table().items() if tower.read]


def check_tower(name: str) -> None:
    """Raise AssertionError unless the encoding read for ``name`` does what the model does.

    The picture has another number of patches than that from which the row was made.
    """
    tower = towers_table()[name]
    what = _shown(name, tower)
    said = what.config.to_dict()
    encodings = _parts(encoding_from_config(said, part="vision"))
    for encoding in encodings:
        if isinstance(encoding, AxialRotary):
            _check_rotation(what, encoding, tower)
        elif isinstance(encoding, LearnedEncoding):
            _check_table(what, encoding, tower)
        elif isinstance(encoding, GridLearned):
            first = tower.table_first if tower.kind == "axial" else tower.first
            assert adds_row_and_column(what, first, encoding.rows), "rows and columns"
            assert not adds_row_and_column(what, 1 - first), "where they begin"
        elif type(encoding) is PositionEncoding:
            assert tower.kind == "switched"
        elif isinstance(encoding, SinusoidalEncoding):
            assert any(_is_table(each, encoding) for each in what.network.modules()), "sines and cosines"
        else:
            _check_bias(what, encoding)
    if tower.kind == "switched":
        _check_switches(name, tower)


def _parts(encoding: PositionEncoding) -> tuple[PositionEncoding, ...]:
    return encoding.parts if isinstance(encoding, Together) else (encoding,)


def _is_table(module: Any, encoding: SinusoidalEncoding) -> bool:
    table = vars(module).get("position_embeddings")
    return (
        isinstance(table, torch.Tensor) and table.shape[1:] == encoding.table.shape and is_sinusoidal(table)
    )


def _check_rotation(what: Shown, encoding: AxialRotary, tower: Tower) -> None:
    queries = whole(what)
    assert queries is not None
    height, width = what.grid
    at = places(what.grid, queries.shape[2] - height * width, tower.centres, tower.first, tower.last)
    if tower.time:
        at = torch.cat((torch.zeros(len(at), 1), at), dim=-1)
    assert turns(what, encoding, at), "queries"
    if not tower.time:
        assert not turns(what, encoding, at.flip(-1)), "rows and columns"


def _check_switches(name: str, tower: Tower) -> None:
    """Raise AssertionError unless each switch changes the model as read from a file with it on."""
    config = towers()[name]
    assert type(encoding_from_config({"model_type": name}, part="vision")) is PositionEncoding
    for key, brings in tower.switches.items():
        little = small(config, (5, 5), {key: True})
        what = shown(built(classes(config)[0], little), little)
        (encoding,) = _parts(encoding_from_config(little.to_dict(), part="vision"))
        if brings == "table":
            assert isinstance(encoding, LearnedEncoding)
            found = table_of(what)
            assert found is not None and (found["rows"], found["special"]) == (encoding.max_len, 1), key
        else:
            assert isinstance(encoding, RelativeGridBias) and encoding.class_token
            assert set(class_tables(what.network)) == {(encoding.n_heads, encoding.window[0])}, key


def _said(config: Any) -> bool:
    """Return whether the configuration has the size of the picture."""
    return sides(getattr(config, "image_size", None)) is not None


def _shown(name: str, tower: Tower) -> Shown:
    """Return what a small model shows with a picture of random sides, seeded by the tower's name."""
    drawn = torch.Generator().manual_seed(zlib.crc32(name.encode()))
    height, width = (int(n) for n in torch.randint(3, 9, (2,), generator=drawn))
    error: Exception = ValueError(f"{name}: no class takes a picture alone")
    for kind in classes(towers()[name]):
        for grid in ((height, width), (width, width)):  # some take only squares
            try:
                config = small(towers()[name], grid)
                fixed = tower.kind in ("bias", "network", "sinusoidal") or (
                    "table" in (tower.kind, tower.beside) and _said(config)
                )
                what = shown(built(kind, config), config, None if fixed else grid)
                if what.seen or tower.kind != "axial":
                    return what
            except Exception as wrong:  # the next class or size may work
                error = wrong
    raise error


def _check_table(what: Shown, encoding: LearnedEncoding, tower: Tower) -> None:
    rows = encoding.max_len + (tower.special if tower.left_out else 0) - tower.apart
    found = [
        name
        for name, table in tables(what.network)
        if table.shape[-1] == encoding.d_model and table.numel() == rows * encoding.d_model
    ]
    assert found, f"no table of {rows} rows"
    patches = rows - tower.special
    native = usual_grid(what.config)
    if native[0] * native[1] != patches:
        side = round(patches**0.5)
        native = (side, side)
    stretch = tower.stretch
    grids = [native] if stretch is None else [native, (3, 5), (8, 2)]
    for grid in grids:
        fit = adds(what, found[0], native, tower.special, grid, stretch, tower.left_out)
        assert fit, f"a picture of {grid}"


def _check_bias(what: Shown, encoding: PositionEncoding) -> None:
    """Raise AssertionError unless a bias is that of all attentions; SAM's whole layers have wider ones."""
    if isinstance(encoding, ContinuousGridBias):
        stages = networks(what.network)
        assert (encoding.n_heads, encoding.window[0]) == stages[0], str(stages)
    elif isinstance(encoding, DecomposedGridBias):
        assert encoding.window[0] in decomposed(what.network), f"a window of {encoding.window}"
    else:
        assert isinstance(encoding, RelativeGridBias)
        found = [
            table_window(what.network.get_submodule(name.rpartition(".")[0]), index)
            for name, index in what.network.named_buffers()
            if name.endswith("relative_position_index")
        ]
        assert found and set(found) == {encoding.window}, str(found)
