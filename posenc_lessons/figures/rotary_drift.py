"""How far a rotary score drifts when query and key are shifted together, for ways of computing the angles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from posenc_lessons.course.language import Language, Text
from posenc_lessons.figures.style import (
    BLUE,
    GREEN,
    ORANGE,
    PX,
    VERMILLION,
    Picture,
    new_picture,
    styled,
)

SHIFT = Text("两个位置一起平移多少（对数轴）", "both positions shifted by (log axis)")
DRIFT = Text("分数偏了多少 $/\\,|q||k|$", "drift of the score $/\\,|q||k|$")
NONE = 1e-12  # what is smaller cannot be told from no drift at all


@styled()
def drift_figure(
    shifts: Sequence[int],
    drifts: Mapping[Text, Sequence[float]],
    language: Language | None = None,
) -> Picture:
    """``drifts`` {how the angles were computed: drift [n]} at ``shifts`` [n], both axes logarithmic."""
    picture = new_picture(
        600,
        330,
        alt=Text(
            "分数的偏差随平移变化：{}。".format("；".join(name.zh for name in drifts)),
            "Drift of the score against the shift: {}.".format("; ".join(name.en for name in drifts)),
        ),
    )
    (axes,) = picture.axes
    for (name, drift), color in zip(drifts.items(), (VERMILLION, ORANGE, GREEN, BLUE), strict=False):
        shown = np.where(np.asarray(drift) > NONE, drift, np.nan)
        label = name.show(language).replace(" · ", " / ")
        axes.loglog(shifts, shown, color=color, linewidth=2.2 * PX, label=label)
    axes.set(xlabel=SHIFT.show(language), ylabel=DRIFT.show(language).replace(" · ", "\n"), ylim=(1e-10, 3))
    axes.set_xlim(float(shifts[0]), float(shifts[-1]))
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0, ncols=1)
    return picture
