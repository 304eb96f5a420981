"""Draw panels of a scene as a small SVG without words, which has colours for light and for dark pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from posenc_lessons.figures.colors import color_table
from posenc_lessons.figures.scene import Arrows, Heatmap, Layer, Line, Panel, Points
from posenc_lessons.figures.theme import DARK, LIGHT

LEVELS = 9  # colours of a heatmap: few, so that a file stays small
THIN, DOT = 1.2, 3.2  # the least width of a line and diameter of a dot, in units of the SVG
HEAD = 6  # length of an arrow's head, in the same units
STEP = 20  # tenths of a unit; points of a line that are nearer to the last one are left out

Place = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def panels_svg(panels: Sequence[Panel], width: int, height: int, fills: bool = False) -> str:
    """Return the layers of ``panels``, arranged as in their scene, as SVG of ``width`` × ``height`` units.

    They are in the middle and keep their shape; with ``fills`` they fill the whole SVG. Words are left out.
    Colours are CSS's ``light-dark(…)``: the SVG stands inline in a page and follows its colour scheme. Screen
    readers skip it, because the words beside it say the same.
    """
    boxes = np.array([panel.box for panel in panels])
    left, top = boxes[:, 0].min(), boxes[:, 1].min()
    wide, high = (boxes[:, 0] + boxes[:, 2]).max() - left, (boxes[:, 1] + boxes[:, 3]).max() - top
    edge = 2  # for strokes and dots at the rim
    room = np.array([(width - 2 * edge) / wide, (height - 2 * edge) / high])
    scale = float(room.min())
    scales = room if fills else np.full(2, scale)
    x0, y0 = (np.array([width, height]) - scales * [wide, high]) / 2 - scales * [left, top]
    parts = []
    for panel in panels:
        box = np.array(panel.box) * np.tile(scales, 2) + np.array([x0, y0, 0, 0])
        parts += [_layer(layer, _places(panel, box), scale) for layer in panel.layers]
    inside = "".join(parts)
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return f'<svg {size} aria-hidden="true">{inside}</svg>'


def _places(panel: Panel, box: np.ndarray) -> Place:
    """Return a function from units of the panel's axes to those of the SVG."""

    def place(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        across = (np.asarray(x) - panel.x.start) / (panel.x.end - panel.x.start)
        down = (panel.y.end - np.asarray(y)) / (panel.y.end - panel.y.start)
        return box[0] + across * box[2], box[1] + down * box[3]

    return place


def _layer(layer: Layer, place: Place, scale: float) -> str:
    if isinstance(layer, Heatmap):
        return _heatmap(layer, place)
    if isinstance(layer, Line):
        return _line(layer, place, scale)
    if isinstance(layer, Points):
        return _points(layer, place, scale)
    if isinstance(layer, Arrows):
        return _arrows(layer, place)
    return ""


def _both(color: str) -> str:
    """Return ``color``, chosen for white paper, for light and for dark pages, as CSS."""
    light, dark = LIGHT.shown(color).lower(), DARK.shown(color).lower()
    return f"light-dark({light},{dark})"


def _heatmap(layer: Heatmap, place: Place) -> str:
    """Return a path for each colour, in units of cells; neighbours of one colour are one stroke."""
    rows, columns = layer.values.shape
    left, top, right, bottom = layer.within or (-0.5, -0.5, columns - 0.5, rows - 0.5)
    x, y = place(np.array([left, right]), np.array([top, bottom]))
    levels = np.where(layer.indices() == 0, -1, (layer.indices().astype(int) - 1) * LEVELS // 255)
    paths = []
    for level in np.unique(levels[levels >= 0]):
        index = round(1 + (level + 0.5) * 254 / LEVELS)
        tables = (color_table(theme.ramp(layer.colors)) for theme in (LIGHT, DARK))
        light, dark = ("#" + bytes(table[index, :3]).hex() for table in tables)
        paths.append(f'<path style="stroke:light-dark({light},{dark})" d="{_strokes(levels == level)}"/>')
    unit_x, unit_y = (x[1] - x[0]) / columns, (y[1] - y[0]) / rows
    moved = f"translate({x[0]:.1f} {y[0]:.1f}) scale({unit_x:.4g} {unit_y:.4g})"
    return f'<g transform="{moved}" shape-rendering="crispEdges">{"".join(paths)}</g>'


def _strokes(cells: np.ndarray) -> str:
    """Return the True ones of ``cells`` [rows, columns] as strokes along rows or columns: the shorter way."""
    across = "".join(f"M{start} {row}.5h{far}" for row, start, far in _runs(cells))
    down = "".join(f"M{column}.5 {start}v{far}" for column, start, far in _runs(cells.T))
    return min(across, down, key=len)


def _runs(cells: np.ndarray) -> Iterator[tuple[int, int, int]]:
    """Yield the runs of True in ``cells`` [lines, places]: line, first place, length."""
    for at, line in enumerate(cells):
        changes = np.flatnonzero(np.diff(np.concatenate([[False], line, [False]]).astype(int)))
        for start, end in changes.reshape(-1, 2):
            yield at, int(start), int(end - start)


def _line(layer: Line, place: Place, scale: float) -> str:
    x, y = place(layer.x, layer.y)
    width = max(THIN, layer.width * scale)
    dashes = ";stroke-dasharray:4 2.5" if layer.dashed else ""
    look = f"stroke:{_both(layer.color)};stroke-width:{width:.2g}{dashes}"
    return f'<path fill="none" style="{look}" d="{_polyline(np.stack([x, y], axis=1))}"/>'


def _polyline(points: np.ndarray, least: int = STEP) -> str:
    """Return a path through ``points`` [n, 2], interrupted at NaN, rounded to a tenth of a unit.

    Points nearer than ``least`` tenths to the one before are left out, except the last of each piece.
    """
    way, last, begins = [], np.zeros(2, dtype=int), True
    whole = np.isfinite(points).all(axis=1)
    tenths = np.rint(10 * np.where(whole[:, None], points, 0)).astype(int)
    ends = np.append(~whole[1:], True)  # the last point of each piece is kept
    for here, there, at_end in zip(tenths, whole, ends, strict=True):
        if not there:
            begins = True
        elif begins:
            way.append(f"M{_number(here[0])} {_number(here[1])}")
            last, begins = here, False
        elif np.abs(here - last).max() >= least or at_end:
            way.append(f"l{_number(here[0] - last[0])} {_number(here[1] - last[1])}".replace(" -", "-"))
            last = here
    return "".join(way)


def _number(tenths: int) -> str:
    """Return ``tenths`` / 10 in the shortest form that SVG allows."""
    return f"{tenths / 10:g}".replace("0.", ".", 1) if abs(tenths) < 10 else f"{tenths / 10:g}"


def _points(layer: Points, place: Place, scale: float) -> str:
    size = max(DOT, layer.size * scale)
    places = np.stack(place(layer.x, layer.y), axis=1)
    dots = "".join(f"M{x:.4g} {y:.4g}h0" for x, y in places[np.isfinite(places).all(axis=1)])
    look = f"stroke:{_both(layer.color)};stroke-width:{size:.2g};stroke-linecap:round"
    return f'<path fill="none" style="{look}" d="{dots}"/>'


def _arrows(layer: Arrows, place: Place) -> str:
    starts, ends = (np.stack(place(each[:, 0], each[:, 1]), axis=1) for each in (layer.start, layer.end))
    lines, heads = [], []
    for start, end in zip(starts, ends, strict=True):
        length = float(np.hypot(*(end - start)))
        if length == 0:
            continue
        along = (end - start) / length
        head = min(HEAD, 0.5 * length)
        back, side = end - head * along, 0.45 * head * np.array([-along[1], along[0]])
        lines.append(_polyline(np.array([start, back]), least=0))
        heads.append(_polyline(np.array([end, back + side, back - side]), least=0) + "z")
    color = _both(layer.color)
    return (
        f'<path fill="none" style="stroke:{color};stroke-width:1.6" d="{"".join(lines)}"/>'
        f'<path style="fill:{color}" d="{"".join(heads)}"/>'
    )
