"""The sinusoidal table, one of its rows, and the similarity of rows."""

from __future__ import annotations

import numpy as np

from posenc_lessons.figures.axis_names import FEATURE, POSITION, RELATIVE
from posenc_lessons.figures.colors import CHOSEN, ECHO, INK, ORANGE, PALE, RESULT, TEAL
from posenc_lessons.figures.scene import Arrows, Axis, ColorBar, End, Heatmap, Line, Panel, Points, Scene
from posenc_lessons.figures.scene_parts import NOTHING
from posenc_lessons.language import Text

WIDTH, HEIGHT = 980, 484
CLOCKS = 8


def sinusoid_scene(
    table: np.ndarray, similarity: np.ndarray, from_start: np.ndarray, position: int, offset: int
) -> Scene:
    """Draw ``table`` [length, d_model] as a heatmap, its row at ``position``, and the ``similarity`` of rows.

    ``similarity`` [length] is PE(p)·PE(n) for p = ``position`` and every n. ``from_start`` [length] is the
    same for p = 0; drawn in grey to both sides of the cursor, it shows that the curve is the same at every
    position. A second cursor is at ``position`` + ``offset``.
    """
    length, d_model = table.shape
    return Scene(
        WIDTH,
        HEIGHT,
        (
            _heatmap_panel(table, position, offset),
            _row_panel(table[position], d_model),
            _clocks_panel(table[position], table[position + offset]),
            _similarity_panel(similarity, from_start, position, offset, d_model),
        ),
        alt=Text(
            "正弦位置编码：{length} 个位置、{d_model} 维的热图；位置 {position} 的一行；"
            "它和再走 {offset} 步的时钟；它与其他位置的相似度。",
            "Sinusoidal encoding: heatmap of {length} positions by {d_model} dimensions; the row of position "
            "{position}; its clocks and those {offset} further; its similarity with every other position.",
        ).format(length=length, d_model=d_model, position=position, offset=offset),
    )


def _heatmap_panel(table: np.ndarray, position: int, offset: int) -> Panel:
    length, d_model = table.shape
    ends = np.array([-0.5, d_model - 0.5])
    return Panel(
        "heatmap",
        box=(64, 40, 380, 384),
        asked=("table",),
        title=Text("整张表：每行一个位置", "The table: one row a position"),
        x=Axis(FEATURE, -0.5, d_model - 0.5, whole=True),
        y=Axis(POSITION, length - 0.5, -0.5, whole=True),
        layers=(
            Heatmap("table", table, -1, 1, "diverging"),
            Line("other", ends, np.full(2, float(position + offset)), ORANGE, width=2),
            Line("cursor", ends, np.full(2, float(position)), CHOSEN, width=2),
        ),
        color_bar=ColorBar("diverging", -1, 1),
    )


def _row_panel(row: np.ndarray, d_model: int) -> Panel:
    dimensions = np.arange(d_model)
    return Panel(
        "row",
        box=(576, 40, 360, 92),
        asked=("even", "odd"),
        title=Text("光标处的一行 $p_m$", "The cursor's row, $p_m$"),
        x=Axis(FEATURE, -0.5, d_model - 1.0, whole=True),
        y=Axis(Text("值", "value"), -1.1, 1.1),
        layers=(
            Line("even", dimensions[0::2], row[0::2], INK),
            Line("odd", dimensions[1::2], row[1::2], TEAL),
        ),
        ends=(End(Text("sin", "sin"), INK, row[-2]), End(Text("cos", "cos"), TEAL, row[-1])),
    )


def clock_pairs(n: int) -> np.ndarray:
    """Return which of ``n`` pairs are drawn as clocks."""
    pairs: np.ndarray = np.unique(np.linspace(0, n - 1, CLOCKS).round().astype(int))
    return pairs


def _clocks_panel(row: np.ndarray, other: np.ndarray) -> Panel:
    """Draw some pairs, evenly spaced, as clocks: the tip of hand i is (column 2i, column 2i + 1)."""
    pairs = clock_pairs(len(row) // 2)
    centres = np.stack([np.arange(len(pairs)), np.zeros(len(pairs))], axis=1).astype(float)
    rim = np.append(np.linspace(0, 2 * np.pi, 37), np.nan)  # NaN interrupts the line between clocks
    rims = (centres[:, None] + 0.46 * np.stack([np.sin(rim), np.cos(rim)], axis=1)).reshape(-1, 2)
    hands = {name: centres + 0.44 * each.reshape(-1, 2)[pairs] for name, each in (("p", row), ("k", other))}
    return Panel(
        "clocks",
        box=(576, 210, 360, 48),
        asked=("here", "other"),
        title=Text("几对的时钟", "Clocks of some pairs"),
        equal=True,
        x=Axis(NOTHING, -0.55, CLOCKS - 0.45, tuple((float(at), str(pair)) for at, pair in enumerate(pairs))),
        y=Axis(NOTHING, -0.54, 0.54, ()),
        layers=(
            Line("rims", rims[:, 0], rims[:, 1], PALE),
            Arrows("other", centres, hands["k"], ORANGE, width=1.5),
            Arrows("here", centres, hands["p"], CHOSEN, width=1.5),
        ),
        legend=((Text("p", "p"), CHOSEN), (Text("p+k", "p+k"), ORANGE)),
    )


def _similarity_panel(
    similarity: np.ndarray, from_start: np.ndarray, position: int, offset: int, d_model: int
) -> Panel:
    length = len(similarity)
    distance = np.arange(length) - position
    everywhere = np.concatenate([from_start[:0:-1], from_start])
    return Panel(
        "similarity",
        box=(576, 314, 360, 110),
        asked=("curve",),
        title=Text("相似度 $p_m\\cdot p_n$", "Similarity $p_m\\cdot p_n$"),
        x=Axis(RELATIVE, -(length - 1), length - 1, whole=True),
        y=Axis(Text("点积", "dot product"), -0.55 * d_model, 0.55 * d_model),
        layers=(
            Line("everywhere", np.arange(1 - length, length), everywhere, ECHO, width=4),
            Line("curve", distance, similarity, RESULT),
            Points("other", np.array([float(offset)]), similarity[[position + offset]], ORANGE, size=9),
            Points("self", np.zeros(1), similarity[position : position + 1], CHOSEN),
        ),
    )
