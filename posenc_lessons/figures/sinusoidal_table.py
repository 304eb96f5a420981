"""The sinusoidal table beside a binary counter."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from posenc_lessons.figures.colors import MUTED
from posenc_lessons.figures.style import DIVERGING, PX, Picture, new_picture, styled
from posenc_lessons.language import Text

POSITION = Text("位置 $m$", "position $m$")


@styled()
def binary_counter_figure(bits: np.ndarray, waves: np.ndarray) -> Picture:
    """Draw ``bits`` [length, n] of 0 and 1 beside ``waves`` [length, d_model] from −1 to 1."""
    length = len(bits)
    picture = new_picture(
        560,
        84 + 20 * length,
        alt=Text(
            f"左边是位置 0 到 {length - 1} 的二进制数字，右边是同样位置的正弦编码：都是左列变得快、"
            "右列变得慢。",
            f"Left, positions 0 to {length - 1} in binary digits; right, their sinusoidal codes: "
            "in both, the left columns change fast and the right ones slowly.",
        ),
        ncols=2,
        width_ratios=[bits.shape[1], waves.shape[1]],
    )
    left, right = picture.axes
    _cells(left, 2.0 * bits - 1, Text("二进制：开关跳来跳去", "binary: switches that jump"))
    smooth = Text("正弦：同样由快到慢，但平滑", "sinusoidal: fast to slow too, but smooth")
    _cells(right, waves, smooth)
    for (row, column), bit in np.ndenumerate(bits):
        left.text(column, row, str(bit), ha="center", va="center", fontsize=12 * PX, color="white")
    left.set_ylabel(POSITION.show())
    return picture


def _cells(axes: Axes, values: np.ndarray, title: Text) -> None:
    axes.imshow(values, cmap=DIVERGING, vmin=-1.3, vmax=1.3)
    axes.set_title(title.show(between="\n"), fontsize=14 * PX)
    axes.set_xlabel(Text("快 → 慢", "fast → slow").show(), color=MUTED)
    axes.set_xticks([])
    axes.set_yticks(range(len(values)))
