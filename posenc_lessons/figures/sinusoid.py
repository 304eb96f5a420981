"""The sinusoidal table, one row of it, and how alike two rows are."""

from __future__ import annotations

import numpy as np

from posenc_lessons.figures.colors import BLUE, GREEN, PURPLE, VERMILLION
from posenc_lessons.figures.scene import Axis, ColorBar, Heatmap, Line, Panel, Points, Scene
from posenc_lessons.language import Text

WIDTH, HEIGHT = 960, 460
PALE = "#C9CED6"

COLUMN = Text("列 $j$", "column $j$")  # as lesson 02 writes it: i counts pairs of columns
POSITION = Text("位置 $p$", "position $p$")


def sinusoid_scene(table: np.ndarray, similarity: np.ndarray, from_start: np.ndarray, position: int) -> Scene:
    """The heatmap of ``table`` [length, d_model], its row at ``position``, its ``similarity`` to the others.

    ``similarity`` [length] holds PE(p)·PE(n) for p = ``position`` and every n, ``from_start`` [length] the
    same for p = 0. Drawn to both sides in grey, it shows that the curve is the same wherever the cursor is.
    """
    length, d_model = table.shape
    return Scene(
        WIDTH,
        HEIGHT,
        (
            _heatmap_panel(table, position),
            _row_panel(table[position], d_model),
            _similarity_panel(similarity, from_start, position, d_model),
        ),
        alt=Text(
            "正弦位置编码：{length} 个位置、{d_model} 维的热图；位置 {position} 的一行；"
            "它与其他位置的相似度。",
            "Sinusoidal encoding: heatmap of {length} positions by {d_model} dimensions; the row of position "
            "{position}; its similarity with every other position.",
        ).format(length=length, d_model=d_model, position=position),
    )


def _heatmap_panel(table: np.ndarray, position: int) -> Panel:
    length, d_model = table.shape
    ends = np.array([-0.5, d_model - 0.5])
    return Panel(
        "heatmap",
        box=(64, 40, 380, 360),
        title=Text("整张表：每行一个位置", "The table: one row a position"),
        x=Axis(COLUMN, -0.5, d_model - 0.5, whole=True),
        y=Axis(POSITION, length - 0.5, -0.5, whole=True),
        layers=(
            Heatmap("table", table, -1, 1, "diverging"),
            Line("cursor", ends, np.full(2, float(position)), PURPLE, width=2),
        ),
        color_bar=ColorBar("diverging", -1, 1),
    )


def _row_panel(row: np.ndarray, d_model: int) -> Panel:
    dimensions = np.arange(d_model)
    return Panel(
        "row",
        box=(576, 40, 360, 140),
        title=Text("光标处的一行 $PE(p)$", "The cursor's row, $PE(p)$"),
        x=Axis(COLUMN, -0.5, d_model - 0.5, whole=True),
        y=Axis(Text("值", "value"), -1.1, 1.1),
        layers=(
            Line("even", dimensions[0::2], row[0::2], BLUE),
            Line("odd", dimensions[1::2], row[1::2], VERMILLION),
        ),
        legend=((Text("sin", "sin"), BLUE), (Text("cos", "cos"), VERMILLION)),
    )


def _similarity_panel(similarity: np.ndarray, from_start: np.ndarray, position: int, d_model: int) -> Panel:
    length = len(similarity)
    distance = np.arange(length) - position
    everywhere = np.concatenate([from_start[:0:-1], from_start])
    return Panel(
        "similarity",
        box=(576, 258, 360, 142),
        title=Text("相似度 $PE(p)\\cdot PE(p+k)$", "Similarity $PE(p)\\cdot PE(p+k)$"),
        x=Axis(Text("距离 $k$", "distance $k$"), -(length - 1), length - 1, whole=True),
        y=Axis(Text("点积", "dot product"), -0.55 * d_model, 0.55 * d_model),
        layers=(
            Line("everywhere", np.arange(1 - length, length), everywhere, PALE, width=4),
            Line("curve", distance, similarity, GREEN),
            Points("self", np.zeros(1), similarity[position : position + 1], PURPLE),
        ),
    )
