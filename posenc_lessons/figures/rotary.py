"""Rotary encoding: two conventions for pairing features."""

from matplotlib.axes import Axes
from matplotlib.patches import Arc

from posenc_lessons.figures.colors import CYCLE, INK, MUTED
from posenc_lessons.figures.shapes import box, mixed, write
from posenc_lessons.figures.style import PX, Picture, new_drawing, styled
from posenc_lessons.language import Text, current

CELL, GAP = 62, 8
MARGIN, TOP, BOTTOM, HEIGHT = 36, 66, 192, 306

INTERLEAVED = Text("相邻配对（interleaved）", "interleaved: neighbours")
HALF_SPLIT = Text("对半配对（half-split）；角上：新位置", "half-split; corner: new place")


@styled()
def pairing_figure(n_pairs: int) -> Picture:
    """Draw 2·``n_pairs`` features, paired by neighbours above and by halves below, with lines between them.

    In the lower row features keep their names; the small number in a corner is the new place.
    """
    features = 2 * n_pairs
    width = 2 * MARGIN + features * (CELL + GAP) - GAP
    picture = new_drawing(
        width,
        HEIGHT,
        alt=Text(
            f"{features} 个特征：上面相邻的两个一对，下面前一半配后一半；偶数的特征移到前半，"
            "奇数的移到后半，名字不变，角上是新的位置。",
            f"{features} features: above, neighbours make a pair; below, each half gives one. Even features "
            "move to the first half, odd ones to the second, under their old names, with the new place in "
            "the corner.",
        ),
    )
    (axes,) = picture.axes
    shown = current()
    write(axes, width / 2, 16, INTERLEAVED.show(shown), 15)
    write(axes, width / 2, HEIGHT - 16, HALF_SPLIT.show(shown), 15)
    for pair in range(n_pairs):
        color = CYCLE[pair % len(CYCLE)]
        above, below = (2 * pair, 2 * pair + 1), (pair, pair + n_pairs)
        for start, end in zip(above, below, strict=True):
            axes.plot([_x(start), _x(end)], [TOP + 41, BOTTOM - 1], color=color, linewidth=1.8 * PX, zorder=0)
        _joined(axes, above, TOP, color, up=True)
        _joined(axes, below, BOTTOM + 40, color, up=False)
        for name, there in zip(above, above, strict=True):
            _feature(axes, there, TOP, name, color)
        for name, there in zip(above, below, strict=True):
            _feature(axes, there, BOTTOM, name, color)
            write(axes, _x(there) + CELL / 2 - 9, BOTTOM + 8, str(there), 11, MUTED)
    return picture


def _x(column: int) -> float:
    return MARGIN + column * (CELL + GAP) + CELL / 2


def _feature(axes: Axes, column: int, top: float, name: int, color: str) -> None:
    box(axes, (_x(column) - CELL / 2, top), (CELL, 40), mixed(color, 0.25), color, width=1.4)
    write(axes, _x(column), top + 20, f"$x_{{{name}}}$", 16, INK)


def _joined(axes: Axes, columns: tuple[int, int], y: float, color: str, *, up: bool) -> None:
    left, right = (_x(column) for column in columns)
    tall = 30 + 6 * (columns[1] - columns[0])
    start, end = (180, 360) if up else (0, 180)  # y points down
    axes.add_patch(
        Arc(
            ((left + right) / 2, y),
            right - left,
            tall * 1.4,
            theta1=start,
            theta2=end,
            color=color,
            linewidth=2.2 * PX,
        )
    )
