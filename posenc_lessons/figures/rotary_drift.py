"""How far a rotary score drifts when query and key are shifted together, for ways of computing the angles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from posenc_lessons.figures.log_curves import log_curves
from posenc_lessons.figures.style import BLUE, GREEN, ORANGE, VERMILLION, Picture, new_picture, styled
from posenc_lessons.language import Language, Text

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
    log_curves(
        axes,
        shifts,
        [(name.show(language).replace(" · ", " / "), drift) for name, drift in drifts.items()],
        colors=(VERMILLION, ORANGE, GREEN, BLUE),
        nothing=NONE,
        heights=(1e-10, 3),
    )
    axes.set(xlabel=SHIFT.show(language), ylabel=DRIFT.show(language).replace(" · ", "\n"))
    return picture
