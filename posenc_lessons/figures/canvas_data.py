"""Turn a scene into the plain data that ``explorers/panel/paint.js`` paints, in JupyterLab and in pages.

The data has three parts, so that only changes are sent: ``stage`` seldom changes, ``axes`` change with a
slider, ``data`` with every step. It consists of dicts, lists, numbers, strings and bytes.
"""

from typing import Any

import numpy as np

from posenc_lessons.figures.colors import color_table
from posenc_lessons.figures.places import label_places, room_for, room_for_ends, slanted
from posenc_lessons.figures.scene import Arrows, Axis, ColorBar, Heatmap, Labels, Layer, Line, Panel, Scene
from posenc_lessons.language import Language


def stage(scene: Scene, language: Language | None) -> dict[str, Any]:
    """Return sizes, words and looks, everything except numbers, in ``language`` (None: the reader's).

    {width, height, theme, panels: {name: panel}}. Lengths are CSS pixels. A panel has its box [left, top,
    width, height], title, the labels x and y, its legend [[name, color], …], ``words`` (its ticks are words),
    ``slanted`` (the words below it are slanted), ``equal`` (a unit has the same length on both axes),
    ``hero``, ``asked`` (the layers whose marks have cards), ``beside`` and ``below`` (the room for its words
    at the ordinary type size), ``places`` (distances of the names of y and x from the box), ``ends`` (names
    and colours of lines, in the room ``right`` of the box), its colour bar {table, low, high, ticks} or None,
    and layers {name: looks}. Words may contain ``$…$``.
    """
    panels = {panel.name: _panel(panel, language) for panel in scene.panels}
    return {"width": scene.width, "height": scene.height, "theme": _theme(scene), "panels": panels}


def axes(scene: Scene) -> dict[str, Any]:
    """Return {panel: {x: axis, y: axis, ends}}; an axis is its start, end and ticks [[value, label], …].

    ``ends`` are the heights at which the named lines end.
    """
    return {
        panel.name: {"x": _axis(panel.x), "y": _axis(panel.y), "ends": [float(end.y) for end in panel.ends]}
        for panel in scene.panels
    }


def data(scene: Scene) -> dict[str, dict[str, Any]]:
    """Return {"panel_layer": {shape, bytes}}; labels also have texts, and a heatmap may have an order.

    The bytes of a heatmap are uint8 [rows, columns], indices into its colour table; those of arrows float32
    [n, 4] (x, y of the start, x, y of the end); all others float32 [n, 2] (x, y), NaN between lines.
    """
    return {f"{panel.name}_{layer.name}": _data(layer) for panel in scene.panels for layer in panel.layers}


def _theme(scene: Scene) -> dict[str, Any]:
    theme = scene.theme
    return {
        "paper": theme.paper,
        "ink": theme.ink,
        "rule": theme.rule,
        "quiet": theme.quiet,
        "type": theme.type_scale,
        "enlarged": theme.enlarged,
    }


def _panel(panel: Panel, language: Language | None) -> dict[str, Any]:
    return {
        "box": list(panel.box),
        "words": panel.words,
        "slanted": slanted(panel),
        "equal": panel.equal,
        "hero": panel.hero,
        "asked": list(panel.asked),
        "title": panel.heading.show(language),
        "x": panel.x.label.show(language),
        "y": panel.y.label.show(language),
        "beside": room_for(panel)[0],
        "below": room_for(panel)[1],
        "places": list(label_places(panel)),
        "ends": [[end.name.show(language), end.color] for end in panel.ends],
        "right": room_for_ends(panel, language),
        "legend": [[name.show(language), color] for name, color in panel.legend],
        "bar": None if panel.color_bar is None else _bar(panel.color_bar),
        "layers": {layer.name: _looks(layer) for layer in panel.layers},
    }


def _bar(bar: ColorBar) -> dict[str, Any]:
    table = color_table(bar.colors).tobytes()
    return {"table": table, "low": bar.low, "high": bar.high, "ticks": _ticks(bar)}


def _axis(axis: Axis) -> dict[str, Any]:
    return {"start": float(axis.start), "end": float(axis.end), "ticks": _ticks(axis)}


def _ticks(axis: Axis | ColorBar) -> list[list[float | str]]:
    return [[value, label] for value, label in axis.shown_ticks()]


def _looks(layer: Layer) -> dict[str, Any]:
    if isinstance(layer, Heatmap):
        colored: dict[str, Any] = {"kind": "heatmap", "table": color_table(layer.colors).tobytes()}
        return colored if layer.within is None else {**colored, "within": [*map(float, layer.within)]}
    if isinstance(layer, Line):
        return {"kind": "line", "color": layer.color, "width": layer.width, "dashed": layer.dashed}
    if isinstance(layer, Arrows):
        return {"kind": "arrows", "color": layer.color, "width": layer.width}
    if isinstance(layer, Labels):
        return {"kind": "labels", "color": layer.color, "size": layer.size, "align": layer.align}
    return {"kind": "points", "color": layer.color, "size": layer.size}


def _data(layer: Layer) -> dict[str, Any]:
    if isinstance(layer, Heatmap):
        values = layer.indices()
    elif isinstance(layer, Arrows):
        values = np.hstack([layer.start, layer.end]).astype(np.float32)
    else:
        values = np.column_stack([layer.x, layer.y]).astype(np.float32)
    content = {"shape": list(values.shape), "bytes": values.tobytes()}
    if isinstance(layer, Heatmap) and layer.order:
        return {**content, "order": list(layer.order)}
    return {**content, "texts": list(layer.texts)} if isinstance(layer, Labels) else content
