"""The layers of a vision tower, read from its configuration by the row of its type."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.encodings.axial import AxialRotary
from posenc_lessons.encodings.config import tower_words as words
from posenc_lessons.encodings.config.keys import Keys, same_or_refuse
from posenc_lessons.encodings.config.layers import LayerPositions
from posenc_lessons.encodings.grid_bias import RelativeGridBias
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.language import BilingualValueError, Text

if TYPE_CHECKING:
    from posenc_lessons.encodings.config.towers import Tower

Reader = Callable[[Keys, "Tower"], list[LayerPositions]]


def reader_of(kind: str) -> Reader:
    """Return the function that reads the layers of a tower of this kind."""
    return {"axial": _rotating, "table": _adding, "bias": _biased}[kind]


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
    if tower.grid_scale is not None:
        return _of_whole_and_windows(keys, tower, settings, layers)
    layer = LayerPositions(AxialRotary, settings, remarks=(*remarks, *_windows(keys, tower)))
    return [layer] * layers


def _of_whole_and_windows(
    keys: Keys, tower: Tower, settings: dict[str, Any], layers: int
) -> list[LayerPositions]:
    """Return layers of SAM 3's: some see the whole picture, made as wide as the windows of the others."""
    window, across = keys.whole("window_size"), _two(keys, "image_size")[1] // _two(keys, "patch_size")[1]
    listed = _numbers(keys, "global_attn_indexes", least=0)
    remarks = words.remarks_of_rotation(tower)
    whole = LayerPositions(
        AxialRotary,
        {**settings, "scale": window / across},
        remarks=(*remarks, words.as_wide_as_a_window(window, across)),
    )
    near = LayerPositions(AxialRotary, settings, remarks=(*remarks, words.within_window(window)))
    return [whole if layer in listed else near for layer in range(layers)]


def _base(keys: Keys, tower: Tower) -> float:
    """Return the base, which may stand in ``rope_parameters``, outside, or in the code alone."""
    given, usual = keys.said("rope_parameters"), tower.missing.get("rope_parameters", {})
    rope = Keys(given if given is not None else {}, f"{keys.where}rope_parameters.")
    kind = rope.said("rope_type")
    if kind not in (None, usual.get("rope_type", "axial"), "default"):
        same_or_refuse(f"{rope.where}rope_type", kind, tower.source, usual.get("rope_type", "axial"))
    inside, outside = rope.some_number("rope_theta", above=1), keys.some_number("rope_theta", above=1)
    rope.refuse_unread(tower.source)
    if inside is not None and outside is not None and "rope_theta" not in tower.missing:
        same_or_refuse(f"{rope.where}rope_theta", inside, f"{keys.where}rope_theta", outside)
    return float(inside or outside or usual.get("rope_theta", 10000.0))


def _adding(keys: Keys, tower: Tower) -> list[LayerPositions]:
    rows = tower.special + _patches(keys, tower)
    settings = {"d_model": keys.whole(tower.keys["width"]), "max_len": rows}
    remarks = (*words.remarks_of_table(tower), *_windows(keys, tower))
    return [LayerPositions(LearnedEncoding, settings, remarks=remarks)] * _count(keys, tower)


def _patches(keys: Keys, tower: Tower) -> int:
    """Return how many rows of the table belong to patches."""
    if tower.keys.get("rows"):
        return keys.whole(tower.keys["rows"])
    picture, patch = _two(keys, "image_size"), _two(keys, "patch_size")
    return (picture[0] // patch[0]) * (picture[1] // patch[1])


def _biased(keys: Keys, tower: Tower) -> list[LayerPositions]:
    """Return the layers of a tower whose stages have depths and heads of their own, as Swin's."""
    depths, heads = _numbers(keys, tower.keys["layers"]), _numbers(keys, tower.keys["heads"])
    if len(depths) != len(heads):
        raise BilingualValueError(
            f"{keys.where}{tower.keys['layers']} 有 {len(depths)} 项，{keys.where}{tower.keys['heads']} 有"
            f" {len(heads)} 项：每一段各一项",
            f"{keys.where}{tower.keys['layers']} has {len(depths)} entries and"
            f" {keys.where}{tower.keys['heads']} {len(heads)}: there must be one for each stage",
        )
    window = keys.whole("window_size")
    return [
        LayerPositions(
            RelativeGridBias, {"n_heads": own, "window": window}, remarks=words.remarks_of_window(window)
        )
        for depth, own in zip(depths, heads, strict=True)
        for _ in range(depth)
    ]


def _numbers(keys: Keys, name: str, least: int = 1) -> list[int]:
    given = keys.said(name)
    if not isinstance(given, list | tuple) or not given:
        raise BilingualValueError(
            f"{keys.where}{name} 应当是列表，每一段一个数，收到 {given!r}",
            f"{keys.where}{name} must be a list, a number for each stage; got {given!r}",
        )
    return [whole_number(f"{keys.where}{name}[{i}]", each, least) for i, each in enumerate(given)]


def _count(keys: Keys, tower: Tower) -> int:
    name = tower.keys["layers"]
    return sum(_numbers(keys, name)) if isinstance(keys.said(name), list) else keys.layers(name)


def _windows(keys: Keys, tower: Tower) -> tuple[Text, ...]:
    """Return a remark where the code has windows in which alone patches see each other."""
    named = [name for name in (*tower.reads, "window_size") if "window" in name and keys.said(name)]
    return (words.windows(", ".join(dict.fromkeys(named))),) if named else ()


def _two(keys: Keys, name: str) -> tuple[int, int]:
    """Return a size down and across: a number is both."""
    value: Any = keys.said(name)
    if isinstance(value, list | tuple) and len(value) == 2:
        first, second = (whole_number(f"{keys.where}{name}[{i}]", each, 1) for i, each in enumerate(value))
        return first, second
    return keys.whole(name), keys.whole(name)
