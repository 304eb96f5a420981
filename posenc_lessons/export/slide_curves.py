"""Draw a table of a slide as a line chart: its first column is the x axis, each other one a curve."""

import re
from dataclasses import replace

import numpy as np

from posenc_lessons.figures.colors import CYCLE, RULE
from posenc_lessons.figures.scene import Axis, End, Layer, Line, Panel, Points, Scene
from posenc_lessons.figures.theme import LIGHT, SLIDE
from posenc_lessons.figures.with_theme import alone
from posenc_lessons.language import BilingualValueError, Text

CURVES = re.compile(r'<div class="curves( log)?">\s*(\|.*?\|)\s*</div>', re.DOTALL)
BOX = (0.0, 0.0, 520.0, 300.0)
FEW = 12  # points of a curve that are marked
_MARKUP = re.compile(r"[*$\\]")
_RULE = re.compile(r"[\s|:-]+")  # the line below a table's header


def curves(table: str, is_log: bool, room: tuple[float, float]) -> Scene:
    """Return the chart of a Markdown ``table``.

    The first cell of the header names both axes, x first: ``length / accuracy``. An empty cell leaves a gap.
    ``is_log``: equal factors are equal steps of x. ``room`` is width and height in CSS pixels. Raises
    BilingualValueError for a table that has too few numbers.
    """
    header, *rows = [
        [_MARKUP.sub("", cell).strip() for cell in line.strip()[1:-1].split("|")]
        for line in table.splitlines()
        if not _RULE.fullmatch(line)
    ]
    try:
        numbers = np.array([[float(cell.replace("−", "-") or "nan") for cell in row] for row in rows])
        (x, *columns), names = numbers.T, header[1:]  # x [rows], columns [curves, rows]
        if np.isnan(x).any() or not names or len(names) != len(columns) or np.isnan(columns).all(1).any():
            raise ValueError("numbers are missing")
    except ValueError as error:
        raise BilingualValueError(
            f"幻灯片上的这张表画不成曲线：\n{table}",
            f"this table of a slide cannot be drawn as curves:\n{table}",
        ) from error
    at = np.log2(x) if is_log else x
    low, high = float(np.nanmin(columns)), float(np.nanmax(columns))
    margin = 0.06 * (high - low or 1)
    layers: list[Layer] = []
    if low < 0 < high:
        layers.append(Line("zero", at[[0, -1]], np.zeros(2), RULE, 1.2))
    ends = []
    for k, (name, y) in enumerate(zip(names, columns, strict=True)):
        there, color = ~np.isnan(y), CYCLE[k % len(CYCLE)]
        layers.append(Line(f"curve{k}", at[there], y[there], color, 2.4))
        if len(x) <= FEW:
            layers.append(Points(f"points{k}", at[there], y[there], color, 6))
        ends.append(End(Text(name, name), LIGHT.legible(color), float(y[there][-1])))
    across, _, up = (part.strip() for part in header[0].partition("/"))
    ticks = tuple(zip(at.tolist(), (f"{value:g}".replace("-", "−") for value in x), strict=True))
    beside = 0.02 * (at[-1] - at[0])
    panel = Panel(
        "curves",
        BOX,
        Text("", ""),
        Axis(Text(across, across), float(at[0] - beside), float(at[-1]), ticks if is_log else None),
        Axis(Text(up, up), low - margin, high + margin),
        tuple(layers),
        ends=tuple(ends),
        hero=True,
    )
    alt = f"{header[0]}: {', '.join(names)}"
    return alone(Scene(600, 360, (panel,), Text(alt, alt)), [panel], replace(SLIDE, alone=room))
