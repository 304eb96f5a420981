"""The layers of vision towers that add to scores: windows like Swin's, SAM's vectors, BEiT's switches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from posenc_lessons.encodings.config import tower_words as words
from posenc_lessons.encodings.config.keys import MOST_LAYERS, Keys
from posenc_lessons.encodings.config.layers import LayerPositions
from posenc_lessons.encodings.config.rope import Beside
from posenc_lessons.encodings.config.tower_sizes import grid_of, numbers, table_beside
from posenc_lessons.encodings.doors import PositionEncoding
from posenc_lessons.encodings.grid_bias import ContinuousGridBias, RelativeGridBias
from posenc_lessons.encodings.grid_query_bias import DecomposedGridBias
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.language import BilingualValueError

if TYPE_CHECKING:
    from posenc_lessons.encodings.config.towers import Tower


def biased(keys: Keys, tower: Tower) -> list[LayerPositions]:
    """Return the layers of a tower whose stages have their own depths and heads, as Swin's."""
    depths = numbers(keys, tower.keys["layers"], most=MOST_LAYERS)
    heads = numbers(keys, tower.keys["heads"])
    if len(depths) != len(heads):
        raise BilingualValueError(
            f"{keys.where}{tower.keys['layers']} 有 {len(depths)} 项，{keys.where}{tower.keys['heads']} 有"
            f" {len(heads)} 项：每一段各一项",
            f"{keys.where}{tower.keys['layers']} has {len(depths)} entries and"
            f" {keys.where}{tower.keys['heads']} {len(heads)}: there must be one for each stage",
        )
    window = keys.whole("window_size")
    stages = _networks(keys, tower, heads, window) if tower.kind == "network" else _tables(heads, window)
    return [layer for depth, layer in zip(depths, stages, strict=True) for _ in range(depth)]


def _tables(heads: list[int], window: int) -> list[LayerPositions]:
    remarks = words.remarks_of_window(window)
    return [
        LayerPositions(RelativeGridBias, {"n_heads": own, "window": window}, remarks=remarks) for own in heads
    ]


def _networks(keys: Keys, tower: Tower, heads: list[int], window: int) -> list[LayerPositions]:
    """Return a layer for each stage of Swin v2's; a stage may say with which window it was trained."""
    trained = [0] * len(heads)
    if "pretrained_window_sizes" in tower.missing:
        trained = numbers(keys, "pretrained_window_sizes", least=0)
    remarks = (*words.remarks_of_window(window), words.UNIT_VECTORS)
    return [
        LayerPositions(
            ContinuousGridBias,
            {"n_heads": own, "window": window, "trained_window": before or None},
            remarks=remarks,
        )
        for own, before in zip(heads, trained, strict=True)
    ]


def multiplied(keys: Keys, tower: Tower) -> list[LayerPositions]:
    """Return layers of SAM's: vectors times the query, in windows or the whole picture, and a table."""
    layers, d_head = keys.layers(tower.keys["layers"]), keys.whole(tower.keys["width"])
    d_head //= keys.whole(tower.keys["heads"])
    window, picture = keys.whole("window_size", least=0), grid_of(keys)
    listed = numbers(keys, "global_attn_indexes", least=0) if keys.said("global_attn_indexes") else []
    table = table_beside(keys, tower) if keys.flag("use_abs_pos", True) else None
    relative = keys.flag("use_rel_pos", True)
    found = []
    for layer in range(layers):
        near = bool(window) and layer not in listed
        remarks = words.remarks_of_table_beside(tower) if table is not None and relative else ()
        remarks = (words.within_window(window), *remarks) if near else remarks
        side: Any = window if near else picture
        if relative:
            settings: dict[str, Any] = {"d_head": d_head, "window": side}
            found.append(LayerPositions(DecomposedGridBias, settings, remarks=remarks, table=table))
        elif table is not None:
            found.append(LayerPositions(table.makes, table.settings, remarks=remarks))
        else:
            found.append(LayerPositions(PositionEncoding, {}, remarks=remarks))
    return found


def switched(keys: Keys, tower: Tower) -> list[LayerPositions]:
    """Return layers of BEiT's, whose file says which encodings there are: a table, a bias, both or none."""
    layers, heads = keys.layers(tower.keys["layers"]), keys.whole(tower.keys["heads"])
    width, picture = keys.whole(tower.keys["width"]), grid_of(keys)
    on = {what for key, what in tower.switches.items() if keys.flag(key, False)}
    table = Beside(LearnedEncoding, {"d_model": width, "max_len": 1 + picture[0] * picture[1]})
    said = words.switched_by(tower.switches)
    if "bias" in on:
        settings: dict[str, Any] = {"n_heads": heads, "window": picture, "class_token": True}
        layer = LayerPositions(
            RelativeGridBias,
            settings,
            remarks=(said, words.CLASS_AT_MINUS_ONE),
            table=table if "table" in on else None,
        )
    elif "table" in on:
        layer = LayerPositions(table.makes, table.settings, remarks=(said, words.special_rows(1)))
    else:
        layer = LayerPositions(PositionEncoding, {}, remarks=(said,))
    return [layer] * layers
