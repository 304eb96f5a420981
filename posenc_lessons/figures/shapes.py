"""Draw words, arrows and cells in a ``style.new_drawing``: lengths are CSS pixels, y points down."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, to_rgb
from matplotlib.patches import FancyBboxPatch, Rectangle

from posenc_lessons.figures.colors import INK, MUTED
from posenc_lessons.figures.style import PX

EDGE = "#C4C9D1"  # around cells and boxes
LINE = 1.35  # from line to line, as a multiple of the type size

Color = str | tuple[float, float, float]


def write(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    size: float = 13,
    color: Color = INK,
    *,
    fill: Color | None = None,
) -> None:
    """Write ``text`` centred on ``x``, the middle of its first line at ``y``, on a background of ``fill``.

    Each line is placed by its baseline, so labels with and without formulas line up.
    """
    for number, line in enumerate(text.split("\n")):
        baseline = y + (0.36 + number * LINE) * size
        label = axes.text(x, baseline, line, fontsize=size * PX, color=color, ha="center", va="baseline")
        if fill is not None:
            label.set_bbox({"boxstyle": "square,pad=0.2", "fc": fill, "ec": "none"})


def arrow(
    axes: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    color: Color = MUTED,
    width: float = 1.4,
) -> None:
    """Draw a straight arrow from ``start`` to ``end``."""
    line = {"color": color, "lw": width * PX, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 8 + width}
    axes.annotate("", xy=end, xytext=start, arrowprops={"arrowstyle": "-|>"} | line)


def box(
    axes: Axes,
    corner: tuple[float, float],
    size: tuple[float, float],
    fill: Color,
    edge: Color = EDGE,
    *,
    width: float = 1,
    rounded: float = 6,
) -> None:
    """Draw a rounded rectangle from its upper left ``corner``; ``width`` is that of its line."""
    axes.add_patch(
        FancyBboxPatch(
            (corner[0] + rounded, corner[1] + rounded),
            size[0] - 2 * rounded,
            size[1] - 2 * rounded,
            boxstyle=f"round,pad={rounded}",
            fc=fill,
            ec=edge,
            lw=width * PX,
        )
    )


def cells(
    axes: Axes,
    center: tuple[float, float],
    shares: np.ndarray,
    colors: Colormap,
    cell: tuple[float, float],
    gap: float = 0,
) -> None:
    """Draw ``shares`` [rows, columns], from 0 to 1, as coloured cells of ``cell`` (width, height).

    ``gap`` is the space between rows.
    """
    (rows, columns), (width, height) = shares.shape, cell
    left, step = center[0] - columns * width / 2, height + gap
    top = center[1] - (rows * step - gap) / 2
    for row in range(rows):
        for column in range(columns):
            face = colors(float(shares[row, column]))
            corner = (left + column * width, top + row * step)
            axes.add_patch(Rectangle(corner, width, height, fc=face, ec=EDGE, lw=0.8 * PX))


def mixed(color: str, share: float) -> tuple[float, float, float]:
    """Mix ``color`` with white so that ``share`` of it is left."""
    red, green, blue = (1 - share + share * part for part in to_rgb(color))
    return red, green, blue
