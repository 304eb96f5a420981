"""Lines over one axis, with their names at their ends, under a title that says what they show."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from posenc_lessons.figures.colors import CYCLE
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text, joined

APART = 0.17  # the least distance between two names, in heights of the axes


@styled()
def lines_figure(
    title: Text,
    across: Text,
    up: Text,
    x: ArrayLike,
    lines: Mapping[Text, ArrayLike],
    logs: str = "",
    ticks: Sequence[str] = (),
) -> Picture:
    """Draw ``lines`` {name: values [n], or those of several runs [k, n]} over ``x`` [n].

    Runs are dots around a line of their means. ``across`` and ``up`` name the axes, with units; those in
    ``logs`` ("x", "y" or "xy") are logarithmic. ``ticks`` name the values of ``x``.
    """
    says = Text("{title}。线：{names}。", "{title}. Lines: {names}.")
    picture = new_picture(480, 270, says.format(title=title, names=joined(lines, "；", "; ")))
    (axes,) = picture.axes
    at = np.asarray(x)
    axes.set(**{f"{axis}scale": "log" for axis in logs}, xlim=(at[0], at[-1]))
    runs = [np.atleast_2d(np.asarray(values)) for values in lines.values()]
    for color, values in zip(CYCLE, runs, strict=False):
        axes.plot(at, values.mean(axis=0), color=color)
        if len(values) > 1:
            axes.plot(at, values.T, "o", color=color, markersize=6 * PX, alpha=0.6, clip_on=False)
    if "y" not in logs and all(values.min() >= 0 for values in runs):
        axes.set_ylim(bottom=0)
    axes.set(title=title.show(between="\n"), xlabel=across.show(), ylabel=up.show(between="\n"))
    if ticks:
        axes.set_xticks(at, ticks)
    axes.autoscale_view()  # otherwise Matplotlib does it later
    ends = [axes.transData.transform((at[-1], values[:, -1].mean())) for values in runs]
    places = _apart([axes.transAxes.inverted().transform(end)[1] for end in ends])
    for color, name, place in zip(CYCLE, lines, places, strict=False):
        axes.text(1.02, place, name.show(between="\n"), color=color, va="center", transform=axes.transAxes)
    return picture


def _apart(heights: Sequence[float]) -> list[float]:
    """Return ``heights`` moved up until none is nearer than ``APART`` to another, and all down below 0.95."""
    order = np.argsort(heights)
    moved = np.array(heights)
    for below, above in pairwise(order):
        moved[above] = max(moved[above], moved[below] + APART)
    return list(moved - max(0.0, moved.max() - 0.95))
