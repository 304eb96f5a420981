"""Matrices side by side as heatmaps: scores, similarities, gates, masks, rotations."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc_lessons.figures.axis_names import KEY_N, QUERY_M
from posenc_lessons.figures.colors import INK, PAPER
from posenc_lessons.figures.style import DIVERGING, PX, SEQUENTIAL, Picture, drawable, new_row, styled
from posenc_lessons.language import Text


@dataclass(frozen=True)
class Heatmap:
    """``values`` [rows, columns] and their name; NaN, or False in a mask, stays pale.

    ``limits``: the values of the first and the last colour; None means from −x to x, where x is the largest
    number of all maps; True has a colour in the middle. ``framed``: the (row, column) of a cell with a frame.
    """

    title: Text
    values: np.ndarray
    limits: tuple[float, float] | None = None
    framed: tuple[int, int] | None = None


@styled()
def heatmaps_figure(
    maps: Sequence[Heatmap],
    rows: Text = QUERY_M,
    columns: Text = KEY_N,
    tokens: Sequence[str] = (),
    numbers: bool = False,
    side: float = 230,
) -> Picture:
    """Draw ``maps``, each ``side`` CSS pixels wide, with a key to the colours unless they are masks.

    Args:
        rows, columns: the names of the axes.
        tokens: the names of rows and columns; without them they are numbered.
        numbers: whether each number that is not 0, or T and F of a mask, stands in its cell.
    """
    says = Text("热图：{titles}。", "Heatmaps: {titles}.")
    width = min(70 + side * len(maps), 1040)
    picture = new_row(width, side + 65, says, (one.title for one in maps), sharey=True)
    most = max(float(np.nanmax(np.abs(one.values))) for one in maps)
    limits = [one.limits or ((0, 2) if one.values.dtype == bool else (-most, most)) for one in maps]
    every_axes = list(picture.axes)
    alike = len(set(limits)) == 1
    for axes, one, (low, high) in zip(every_axes, maps, limits, strict=True):
        colors = DIVERGING if low < 0 else SEQUENTIAL
        image = axes.imshow(one.values, cmap=colors, vmin=low, vmax=high, aspect="equal")
        axes.set_xlabel(columns.show())
        if one.framed is not None:
            _draw_frame(axes, *one.framed)
        if numbers:
            _write_numbers(axes, one.values, high)
        if tokens:
            names = [drawable(token) for token in tokens]
            axes.set_xticks(range(len(names)), names, fontsize=11 * PX)
            axes.set_yticks(range(len(names)), names, fontsize=11 * PX)
        if not alike:
            picture.colorbar(image, ax=axes, shrink=0.7, pad=0.02)
    every_axes[0].set_ylabel(rows.show(between="\n"))
    if alike and maps[0].values.dtype != bool:
        picture.colorbar(image, ax=every_axes, shrink=0.8, pad=0.02)
    return picture


def _draw_frame(axes: Axes, row: int, column: int) -> None:
    for color, width in ((PAPER, 4), (INK, 2)):  # visible on dark and on light cells
        axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, ec=color, lw=width * PX))


def _write_numbers(axes: Axes, values: np.ndarray, high: float) -> None:
    for (row, column), value in np.ndenumerate(values):
        words = ("T" if value else "F") if values.dtype == bool else f"{value:.1f}".replace("-", "−")
        color = PAPER if abs(value) > 0.6 * high else INK
        if value or values.dtype == bool:
            axes.text(column, row, words, ha="center", va="center", fontsize=11 * PX, color=color)
