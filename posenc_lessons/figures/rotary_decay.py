"""Does a rotary score fall with distance? The bound does, that of equal vectors mostly, others do not."""

from __future__ import annotations

import numpy as np

from posenc_lessons.figures.colors import BLUE, MUTED, VERMILLION
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text

DISTANCE = Text("距离 $n-m$（对数轴）", "distance $n-m$ (log axis)")
BOUND = Text("上界里的平均 $|S_j|$", "the bound's mean $|S_j|$")
ONES = Text("$q = k$ 全是 1 的分数", "score of $q = k$, all ones")
RANDOM = Text("随机 $q$、$k$ 的分数", "scores of random $q$ and $k$")


@styled()
def decay_figure(distances: np.ndarray, bound: np.ndarray, ones: np.ndarray, random: np.ndarray) -> Picture:
    """``bound`` and ``ones`` [n] on the left, ``random`` [k, n] on the right, against ``distances`` [n]."""
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
        axes.set_xlabel(DISTANCE.show(between="\n"))
    left.plot(distances, ones, color=BLUE, linewidth=1.1 * PX, label=ONES.show())
    left.plot(distances, bound, color=VERMILLION, linewidth=2 * PX, label=BOUND.show())
    left.legend(loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0)
    for scores in random:
        right.plot(distances, scores, linewidth=0.9 * PX)
    right.set_title(RANDOM.show(between="\n"))
    return picture
