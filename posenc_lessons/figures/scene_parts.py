"""Parts that scenes share: a rectangle, strokes, numbers in cells, powers of ten, the key to colours."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from posenc_lessons.figures.colors import INK, PAPER, color_table
from posenc_lessons.figures.scene import Align, Axis, Heatmap, Labels, Layer, Line, Panel
from posenc_lessons.language import Text

if TYPE_CHECKING:
    from numpy.typing import ArrayLike  # the pages' NumPy comes without numpy.typing

NOTHING = Text("", "")


def rectangle(name: str, x: tuple[float, float], y: tuple[float, float], color: str, width: float) -> Line:
    """Return the outline from x[0] to x[1] and y[0] to y[1], a line ``width`` CSS pixels wide."""
    return Line(name, np.array(x)[[0, 1, 1, 0, 0]], np.array(y)[[0, 0, 1, 1, 0]], color, width)


def strokes(name: str, x: ArrayLike, y: ArrayLike, color: str, width: float = 1.6) -> Line:
    """Return polylines, each a row of ``x`` and ``y`` [k, n], as one line with gaps between them.

    ``x`` and ``y`` may have any shapes that broadcast to [k, n].
    """
    rows = np.stack(np.broadcast_arrays(x, y)).astype(float)  # [2, k, n]
    across, up = np.pad(rows, ((0, 0), (0, 0), (0, 1)), constant_values=np.nan).reshape(2, -1)
    return Line(name, across, up, color, width)


def cell_numbers(heatmap: Heatmap, written: Callable[[float], str], size: float = 11) -> list[Layer]:
    """Label every cell with ``written(value)`` unless it is NaN: dark on light cells, light on dark."""
    lightness = color_table(heatmap.colors)[heatmap.indices()][..., :3] @ [0.2126, 0.7152, 0.0722]
    known = ~np.isnan(heatmap.values)
    layers: list[Layer] = []
    for layer, color, cells in (("dark", INK, lightness > 128), ("light", PAPER, lightness <= 128)):
        rows, columns = np.nonzero(cells & known)
        texts = tuple(map(written, heatmap.values[rows, columns]))
        layers.append(Labels(layer, columns.astype(float), rows.astype(float), texts, color, size))
    return layers


def words_at(
    name: str, x: float, y: float, text: Text, color: str, size: float, line: float, align: Align = "center"
) -> Labels:
    """Return ``text`` at a point; for both languages, the second stands ``line`` units of y further."""
    lines = tuple(text.show(between="\n").split("\n"))
    return Labels(name, np.full(len(lines), x), y + line * np.arange(len(lines)), lines, color, size, align)


def power_of_ten(power: int) -> str:
    """Return 10^power as the label of a tick."""
    raised = str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{raised}" if power else "1"


def color_key(
    name: str,
    box: tuple[float, float, float, float],
    values: tuple[float, float],
    colors: str,
) -> Panel:
    """Return a panel that is a colour bar from low to high ``values``; its numbers can follow a slider."""
    low, high = values
    ramp = np.linspace(high, low, 255)[:, None]
    # The ramp has 255 cells, one unit wide each, so the axis counts cells and its ticks name values.
    ticks = Axis(NOTHING, low, high).shown_ticks()
    return Panel(
        name,
        box=box,
        title=NOTHING,
        x=Axis(NOTHING, -0.5, 0.5, ()),
        y=Axis(NOTHING, 254.5, -0.5, tuple(((high - v) / (high - low) * 254, label) for v, label in ticks)),
        layers=(Heatmap("ramp", ramp, low, high, colors),),
    )
