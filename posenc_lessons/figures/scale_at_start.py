"""The size of dot products before training, against the width of a head."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from posenc_lessons.figures.colors import BLUE, MUTED, VERMILLION
from posenc_lessons.figures.line_names import ends_of, names_at_ends
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text


@styled()
def score_scale_figure(
    d_head: np.ndarray,
    spread: np.ndarray,
    raw_peak: np.ndarray,
    scaled_peak: np.ndarray,
    n_keys: int,
) -> Picture:
    """Draw the spread of q·k and the largest weight against the width of a head. Each array is [n].

    ``spread`` is the standard deviation of q·k; ``raw_peak`` and ``scaled_peak`` are the mean largest weights
    among ``n_keys`` keys, without and with the division by √d_k.
    """
    picture = new_picture(
        860,
        330,
        alt=Text(
            "左：点积的标准差沿着 √d_k 上升。右：不除以 √d_k，最大的权重随 d_k 趋向 1；除了就不变。",
            "Left: the standard deviation of q·k climbs along √d_k. Right: without the division the largest "
            "weight tends to 1 as d_k grows; with it, it stays.",
        ),
        ncols=2,
    )
    left, right = picture.axes
    left.plot(d_head, np.sqrt(d_head), color=MUTED, linestyle="--", label=r"$\sqrt{d_k}$")
    left.plot(d_head, spread, "o", color=VERMILLION, label=Text("测得", "measured").show())
    left.set(xscale="log", yscale="log", ylabel=Text("标准差", "standard deviation").show())
    left.set_title(Text("q·k 的标准差", "spread of q·k").show())
    left.set_yticks([2, 4, 8, 16, 32], ["2", "4", "8", "16", "32"])
    left.yaxis.set_minor_locator(NullLocator())
    right.plot(d_head, raw_peak, "o-", color=VERMILLION, label=Text("不缩放", "not scaled").show())
    right.plot(d_head, scaled_peak, "s-", color=BLUE, label=r"$/\sqrt{d_k}$")
    right.set(xscale="log", ylim=(0, 1.05), ylabel=Text("权重", "weight").show())
    title = Text("{n} 个键里最大的权重", "largest weight among {n} keys").format(n=n_keys)
    right.set_title(title.show())
    for axes in (left, right):
        _width_axis(axes, d_head)
        names_at_ends(axes, ends_of(axes), 220)
    return picture


def _width_axis(axes: Axes, d_head: np.ndarray) -> None:
    axes.set_xticks(d_head, [f"{d}" for d in d_head], fontsize=11 * PX)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel(Text("头的宽度 $d_k$", "width of a head $d_k$").show())
