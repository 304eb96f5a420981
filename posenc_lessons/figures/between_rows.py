"""A table asked between its rows: the straight line from ⌊p⌋ to ⌈p⌉, and where it can go no further."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from posenc_lessons.figures.colors import BLUE, INK, MUTED, VERMILLION
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text

POSITION = Text("位置 $p$", "position $p$")


@styled()
def between_rows_figure(z: np.ndarray, asked: Sequence[float]) -> Picture:
    """``z`` [N] at 0 … N−1 joined by lines, and what is read at each p of ``asked``; flat beyond N−1."""
    last = len(z) - 1
    read = np.interp(asked, np.arange(len(z)), z)
    places = ", ".join(f"{p:g}" for p in asked)
    picture = new_picture(
        600,
        300,
        alt=Text(
            f"整数位置上的 z 连成折线，在 p = {places} 处读数；超过 {last} 就封顶，线是平的。",
            f"z at whole positions, joined by straight lines, read at p = {places}; flat beyond {last}.",
        ),
    )
    (axes,) = picture.axes
    end = max(last + 1.2, max(asked) + 0.3)
    axes.plot([*range(len(z)), end], [*z, z[-1]], color=BLUE, linewidth=2 * PX)
    axes.plot(range(len(z)), z, "o", color=BLUE, markersize=9 * PX, label=Text("表里的行", "rows").show())
    axes.plot(asked, read, "D", color=VERMILLION, markersize=8 * PX, label=Text("读到的", "read").show())
    axes.vlines(asked, min(0.0, float(z.min())), read, color=VERMILLION, linestyle=":", linewidth=1.4 * PX)
    for p, value in zip(asked, read, strict=True):
        axes.annotate(
            f"{value:.4g}".replace("-", "−"),
            (p, value),
            xytext=(7 * PX, 7 * PX),
            textcoords="offset points",
            color=INK,
        )
    axes.axvspan(last, end, color=MUTED, alpha=0.12, linewidth=0)
    axes.set_xlim(-0.2, end)
    axes.margins(y=0.18)
    axes.set_xticks(range(int(end) + 1))
    axes.set(xlabel=POSITION.show(), ylabel="$z[p] = q\\cdot e[p]$")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0, ncols=2)
    return picture
