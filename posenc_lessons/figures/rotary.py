"""Rotary encoding: two conventions for pairing features, and scores against distance."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Arc

from posenc_lessons.figures.colors import BLUE, CYCLE, INK, MUTED, VERMILLION
from posenc_lessons.figures.line_names import names_above
from posenc_lessons.figures.shapes import box, mixed, write
from posenc_lessons.figures.style import PX, Picture, new_drawing, new_picture, styled
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


@styled()
def decay_figure(distances: np.ndarray, bound: np.ndarray, ones: np.ndarray, random: np.ndarray) -> Picture:
    """Draw scores against ``distances`` [n]: ``bound`` and ``ones`` [n] on the left, ``random`` [k, n] right.

    The bound falls with distance, the score of vectors of ones mostly does, those of random vectors do not.
    """
    picture = new_picture(
        620,
        230,
        alt=Text(
            "左：上界和同向向量的分数大体随距离下降，但一路在抖。右：随机向量的分数不随距离下降。",
            "Left: the bound and the score of equal vectors fall with distance on the whole, trembling all "
            "the way. Right: the scores of random vectors do not fall with distance.",
        ),
        ncols=2,
    )
    left, right = picture.axes
    for axes in (left, right):
        axes.axhline(0, color=MUTED, linewidth=0.8 * PX)
        axes.set_xscale("log")
        axes.set_xlim(float(distances[0]), float(distances[-1]))
        axes.set_xlabel(
            Text("相对位置 $n-m$（对数轴）", "relative position $n-m$ (log axis)").show(between="\n")
        )
    ones_name = Text("$q = k$ 全是 1 的分数", "score of $q = k$, all ones")
    bound_name = Text("上界里的平均 $|S_j|$", "the bound's mean $|S_j|$")
    left.plot(distances, ones, color=BLUE, linewidth=1.1 * PX, label=ones_name.show())
    left.plot(distances, bound, color=VERMILLION, linewidth=2 * PX, label=bound_name.show())
    names_above(left, columns=1)
    for scores in random:
        right.plot(distances, scores, linewidth=0.9 * PX)
    right.set_title(Text("随机 $q$、$k$ 的分数", "scores of random $q$ and $k$").show(between="\n"))
    return picture
