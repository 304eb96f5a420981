"""Values of encodings as curves over the distance j − i, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.axis_names import DISTANCE_IJ
from posenc_lessons.figures.colors import CYCLE, MUTED
from posenc_lessons.figures.line_names import names_in
from posenc_lessons.figures.style import PX, Picture, new_row, styled
from posenc_lessons.language import Text


@dataclass(frozen=True)
class Curves:
    """``curves`` {name: values [n]} over ``distances`` [n], and what the values are."""

    title: Text
    values: Text
    distances: np.ndarray
    curves: Mapping[str, np.ndarray]
    steps: bool = False  # values are whole numbers, drawn as a staircase


@styled()
def distance_curves_figure(panels: Sequence[Curves]) -> Picture:
    """Draw ``panels`` side by side. A panel with a single curve has no legend."""
    says = Text("横轴是距离的曲线图：{titles}。", "Curves against distance: {titles}.")
    picture = new_row(430 * len(panels), 310, says, (panel.title for panel in panels))
    for axes, panel in zip(list(picture.axes), panels, strict=True):
        axes.axvline(0, color=MUTED, linewidth=PX, linestyle="--")
        for number, (name, values) in enumerate(panel.curves.items()):
            color = CYCLE[number % len(CYCLE)]
            style = "steps-mid" if panel.steps else "default"
            axes.plot(panel.distances, values, color=color, label=name, drawstyle=style)
        axes.set_xlabel(DISTANCE_IJ.show())
        axes.set_ylabel(panel.values.show())
        if len(panel.curves) > 1:
            names_in(axes, "best")
    return picture
