"""What rounding does to a sinusoidal table, on logarithmic axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from posenc_lessons.figures.colors import BLUE, GREEN, MUTED, ORANGE, VERMILLION
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text, joined

POSITION = Text("位置 $p$（对数轴）", "position $p$ (log axis)")
ERROR = Text("一行里最大的误差（对数轴）", "largest error in the row (log axis)")

Curves = Mapping[Text, Sequence[float] | np.ndarray]


COLORS = (VERMILLION, ORANGE, BLUE, GREEN)
NOTHING = 1e-10  # an error up to this is not drawn: there is no zero on a log axis


@styled()
def float_error_figure(positions: np.ndarray, errors: Curves) -> Picture:
    """How wrong a table is: ``errors`` {how it was computed: largest error [n]} at ``positions`` [n]."""
    alt = Text("误差随位置变化：{names}。", "Error against position: {names}.")
    picture = new_picture(560, 290, alt=alt.format(names=joined(errors, "；", "; ")))
    (axes,) = picture.axes
    for (name, values), color in zip(errors.items(), COLORS, strict=False):
        shown = np.where(np.asarray(values) > NOTHING, values, np.nan)
        axes.loglog(positions, shown, color=color, linewidth=2.2 * PX, label=name.show())
    axes.set_ylim(1e-9, 30)
    axes.set_xlim(float(positions[0]), float(positions[-1]))
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0, ncols=1)
    axes.axhline(1, color=MUTED, linewidth=0.8 * PX, linestyle=(0, (4, 3)))
    axes.set(xlabel=POSITION.show(), ylabel=ERROR.show(between="\n"))
    return picture
