"""A lookup of table rows, drawn as a matrix of zeros and ones times the table."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc_lessons.figures.colors import BLUE, GREEN, MUTED, ORANGE, PURPLE, VERMILLION
from posenc_lessons.figures.shapes import EDGE, mixed, write
from posenc_lessons.figures.style import PX, Picture, new_drawing, styled
from posenc_lessons.language import Text, current

ROW_COLORS = (VERMILLION, BLUE, GREEN, PURPLE, ORANGE)
CELL, TOP, LEFT, GAP = (46, 32), 50, 30, 54  # CSS pixels; width and height of a cell


@styled()
def lookup_figure(positions: np.ndarray, table: np.ndarray) -> Picture:
    """Draw E · P = rows: one-hot rows of ``positions`` [L] times ``table`` [N, d]. Row r keeps its colour."""
    one_hot = np.eye(len(table))[positions]
    rows = table[positions]
    widths = [matrix.shape[1] * CELL[0] for matrix in (one_hot, table, rows)]
    height = max(len(positions), len(table)) * CELL[1]
    picture = new_drawing(
        LEFT + sum(widths) + 2 * GAP + 24,
        TOP + height + 18,
        alt=Text(
            f"独热矩阵乘以表：每一行里的 1 挑出表的一行，依次是 {positions.tolist()}。",
            "A one-hot matrix times the table: the 1 of each row picks a row of the table, "
            f"{positions.tolist()} in turn.",
        ),
    )
    (axes,) = picture.axes
    names = (Text("独热 $E$", "one-hot $E$"), Text("表 $P$", "table $P$"), Text("查到的行", "rows looked up"))
    left = LEFT
    for name, matrix, width, owners in zip(
        names, (one_hot, table, rows), widths, (positions, np.arange(len(table)), positions), strict=True
    ):
        write(axes, left + width / 2, 16 if current() == "both" else 30, name.show(between="\n"), 13)
        _matrix(
            axes, (left, TOP + (height - len(matrix) * CELL[1]) / 2), matrix, owners, whole=matrix is one_hot
        )
        left += width + GAP
    write(axes, LEFT + widths[0] + GAP / 2, TOP + height / 2, "×", 20, MUTED)
    write(axes, LEFT + widths[0] + widths[1] + 1.5 * GAP, TOP + height / 2, "=", 20, MUTED)
    return picture


def _matrix(
    axes: Axes, corner: tuple[float, float], values: np.ndarray, owners: np.ndarray, *, whole: bool
) -> None:
    """Draw ``values`` in cells; row i has the colour of table row ``owners[i]``. ``whole``: 0 and 1."""
    left, top = corner
    for i, (row, owner) in enumerate(zip(values, owners, strict=True)):
        color = ROW_COLORS[owner % len(ROW_COLORS)]
        middle = top + (i + 0.5) * CELL[1]
        write(axes, left - 12, middle, f"{i}", 12, MUTED)
        for j, value in enumerate(row):
            quiet = whole and value == 0
            place = (left + j * CELL[0], top + i * CELL[1])
            fill = "white" if quiet else mixed(color, 0.22)
            axes.add_patch(Rectangle(place, *CELL, fc=fill, ec=EDGE, lw=0.8 * PX))
            text = f"{value:.0f}" if whole else f"{value:g}".replace("-", "−")
            write(axes, place[0] + CELL[0] / 2, middle, text, 13, MUTED if quiet else "black")
