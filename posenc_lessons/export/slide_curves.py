"""Draw a table of a slide as a line chart: its first column is the x axis, each other one a curve."""

import re
from dataclasses import replace

import numpy as np

from posenc_lessons.figures.colors import CYCLE, MUTED, RULE
from posenc_lessons.figures.scene import Axis, End, Layer, Line, Panel, Points, Scene
from posenc_lessons.figures.theme import LIGHT, SLIDE
from posenc_lessons.figures.with_theme import alone
from posenc_lessons.language import BilingualValueError, Text

CURVES = re.compile(r'<div class="curves(?: (log|places))?">\s*(\|.*?\|)\s*</div>', re.DOTALL)
BOX = (0.0, 0.0, 520.0, 300.0)
FEW = 8  # points of a curve that are marked, each with its tick
_MARKUP = re.compile(r"[*$\\]")
_COLOR = re.compile(r" #([0-5m])$")
_RULE = re.compile(r"[\s|:-]+")  # the line below a table's header


def curves(table: str, scale: str | None, room: tuple[float, float]) -> list[Scene]:
    """Return the chart of a Markdown ``table`` with one curve, with two, and so on.

    The first cell of the header names both axes, x first: ``length / accuracy``. An empty cell leaves a gap.
    The name of a curve may end with its colour: ``ALiBi #2`` is the third of CYCLE, ``guessing #m`` is grey
    and dashed. ``scale``: ``log``, equal factors are equal steps of x; ``places``, each row is one
    step, and its first cell may be a word. ``room`` is width and height in CSS pixels.
    Raises BilingualValueError for a table that has too few numbers.
    """
    header, *rows = [
        [_MARKUP.sub("", cell).strip() for cell in line.strip()[1:-1].split("|")]
        for line in table.splitlines()
        if not _RULE.fullmatch(line)
    ]
    try:
        places = (at if scale == "places" else _number(row[0]) for at, row in enumerate(rows))
        numbers = np.array(  # [rows, 1 + curves]
            [[x, *map(_number, row[1:])] for x, row in zip(places, rows, strict=True)], float
        )
    except ValueError:  # words, or rows of different lengths
        numbers = np.empty((0, 0))
    if numbers[:, 1:].size == 0 or np.isnan(numbers[:, 0]).any() or np.isnan(numbers).all(0).any():
        raise BilingualValueError(
            f"幻灯片上的这张表画不成曲线：\n{table}",
            f"this table of a slide cannot be drawn as curves:\n{table}",
        )
    if scale == "log":
        numbers[:, 0] = np.log2(numbers[:, 0])
    ticks = tuple(zip(numbers[:, 0].tolist(), (row[0] for row in rows), strict=True))  # as the table has them
    names = [_COLOR.sub("", name) for name in header[1:]]
    whole = _panel(header, numbers, ticks if scale or len(rows) <= FEW else None)
    alt = f"{header[0]}: {', '.join(names)}"
    scene = alone(Scene(600, 360, (whole,), Text(alt, alt)), [whole], replace(SLIDE, alone=room))
    return [_with(count, scene) for count in range(1, len(names) + 1)]


def _with(count: int, scene: Scene) -> Scene:
    """Return ``scene`` with its first ``count`` curves."""
    (panel,) = scene.panels
    later = {f"{kind}{k}" for kind in ("curve", "points") for k in range(count, len(panel.ends))}
    layers = tuple(layer for layer in panel.layers if layer.name not in later)
    return replace(scene, panels=(replace(panel, layers=layers, ends=panel.ends[:count]),))


def _panel(header: list[str], numbers: np.ndarray, ticks: tuple[tuple[float, str], ...] | None) -> Panel:
    x, *columns = numbers.T  # x [rows], columns [curves, rows]
    low, high = float(np.nanmin(columns)), float(np.nanmax(columns))
    above, beside = 0.06 * (high - low or 1), 0.02 * float(x[-1] - x[0])
    layers: list[Layer] = []
    if low < 0 < high:
        layers.append(Line("zero", x[[0, -1]], np.zeros(2), RULE, 1.2))
    ends = []
    for k, (name, y) in enumerate(zip(header[1:], columns, strict=True)):
        given, chosen = ~np.isnan(y), _COLOR.search(name)
        grey = chosen is not None and chosen[1] == "m"
        color = MUTED if grey else CYCLE[int(chosen[1]) if chosen else k % len(CYCLE)]
        layers.append(Line(f"curve{k}", x[given], y[given], color, 1.6 if grey else 3.2, dashed=grey))
        if len(x) <= FEW:
            layers.append(Points(f"points{k}", x[given], y[given], color, 1 if grey else 7))
        name = _COLOR.sub("", name)
        ends.append(End(Text(name, name), LIGHT.legible(color), float(y[given][-1])))
    across, _, up = (part.strip() for part in header[0].partition("/"))
    return Panel(
        "curves",
        BOX,
        Text("", ""),
        Axis(Text(across, across), float(x[0]) - beside, float(x[-1]) + beside, ticks),
        Axis(Text(up, up), low - above, high + above),
        tuple(layers),
        ends=tuple(ends),
        hero=True,
    )


def _number(cell: str) -> float:
    return float(cell.replace("−", "-").replace(",", "") or "nan")
