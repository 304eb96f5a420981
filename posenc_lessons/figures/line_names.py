"""Write names of lines in Matplotlib's pictures: at their ends, or above the axes in their colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.legend import Legend

from posenc_lessons.figures.places import END_STEP, LABEL_SIZE, LEADER, apart
from posenc_lessons.figures.style import PX
from posenc_lessons.figures.theme import LIGHT

Place = Literal["best", "upper left", "upper right"]


@dataclass(frozen=True)
class LineEnd:
    """The name of a line, its colour, and the height of its end in units of the axis."""

    name: str
    color: str
    y: float


def names_at_ends(axes: Axes, ends: Sequence[LineEnd], height: float) -> None:
    """Write names right of ``axes``, which are about ``height`` CSS pixels high, without overlaps.

    Call this last, because it reads the limits of the y axis.
    """
    to_share = axes.transData + axes.transAxes.inverted()
    shares = [float(to_share.transform((1.0, end.y))[1]) for end in ends]
    lines = max((end.name.count("\n") + 1 for end in ends), default=1)
    places = apart([share * height for share in shares], lines * END_STEP * LABEL_SIZE, 0, height)
    near, _, far = LEADER
    leader = {"arrowstyle": "-", "linewidth": PX, "shrinkA": 1, "shrinkB": near * PX, "relpos": (0, 0.5)}
    for end, share, place in zip(ends, shares, places, strict=True):
        axes.annotate(
            end.name,
            xy=(1, share),
            xycoords="axes fraction",
            xytext=(far * PX, (place - share * height) * PX),
            textcoords="offset points",
            color=LIGHT.legible(end.color),
            fontsize=LABEL_SIZE * PX,
            va="center",
            linespacing=1.05,
            arrowprops={**leader, "color": end.color},
        )


def names_in(axes: Axes, place: Place) -> None:
    """Write the names of lines, in their colours, in ``axes`` at ``place``: for lines that end together."""
    _in_colors(axes.legend(loc=place, handlelength=1.4))


def names_above(axes: Axes, columns: int = 2) -> None:
    """Write the names of everything that ``axes`` show, in its colours, above the axes at the left."""
    legend = axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        borderaxespad=0,
        borderpad=0.2,
        ncols=columns,
        handlelength=0.8,
        handletextpad=0.5,
    )
    _in_colors(legend)


def _in_colors(legend: Legend) -> None:
    for text, line in zip(legend.get_texts(), legend.get_lines(), strict=True):
        text.set_color(LIGHT.legible(to_hex(line.get_color())))
