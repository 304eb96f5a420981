"""Turn a scene into another theme: the same data in colours and type that are legible there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from posenc_lessons.figures.places import (
    ABOVE,
    END_STEP,
    LABEL_SIZE,
    TICK_SIZE,
    TITLE_SIZE,
    room_for,
    room_for_ends,
    slanted,
)
from posenc_lessons.figures.scene import Arrows, Axis, Heatmap, Labels, Layer, Line, Panel, Points, Scene
from posenc_lessons.figures.theme import LIGHT, Theme
from posenc_lessons.figures.ticks import Ticks

# Room beside a panel for words at type_scale 1, in CSS pixels.
TITLE, BAR = 22, 34
LETTER = 0.62  # width of a digit, as a share of its size
EDGE = 10  # CSS pixels around a panel that stands alone
LEAST_HEIGHT = 0.62  # of its width, for curves
# The least and largest width, as a share of the height, of curves and tables that fill a room by themselves.
SHAPES = (1.4, 2.8)
LEAST_LETTERS = 23
THICKER = 1.2  # lines and dots, as a share of the growth of the panel
LETTERS_IN_CELLS = 8  # smaller labels in a heatmap are not in its cells, which are too small for letters
Box = tuple[float, float, float, float]  # left, top, width, height
NARROW = 40  # CSS pixels; a narrower panel, such as a colour bar, cannot become narrower


def with_theme(scene: Scene, theme: Theme) -> Scene:
    """Return ``scene`` in ``theme``. The scene keeps its size, so panels make room for larger type."""
    if theme == LIGHT:
        return scene
    if theme.alone:
        return alone(scene, main(scene), theme)
    more = theme.type_scale - 1
    panels = (_panel(panel, _box(panel, scene, more), theme) for panel in scene.panels)
    return replace(scene, theme=theme, panels=tuple(panels))


def alone(scene: Scene, shown: Sequence[Panel], theme: Theme) -> Scene:
    """Return ``scene`` in ``theme`` with nothing but the panels ``shown`` and their words.

    They fill the room of the theme side by side, enlarged alike; curves are as high as the highest.
    """
    sizes = _sizes(shown)
    margins = [_margins(panel, theme.type_scale) for panel in shown]
    across, down = theme.alone or (scene.width, scene.height)
    above = max(above for _, above, _, _ in margins)
    room_across = across - sum(beside + right for beside, _, right, _ in margins)
    room_down = min(down - above - below for *_, below in margins)
    if len(shown) == 1 and (_is_curve(shown[0]) or _is_table(shown[0])):
        width = min(room_across, SHAPES[1] * room_down)
        sizes = [(width, min(room_down, width / SHAPES[0]))]
    times = min(
        room_across / sum(width for width, _ in sizes),
        *((down - above - below) / height for (_, height), (*_, below) in zip(sizes, margins, strict=True)),
    )
    left, bottom, panels = 0.0, 0.0, list[Panel]()
    for panel, (width, height), (beside, _, right, below) in zip(shown, sizes, margins, strict=True):
        grown = times * height / _natural_size(panel)[1]
        height = max(times * height, theme.type_scale * LABEL_SIZE * END_STEP * len(panel.ends))
        whole = _panel(panel, (left + beside, above, times * width, height), theme)
        pairs = zip(panel.layers, whole.layers, strict=True)
        layers = tuple(_enlarged(whole, grown, natural, layer) for natural, layer in pairs)
        panels.append(replace(whole, layers=layers))
        left += beside + times * width + right
        bottom = max(bottom, above + height + below)
    return replace(scene, theme=theme, width=round(left), height=round(bottom), panels=tuple(panels))


def main(scene: Scene) -> list[Panel]:
    """Return the panels of ``scene`` that stand for it on a slide: most often one."""
    named = {panel.name: panel for panel in scene.panels}
    hero = next((panel for panel in scene.panels if panel.hero), scene.panels[0])
    return [named[name] for name in scene.beside] or [hero]


def _sizes(shown: Sequence[Panel]) -> list[tuple[float, float]]:
    """Return the width and height of each panel: curves and square maps are as high as the highest panel."""
    sizes = [_natural_size(panel) for panel in shown]
    highest = max(height for _, height in sizes)
    return [
        (min(width * highest / height, max(width, highest)), highest)
        if _is_curve(panel) or (_is_map(panel) and width == height)
        else (width, height)
        for panel, (width, height) in zip(shown, sizes, strict=True)
    ]


def _natural_size(panel: Panel) -> tuple[float, float]:
    *_, width, height = panel.box
    if panel.equal:  # without the room that only makes the axes as broad as the box
        width = min(width, height * abs((panel.x.end - panel.x.start) / (panel.y.end - panel.y.start)))
    elif _is_curve(panel):
        height = max(height, LEAST_HEIGHT * width)
    return width, height


def _margins(panel: Panel, scale: float) -> Box:
    """Return the room for the words of ``panel`` on its left, above it, on its right and below it."""
    beside, below = (scale * room + EDGE for room in room_for(panel))
    above = ABOVE + scale * TITLE_SIZE * (0.2 + 1.2 * bool(panel.title.en) + 1.2 * bool(panel.legend))
    names = room_for_ends(panel) + LABEL_SIZE / 2 * bool(panel.ends)  # some letters are broader than most
    return beside, above, EDGE + scale * (names + BAR * bool(panel.color_bar)), below


def _enlarged(panel: Panel, times: float, natural: Layer, layer: Layer) -> Layer:
    """Return ``layer`` of a ``panel`` that became so many ``times`` as large as when it was ``natural``.

    Letters that are smaller than ``LEAST_LETTERS`` become larger as far as their neighbours allow.
    """
    if isinstance(natural, Labels) and isinstance(layer, Labels):
        in_cells = _is_map(panel) and layer.size > LETTERS_IN_CELLS
        size, most = times * natural.size, 1.6
        if in_cells:  # which may have several lines
            size, most = min(layer.size, 1.5 * size), 1.1
        return replace(layer, size=max(size, min(most * size, LEAST_LETTERS)))
    if isinstance(natural, Points) and isinstance(layer, Points):
        return replace(layer, size=THICKER * times * natural.size)
    if isinstance(natural, Line | Arrows) and isinstance(layer, Line | Arrows):
        return replace(layer, width=THICKER * times * natural.width)
    return layer


def _is_map(panel: Panel) -> bool:
    return any(isinstance(layer, Heatmap) for layer in panel.layers)


def _is_table(panel: Panel) -> bool:
    """Return whether ``panel`` has a map with other rows than columns and no letters in most cells."""
    *_, width, height = panel.box
    cells = sum(layer.values.size for layer in panel.layers if isinstance(layer, Heatmap))
    labels = sum(len(layer.texts) for layer in panel.layers if isinstance(layer, Labels))
    return labels < cells / 2 and not panel.equal and width != height


def _is_curve(panel: Panel) -> bool:
    return not panel.equal and not _is_map(panel)


def _panel(panel: Panel, box: Box, theme: Theme) -> Panel:
    """Return ``panel`` in another ``box`` and theme."""
    scale, bar = theme.type_scale, panel.color_bar
    x, y = _axes_in(box, panel)
    return replace(
        panel,
        box=box,
        x=_axis(x, box[2], scale, across=not slanted(panel)),
        y=_axis(y, box[3], scale, across=False),
        layers=tuple(_layer(layer, panel, box, theme) for layer in panel.layers),
        color_bar=None if bar is None else replace(bar, colors=theme.ramp(bar.colors)),
        ends=tuple(replace(end, color=theme.legible(end.color)) for end in panel.ends),
        legend=tuple((name, theme.shown(color)) for name, color in panel.legend),
    )


def _box(panel: Panel, scene: Scene, more: float) -> Box:
    """Return the panel's box, smaller by ``more`` of the room for words on each side that has words."""
    left, top, width, height = panel.box
    # Panels in a row, such as a matrix and its colour bar, end at the same height.
    row = [other for other in scene.panels if (other.box[1], other.box[3]) == (top, height)]
    above, below = more * TITLE, more * max(room_for(other)[1] for other in row)
    beside = more * room_for(panel)[0]
    right = more * (room_for_ends(panel) + (BAR if panel.color_bar is not None else 0))
    narrower = 0 if width < NARROW else beside + right
    return left + beside, top + above, width - narrower, height - above - below


