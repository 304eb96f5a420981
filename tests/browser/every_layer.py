"""A scene with everything that a canvas can paint, and an explorer that shows it."""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.controls import Control
from posenc_lessons.figures.scene import Arrows, Axis, ColorBar, Heatmap, Labels, Line, Panel, Points, Scene
from posenc_lessons.language import Text


def every_layer() -> Scene:
    """Return two panels: a heatmap with a hole, and lines with gaps, points, arrows and labels."""
    values = np.linspace(-1, 1, 30).reshape(5, 6)
    values[2, 3] = np.nan
    x = np.linspace(0, 10, 41)
    gap_in_x, gap_in_y = x.copy(), np.cos(x)
    gap_in_x[10], gap_in_y[20:24] = np.nan, np.nan
    starts, ends = np.array([[1.0, -1.5], [8.0, 1.5]]), np.array([[4.0, -0.5], [6.0, 0.4]])
    curves = (
        Line("gap_in_x", gap_in_x, np.sin(x), "#0072B2"),
        Line("gap_in_y", x, gap_in_y, "#D55E00", width=3.0),
        Line("dashed", x, np.full(41, -1.8), "#009E73", dashed=True),
        Points("points", x[::8], np.sin(x[::8]), "#CC79A7", size=9.0),
        Arrows("arrows", starts, ends, "#1A1A1A"),
        Labels("labels", np.array([2.0, 7.0]), np.array([1.6, -1.2]), ("near", "far 远"), "#1A1A1A"),
    )
    number = Text("数", "number")
    return Scene(
        640,
        300,
        (
            Panel(
                "map",
                (70, 40, 200, 200),
                Text("热图", "heatmap"),
                Axis(number, -0.5, 5.5, whole=True),
                Axis(number, 4.5, -0.5, whole=True),
                (Heatmap("values", values, -1, 1, "diverging"),),
                color_bar=ColorBar("diverging", -1, 1),
            ),
            Panel(
                "curves",
                (400, 40, 220, 200),
                Text("曲线", "curves"),
                Axis(number, 0, 10),
                Axis(number, -2, 2),
                curves,
            ),
        ),
        alt=Text("各种图层", "every kind of layer"),
    )


class EveryLayer(Explorer):
    """Shows this scene and has no controls."""

    name = "layers"
    title = Text("各种图层", "Every kind of layer")

    def make_controls(self) -> dict[str, Control]:
        return {}

    def compute(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return {}

    def scene(self, parameters: dict[str, Any], arrays: dict[str, Any]) -> Scene:
        return every_layer()

    def caption(self, parameters: dict[str, Any], arrays: dict[str, Any]) -> Text:
        return Text("", "")

    def code(self, parameters: dict[str, Any]) -> str:
        return ""
