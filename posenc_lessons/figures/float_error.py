"""How wrong a sinusoidal table is, position by position, for each way of computing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from posenc_lessons.course.language import Language, Text
from posenc_lessons.figures.style import (
    BLUE,
    GREEN,
    MUTED,
    ORANGE,
    PX,
    VERMILLION,
    Picture,
    new_picture,
    styled,
)

POSITION = Text("位置 $p$（对数轴）", "position $p$ (log axis)")
ERROR = Text("一行里最大的误差（对数轴）", "largest error in the row (log axis)")
NONE = 1e-10  # where an error of nothing at all is drawn


@styled()
def float_error_figure(
    positions: np.ndarray,
    errors: Mapping[Text, Sequence[float] | np.ndarray],
    language: Language | None = None,
) -> Picture:
    """``errors`` {how it was computed: largest error [n]} at ``positions`` [n], both axes logarithmic."""
    picture = new_picture(
        560,
        290,
        alt=Text(
            "误差随位置变化：{}。".format("；".join(name.zh for name in errors)),
            "Error against position: {}.".format("; ".join(name.en for name in errors)),
        ),
    )
    (axes,) = picture.axes
    for (name, error), color in zip(errors.items(), (VERMILLION, ORANGE, BLUE, GREEN), strict=False):
        # A step to zero cannot be drawn on a log axis, so what is exact starts where it first errs.
        shown = np.where(np.asarray(error) > NONE, error, np.nan)
        axes.loglog(positions, shown, color=color, linewidth=2.2 * PX, label=name.show(language))
    axes.axhline(1, color=MUTED, linewidth=0.8 * PX, linestyle=(0, (4, 3)))
    axes.set(
        xlabel=POSITION.show(language), ylabel=ERROR.show(language).replace(" · ", "\n"), ylim=(1e-9, 30)
    )
    axes.set_xlim(float(positions[0]), float(positions[-1]))
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0, ncols=1)
    return picture
