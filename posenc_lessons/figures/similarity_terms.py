"""Why PE(p)·PE(p+k) peaks at k = 0: many cosines agree there and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from posenc_lessons.figures.colors import BLUE, INK, MUTED, VERMILLION, YELLOW
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text

DISTANCE = Text("距离 $k$", "distance $k$")
TERMS = Text(r"几个 $\cos(k\theta_i)$", r"a few of the $\cos(k\theta_i)$")
SUMS = Text("从三个位置量出的点积", "measured from three positions")
DOT = Text("点积", "dot product")


@styled()
def similarity_terms_figure(
    offsets: np.ndarray,
    terms: Mapping[int, np.ndarray],
    measured: Mapping[int, np.ndarray],
) -> Picture:
    """Left, ``terms`` {i: cos(kθ_i)}; right, ``measured`` {p: PE(p)·PE(p+k)}; all [n], over ``offsets`` [n].

    The measured curves are drawn from wide and pale to thin and dark: when they agree, all can be seen.
    """
    starts = ", ".join(map(str, measured))
    picture = new_picture(
        620,
        250,
        alt=Text(
            f"左：几个频率不同的余弦，只在 k = 0 处同时到顶。右：从位置 {starts} 量出的点积完全重合，"
            "左右对称。",
            "Left, cosines of several frequencies that all peak together only at k = 0. "
            f"Right, the dot product measured from positions {starts}: the curves coincide and are "
            "symmetric.",
        ),
        ncols=2,
        width_ratios=[1, 1.15],
    )
    left, right = picture.axes
    for row, cosine in enumerate(terms.values()):
        left.plot(offsets, 0.42 * cosine - row, color=BLUE, linewidth=1.4 * PX)
    left.axvline(0, color=VERMILLION, linewidth=1.2 * PX, linestyle=(0, (4, 3)))
    left.set_yticks([-row for row in range(len(terms))], [f"$i$ = {pair}" for pair in terms])
    left.tick_params(axis="y", length=0)
    left.grid(False, axis="y")
    left.spines["left"].set_visible(False)
    left.set(xlim=(offsets[0], offsets[-1]), xlabel=DISTANCE.show())
    left.set_title(TERMS.show(between="\n"))

    looks = ((11, YELLOW), (5, BLUE), (1.4, INK), (1.0, VERMILLION))
    for (start, products), (width, color) in zip(measured.items(), looks, strict=False):
        right.plot(offsets, products, color=color, linewidth=width * PX, label=f"$p$ = {start}")
    right.axhline(0, color=MUTED, linewidth=0.8 * PX)
    right.set(xlim=(offsets[0], offsets[-1]), xlabel=DISTANCE.show(), ylabel=DOT.show())
    right.set_title(SUMS.show(between="\n"))
    right.legend(loc="upper right")
    return picture
