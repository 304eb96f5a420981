"""Read the layers of a vision tower from its configuration, by the table's row for its type."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from posenc_lessons.encodings.axial import AxialRotary
from posenc_lessons.encodings.config import tower_words as words
from posenc_lessons.encodings.config.keys import MOST_LAYERS, Keys, same_or_refuse
from posenc_lessons.encodings.config.layers import LayerPositions
from posenc_lessons.encodings.config.tower_sizes import grid_of, numbers, patches_of, table_beside
from posenc_lessons.encodings.config.tower_windows import biased, multiplied, switched
from posenc_lessons.encodings.sinusoidal import SinusoidalEncoding
from posenc_lessons.language import Text

if TYPE_CHECKING:
    from posenc_lessons.encodings.config.towers import Tower

Reader = Callable[[Keys, "Tower"], list[LayerPositions]]


def reader_of(kind: str) -> Reader:
    """Return the function that reads the layers of a tower of this kind."""
    return {
        "axial": _rotating,
        "table": _adding,
        "row_column": _adding,
        "sinusoidal": _counted,
        "bias": biased,
        "network": biased,
        "vectors": multiplied,
        "switched": switched,
    }[kind]


def _rotating(keys: Keys, tower: Tower) -> list[LayerPositions]:
    head = keys.whole("head_dim", least=2) if keys.said("head_dim") is not None else None
    if head is None:
        head = keys.whole(tower.keys["width"]) // keys.whole(tower.keys["heads"])
    settings: dict[str, Any] = {
        "d_head": head,
        "base": _base(keys, tower),
        "pairing": tower.pairing,
        "alternate": tower.alternate,
        "layout": tower.layout,
        "columns_first": tower.columns_first,
        "scale": 2 * math.pi if tower.centres else 1.0,
    }
    if tower.time:
        settings["widths"] = (2 * (head // 6),) * 3
    for name in ("image_size", "patch_size"):
        keys.said(name)
    remarks, layers = words.remarks_of_rotation(tower), keys.layers(tower.keys["layers"])
    table = table_beside(keys, tower)
    if tower.grid_scale is not None:
        found = _of_whole_and_windows(keys, tower, settings, layers)
        return [replace(layer, table=table) for layer in found]
    layer = LayerPositions(AxialRotary, settings, remarks=(*remarks, *_windows(keys, tower)), table=table)
    return [layer] * layers


def _of_whole_and_windows(
    keys: Keys, tower: Tower, settings: dict[str, Any], layers: int
) -> list[LayerPositions]:
    """Return layers of SAM 3: some see the whole picture, with its coordinates scaled to a window's width."""
    window, across = keys.whole("window_size"), grid_of(keys)[1]
    listed = numbers(keys, "global_attn_indexes", least=0)
    remarks = words.remarks_of_rotation(tower)
    whole = LayerPositions(
        AxialRotary,
        {**settings, "scale": window / across},
        remarks=(*remarks, words.as_wide_as_a_window(window, across)),
    )
    near = LayerPositions(AxialRotary, settings, remarks=(*remarks, words.within_window(window)))
    return [whole if layer in listed else near for layer in range(layers)]


def _base(keys: Keys, tower: Tower) -> float:
    """Return the base, which may be in ``rope_parameters``, outside of it, or only in the code."""
    given, usual = keys.in_file("rope_parameters"), tower.missing.get("rope_parameters", {})
    rope = Keys({} if given is None else given, f"{keys.where}rope_parameters.")
    kind = rope.said("rope_type")
    if kind not in (None, usual.get("rope_type", "axial"), "default"):
        same_or_refuse(f"{rope.where}rope_type", kind, tower.source, usual.get("rope_type", "axial"))
    inside, outside = rope.some_number("rope_theta", above=1), keys.some_number("rope_theta", above=1)
    rope.refuse_unread(tower.source)
    if inside is not None and outside is not None and "rope_theta" not in tower.missing:
        same_or_refuse(f"{rope.where}rope_theta", inside, f"{keys.where}rope_theta", outside)
    return float(inside or outside or usual.get("rope_theta", 10000.0))


def _adding(keys: Keys, tower: Tower) -> list[LayerPositions]:
    table = replace(
        tower, beside="row_column" if tower.kind == "row_column" else "table"
    )  # for other kinds this table comes in addition; here it is the only encoding
    added = table_beside(keys, table)
    assert added is not None
    remarks = (*words.remarks_of_table(table), *_windows(keys, tower))
    return [LayerPositions(added.makes, added.settings, remarks=remarks)] * _count(keys, tower)


def _counted(keys: Keys, tower: Tower) -> list[LayerPositions]:
    """Return layers of VideoMAE: sines and cosines of a number that counts all patches of all frames."""
    frames = keys.whole(tower.keys["frames"]) // keys.whole(tower.keys["tubelet"])
    patches = patches_of(keys, tower)
    settings = {"d_model": keys.whole(tower.keys["width"]), "max_len": frames * patches}
    remarks = (words.counted_through(frames, patches),)
    return [LayerPositions(SinusoidalEncoding, settings, remarks=remarks)] * _count(keys, tower)


def _count(keys: Keys, tower: Tower) -> int:
    name = tower.keys["layers"]
    if isinstance(keys.said(name), list):
        return sum(numbers(keys, name, most=MOST_LAYERS))
    return keys.layers(name)


def _windows(keys: Keys, tower: Tower) -> tuple[Text, ...]:
    """Return a remark if the code lets patches see each other only within windows."""
    named = [name for name in (*tower.reads, "window_size") if "window" in name and keys.said(name)]
    return (words.windows(", ".join(dict.fromkeys(named))),) if named else ()
