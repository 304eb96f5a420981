"""What rounding does, on logarithmic axes: errors of a sinusoidal table, the drift of a rotary score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from posenc_lessons.figures.colors import BLUE, GREEN, MUTED, ORANGE, VERMILLION
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Language, Text

POSITION = Text("位置 $p$（对数轴）", "position $p$ (log axis)")
ERROR = Text("一行里最大的误差（对数轴）", "largest error in the row (log axis)")
SHIFT = Text("两个位置一起平移多少（对数轴）", "both positions shifted by (log axis)")
DRIFT = Text("分数偏了多少 $/\\,|q||k|$", "drift of the score $/\\,|q||k|$")

Curves = Mapping[Text, Sequence[float] | np.ndarray]


@styled()
def float_error_figure(positions: np.ndarray, errors: Curves, language: Language | None = None) -> Picture:
    """How wrong a table is: ``errors`` {how it was computed: largest error [n]} at ``positions`` [n]."""
    alt = Text("误差随位置变化：{}。", "Error against position: {}.")
    picture = _curves_picture((560, 290), alt, errors)
    names = [name.show(language) for name in errors]
    _draw(picture, positions, errors, names, (VERMILLION, ORANGE, BLUE, GREEN), 1e-10, (1e-9, 30))
    (axes,) = picture.axes
    axes.axhline(1, color=MUTED, linewidth=0.8 * PX, linestyle=(0, (4, 3)))
    axes.set(xlabel=POSITION.show(language), ylabel=ERROR.show(language).replace(" · ", "\n"))
    return picture


@styled()
def drift_figure(shifts: Sequence[int], drifts: Curves, language: Language | None = None) -> Picture:
    """How far a score drifts when query and key are shifted together, by ``shifts`` [n].

    ``drifts`` is {how the angles were computed: drift [n]}.
    """
    alt = Text("分数的偏差随平移变化：{}。", "Drift of the score against the shift: {}.")
    picture = _curves_picture((560, 280), alt, drifts)
    names = [name.show(language).replace(" · ", " / ") for name in drifts]
    _draw(picture, shifts, drifts, names, (VERMILLION, ORANGE, GREEN, BLUE), 1e-12, (1e-10, 3))
    (axes,) = picture.axes
    axes.set(xlabel=SHIFT.show(language), ylabel=DRIFT.show(language).replace(" · ", "\n"))
    return picture


def _curves_picture(size: tuple[int, int], alt: Text, curves: Curves) -> Picture:
    zh, en = "；".join(name.zh for name in curves), "; ".join(name.en for name in curves)
    return new_picture(*size, alt=Text(alt.zh.format(zh), alt.en.format(en)))


def _draw(
    picture: Picture,
    at: Sequence[int] | np.ndarray,
    curves: Curves,
    names: Sequence[str],
    colors: Sequence[str],
    nothing: float,
    heights: tuple[float, float],
) -> None:
    """The ``curves`` at ``at`` [n] in these ``colors``, their ``names`` above; ``heights`` end the y axis.

    A step to zero cannot be drawn on a log axis, so values up to ``nothing`` are left out, and a curve starts
    where it leaves it.
    """
    (axes,) = picture.axes
    for name, values, color in zip(names, curves.values(), colors, strict=False):
        shown = np.where(np.asarray(values) > nothing, values, np.nan)
        axes.loglog(at, shown, color=color, linewidth=2.2 * PX, label=name)
    axes.set_ylim(*heights)
    axes.set_xlim(float(at[0]), float(at[-1]))
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0, ncols=1)
