"""What a causal mask gives away: the longer the average, the smaller it gets."""

from __future__ import annotations

import numpy as np
from matplotlib.ticker import NullLocator

from posenc_lessons.figures.colors import BLUE, MUTED, VERMILLION
from posenc_lessons.figures.style import Picture, new_picture, styled
from posenc_lessons.language import Text

WIDTH, HEIGHT = 720, 340


@styled()
def mask_leak_figure(masked: np.ndarray, unmasked: np.ndarray) -> Picture:
    """Mean square of attention's output at each position, [L] each, with a causal mask and without one.

    The dashed line is 1/(t+1), what averaging t+1 independent values of variance 1 leaves.
    """
    position = np.arange(len(masked))
    picture = new_picture(
        WIDTH,
        HEIGHT,
        alt=Text(
            "有因果掩码时，输出的均方沿 1/(t+1) 随位置下降；没有掩码时，每个位置都一样。",
            "With a causal mask the mean square of the output falls along 1/(t+1); without, it is the same "
            "everywhere.",
        ),
    )
    (axes,) = picture.axes
    axes.plot(position, 1 / (position + 1), color=MUTED, linestyle="--", label="$1/(t+1)$")
    axes.plot(
        position,
        masked,
        "o",
        markersize=4,
        color=VERMILLION,
        label=Text("因果掩码", "causal mask").show(),
    )
    axes.plot(position, unmasked, "s", markersize=4, color=BLUE, label=Text("没有掩码", "no mask").show())
    axes.set(
        yscale="log",
        xlabel=Text("位置 $t$", "position $t$").show(),
        ylabel=Text("输出的均方", "mean square of the output").show(),
    )
    halvings = 2 ** np.arange(int(np.log2(len(masked))) + 1)
    axes.set_yticks(1 / halvings, ["1", *(f"1/{n}" for n in halvings[1:])])
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_title(
        Text("同样的随机词元，输出有多大", "The same random tokens: how large is the output?").show()
    )
    axes.legend()
    return picture
