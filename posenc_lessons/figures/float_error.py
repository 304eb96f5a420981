"""How wrong a sinusoidal table is, position by position, for each way of computing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from posenc_lessons.figures.log_curves import log_curves
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
from posenc_lessons.language import Language, Text

POSITION = Text("位置 $p$（对数轴）", "position $p$ (log axis)")
ERROR = Text("一行里最大的误差（对数轴）", "largest error in the row (log axis)")
NONE = 1e-10  # so small an error is left out: what is exact starts where it first errs


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
    log_curves(
        axes,
        positions,
        [(name.show(language), error) for name, error in errors.items()],
        colors=(VERMILLION, ORANGE, BLUE, GREEN),
        nothing=NONE,
        heights=(1e-9, 30),
    )
    axes.axhline(1, color=MUTED, linewidth=0.8 * PX, linestyle=(0, (4, 3)))
    axes.set(xlabel=POSITION.show(language), ylabel=ERROR.show(language).replace(" · ", "\n"))
    return picture
