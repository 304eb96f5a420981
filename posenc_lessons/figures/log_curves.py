"""Curves of something tiny that grows, on two logarithmic axes: what the pictures of rounding share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from matplotlib.axes import Axes

from posenc_lessons.figures.style import PX


def log_curves(
    axes: Axes,
    at: Sequence[int] | np.ndarray,
    curves: Iterable[tuple[str, Sequence[float] | np.ndarray]],
    *,
    colors: Sequence[str],
    nothing: float,
    heights: tuple[float, float],
) -> None:
    """Draw ``curves`` (label, values [n]) at ``at`` [n], their legend above.

    ``colors`` go to the curves in their order. A step to zero cannot be drawn on a log axis, so values up to
    ``nothing`` are left out and a curve starts where it leaves it. ``heights`` are the ends of the y axis.
    """
    for (label, values), color in zip(curves, colors, strict=False):
        shown = np.where(np.asarray(values) > nothing, values, np.nan)
        axes.loglog(at, shown, color=color, linewidth=2.2 * PX, label=label)
    axes.set_ylim(*heights)
    axes.set_xlim(float(at[0]), float(at[-1]))
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0, ncols=1)