def _axes_in(box: Box, panel: Panel) -> tuple[Axis, Axis]:
    """Return both axes of ``panel`` in ``box``; if they are equal, the one with more room is extended."""
    x, y = panel.x, panel.y
    if not panel.equal:
        return x, y
    unit = min(box[2] / abs(x.end - x.start), box[3] / abs(y.end - y.start))
    return _over(x, box[2] / unit), _over(y, box[3] / unit)


def _over(axis: Axis, span: float) -> Axis:
    more = (math.copysign(span, axis.end - axis.start) - (axis.end - axis.start)) / 2
    return replace(axis, start=axis.start - more, end=axis.end + more)


def _axis(axis: Axis, length: float, scale: float, across: bool) -> Axis:
    """Return ``axis`` with as many ticks as fit in larger type; ``across``: they stand side by side."""
    ticks = axis.shown_ticks()
    if scale == 1 or not ticks:
        return axis
    size = scale * TICK_SIZE
    kept: Ticks = ticks[:1]
    for tick in ticks[1:]:
        letters = (len(tick[1]) + len(kept[-1][1])) / 2  # from the middle of one to that of the other
        room = (letters * LETTER + 0.4) * size if across else 1.1 * size
        if abs(tick[0] - kept[-1][0]) / abs(axis.end - axis.start) * length >= room:
            kept = (*kept, tick)
    return replace(axis, ticks=kept)


def _layer(layer: Layer, panel: Panel, box: Box, theme: Theme) -> Layer:
    if isinstance(layer, Heatmap):
        return replace(layer, colors=theme.ramp(layer.colors))
    color = theme.shown(layer.color)  # labels on pale cells become legible on dark ones, and the reverse
    if isinstance(layer, Labels):
        if _is_map(panel):
            return replace(layer, color=color, size=_size_in_cells(layer, panel, box, theme.type_scale))
        # Only half the growth, because their neighbours are not known.
        return replace(layer, color=color, size=layer.size * (1 + (theme.type_scale - 1) / 2))
    if isinstance(layer, Points):
        return replace(layer, color=color, size=layer.size * theme.type_scale)
    return replace(layer, color=color, width=layer.width * theme.type_scale)


def _size_in_cells(labels: Labels, panel: Panel, box: Box, scale: float) -> float:
    """Return the size of labels in cells, enlarged as far as the cells allow."""
    longest = max((len(text) for text in labels.texts), default=1)
    wide, high = box[2] / abs(panel.x.end - panel.x.start), box[3] / abs(panel.y.end - panel.y.start)
    fits = min(0.9 * wide / (LETTER * max(longest, 1)), 0.45 * high)  # there may be two lines
    return max(min(labels.size * scale, fits), min(labels.size, fits)) if scale > 1 else labels.size
