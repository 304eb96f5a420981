"""Vision towers: facts in the code of each, and how to read their configurations.

The rows are in ``towers.json`` beside this file. A program finds them (``tests/oracles/census/towers.py``):
it builds small towers of transformers, shows them pictures and measures what a patch's place changes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal

from posenc_lessons.encodings.config.keys import Keys, same_or_refuse
from posenc_lessons.encodings.config.layers import LayerPositions
from posenc_lessons.encodings.config.tower_layers import reader_of
from posenc_lessons.encodings.config.tower_words import unknown_tower, unread_tower
from posenc_lessons.encodings.pairing import Pairing

TowerKind = Literal[
    "axial", "table", "row_column", "sinusoidal", "bias", "network", "vectors", "switched", "unlike", "unseen"
]


@dataclass(frozen=True)
class Tower:
    """How to read the configurations of a vision ``model_type``.

    Attributes:
        name: the ``model_type``.
        folder: the folder of ``transformers/models`` with the code that the row describes.
        kind: "axial", rotation by row and column; "table", a learned table added to the patches;
            "row_column", a learned vector of the row and one of the column; "sinusoidal", a table of sines
            and cosines; "bias", a learned number for each difference of row and column in a window;
            "network", such a number from a network; "vectors", such a number from a vector and the query;
            "switched", encodings that keys switch on; "unlike" if this library has no such encoding;
            "unseen" if no small tower could be built.
        keys: the names of the keys of width, heads, layers, rows of the table ("a * b" is a product) and size
            of the picture.
        missing: the code's values for keys that are not in the file.
        fixed: keys that were probed with one value only, and the value.
        reads: other keys about positions that the code reads.
        pairing, layout, columns_first, alternate: settings of ``AxialRotary``.
        centres: whether coordinates are those of ``patch_centres``, times 2π.
        time: whether a third coordinate, the frame, rotates a part of the pairs.
        first: the row and column of the first patch, where tokens that are not patches have place 0.
        last: whether these tokens come after the patches.
        grid_scale: the key of the width in patches that coordinates are scaled to; None if they are not.
        class_turns: whether a class token rotates by its own learned angles.
        beside: a table that is also added to the embeddings, "table" or "row_column"; "own" if it is neither.
        table_first: the row and column of the first patch in tables of rows and columns.
        special: rows of the table before those of the patches.
        left_out: whether these rows are added to no token.
        apart: tokens before the patches whose vectors are not in the table but in separate parameters.
        stretch: mode and antialias of ``interpolate_table`` for other pictures; None if it has no such mode.
        switches: for "switched", the encoding that each key switches on, "table" or "bias".
        seen, named: for "unlike", what changes with the place, and the parameters about positions.
        error: for "unseen", why no small tower could be built.
    """

    name: str
    folder: str
    kind: TowerKind
    keys: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, Any] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    reads: tuple[str, ...] = ()
    pairing: Pairing = "half_split"
    layout: Literal["contiguous", "interleaved", "separate"] = "contiguous"
    columns_first: bool = False
    alternate: bool = False
    centres: bool = False
    time: bool = False
    first: int = 0
    last: bool = False
    grid_scale: str | None = None
    class_turns: bool = False
    beside: Literal["", "table", "row_column", "own"] = ""
    table_first: int = 0
    special: int = 0
    left_out: bool = False
    apart: int = 0
    stretch: tuple[str, bool] | None = None
    switches: Mapping[str, str] = field(default_factory=dict)
    seen: str = ""
    named: tuple[str, ...] = ()
    error: str = ""

    @property
    def source(self) -> str:
        """The folder of the code that this row was read from."""
        return f"transformers/models/{self.folder}"

    @property
    def read(self) -> bool:
        """True if an encoding of this library is made from its configurations."""
        return self.kind not in ("unlike", "unseen")


_FIELDS = {each.name for each in fields(Tower)}


@cache
def census() -> Mapping[str, Any]:
    """Return the whole table: ``made`` (version of transformers, date), ``inside``, and rows, ``towers``."""
    return json.loads(Path(__file__).with_name("towers.json").read_text("utf-8"))


@cache
def towers_table() -> Mapping[str, Tower]:
    """Return every row by its ``model_type``.

    >>> towers_table()["gemma4_vision"].layout
    'separate'
    """
    return {name: _tower(name, row) for name, row in census()["towers"].items()}


def _tower(name: str, row: Mapping[str, Any]) -> Tower:
    said: dict[str, Any] = {key: value for key, value in row.items() if key in _FIELDS}
    lists = {key: tuple(value) for key, value in said.items() if isinstance(value, list)}
    return Tower(name, **{**said, **lists})


def read_tower(config: Mapping[str, Any], like: str | None = None) -> tuple[str, Tower, list[LayerPositions]]:
    """Return the name of a configuration's vision tower, its row, and its layers.

    Raises:
        ValueError: no tower in the file, or one that is not in the table or whose encoding this library
            lacks; keys that are missing or unknown.
    """
    outer = Keys(config)
    inner, where = config.get("vision_config"), "vision_config."
    if inner is None:
        inner, where = config, ""
    elif isinstance(inner, Mapping) and isinstance(inner.get("backbone_config"), Mapping):
        inner, where = inner["backbone_config"], f"{where}backbone_config."  # SAM 3's
    said = [Keys(inner, where).said("model_type"), outer.said("model_type")] if like is None else [like]
    table, inside = towers_table(), census()["inside"]
    names = list(dict.fromkeys(inside.get(each, each) for each in said if isinstance(each, str)))
    name = next((each for each in names if each in table), None)
    if name is None:
        raise unknown_tower(inner, where, names, table)
    tower = table[name]
    if not tower.read:
        raise unread_tower(tower)
    keys = Keys(inner, where, tower.missing)
    for key, wanted in tower.fixed.items():
        if (value := keys.said(key)) is not None:
            same_or_refuse(f"{where}{key}", value, tower.source, wanted)
    for key in (*tower.reads, "window_size"):
        keys.said(key)
    layers = reader_of(tower.kind)(keys, tower)
    keys.refuse_unread(tower.source, only_about_positions=True)
    return name, tower, layers
