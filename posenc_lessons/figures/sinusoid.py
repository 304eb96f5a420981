"""The sinusoidal table, one of its rows, and the similarity of rows."""

import numpy as np

from posenc_lessons.figures.axis_names import FEATURE, POSITION, RELATIVE
from posenc_lessons.figures.colors import CHOSEN, ECHO, MUTED, ORANGE, PALE, RESULT
from posenc_lessons.figures.scene import Arrows, Axis, Heatmap, Line, Panel, Points, Scene
from posenc_lessons.figures.scene_parts import NOTHING, strokes
from posenc_lessons.language import Text

WIDTH, HEIGHT = 770, 430
FROM_HERE, FROM_ANY = Text("从 m = {m} 看", "from m = {m}"), Text("从别处看", "from elsewhere")  # the curves
CLOCKS, CLOCKS_BOX = 8, (20, 334, 74)  # left, top, height
ARC = 0.22  # the radius of the arc between two hands, as a share of the distance between two clocks


def sinusoid_scene(
    table: np.ndarray,
    similarity: np.ndarray,
    from_start: np.ndarray,
    position: int,
    offset: int,
    base: float,
) -> Scene:
    """Draw the ``similarity`` of rows, ``table`` [length, d_model] as a heatmap, and a row's clocks.

    ``similarity`` [length] is the dot product of positions m = ``position`` and every n. ``from_start``
    [length] is the same for m = 0; drawn in grey to both sides of the cursor, it shows that the curve is
    the same at every position. A second cursor is at ``position`` + ``offset``. ``base`` gives the clocks'
    wavelengths.
    """
    length, d_model = table.shape
    return Scene(
        WIDTH,
        HEIGHT,
        (
            _similarity_panel(similarity, from_start, position, offset, d_model),
            _heatmap_panel(table, position, offset),
            _clocks_panel(table, position, position + offset, base),
        ),
        alt=Text(
            "正弦位置编码：{length} 个位置、{d_model} 维的热图；位置 {position}"
            "和再走 {offset} 步的时钟；它与其他位置的相似度，在哪里都是同一条曲线。",
            "Sinusoidal encoding: heatmap of {length} positions by {d_model} dimensions; clocks of position "
            "{position} and of {offset} further; its similarity with the others, the same curve everywhere.",
        ).format(length=length, d_model=d_model, position=position, offset=offset),
    )


def _heatmap_panel(table: np.ndarray, position: int, offset: int) -> Panel:
    length, d_model = table.shape
    ends = np.array([-0.5, d_model - 0.5])
    return Panel(
        "heatmap",
        box=(596, 44, 160, 216),
        asked=("table",),
        title=Text("整张表", "the table"),
        x=Axis(FEATURE, -0.5, d_model - 0.5, whole=True),
        y=Axis(POSITION, length - 0.5, -0.5, whole=True),
        layers=(
            Heatmap("table", table, -1, 1, "diverging"),
            Line("other", ends, np.full(2, float(position + offset)), ORANGE, width=2),
            Line("cursor", ends, np.full(2, float(position)), CHOSEN, width=2),
        ),
    )


def clock_pairs(n: int) -> np.ndarray:
    """Return which of ``n`` pairs are drawn as clocks."""
    pairs: np.ndarray = np.unique(np.linspace(0, n - 1, CLOCKS).round().astype(int))
    return pairs


def _clocks_panel(table: np.ndarray, m: int, n: int, base: float) -> Panel:
    """Draw some pairs, evenly spaced, as clocks: the tip of hand i is (column 2i, column 2i + 1)."""
    d_model = table.shape[1]
    pairs = clock_pairs(d_model // 2)
    waves = 2 * np.pi * base ** (2 * pairs / d_model)
    centres = np.stack([np.arange(len(pairs)), np.zeros(len(pairs))], axis=1).astype(float)
    middle, across, (left, top, height) = (len(pairs) - 1) / 2, len(pairs) / 2 + 0.04, CLOCKS_BOX
    rim = np.linspace(0, 2 * np.pi, 73)
    rims = centres[:, None] + 0.46 * np.stack([np.sin(rim), np.cos(rim)], axis=1)
    hands = {
        name: centres + 0.44 * each.reshape(-1, 2)[pairs] for name, each in (("m", table[m]), ("n", table[n]))
    }
    turns = np.fmod((n - m) * 2 * np.pi / waves, 2 * np.pi)  # from one hand to the other, without whole turns
    arcs = (m * 2 * np.pi / waves + np.linspace(0, 1, 25)[:, None] * turns).T  # [pairs, 25]
    arc_x, arc_y = (centres[:, [axis]] + ARC * part(arcs) for axis, part in enumerate((np.sin, np.cos)))
    return Panel(
        "clocks",
        box=(left, top, height * across / 0.54, height),  # so that clocks are round
        asked=("here", "other"),
        title=Text("各对的时钟：波长（位置数）", "clocks: wavelengths in positions"),
        equal=True,
        x=Axis(
            NOTHING,
            middle - across,
            middle + across,
            tuple(
                (float(at), f"{wave:.1f}" if wave < 10 else f"{wave:,.0f}") for at, wave in enumerate(waves)
            ),
        ),
        y=Axis(NOTHING, -0.54, 0.54, ()),
        layers=(
            strokes("rims", rims[..., 0], rims[..., 1], PALE),
            strokes("turns", arc_x, arc_y, ORANGE, 2.0),
            Arrows("other", centres, hands["n"], ORANGE, width=1.5),
            Arrows("here", centres, hands["m"], CHOSEN, width=1.5),
        ),
        legend=((Text(f"m = {m}", f"m = {m}"), CHOSEN), (Text(f"n = {n}", f"n = {n}"), ORANGE)),
    )


def _similarity_panel(
    similarity: np.ndarray, from_start: np.ndarray, position: int, offset: int, d_model: int
) -> Panel:
    length = len(similarity)
    distance = np.arange(length) - position
    everywhere, top = np.concatenate([from_start[:0:-1], from_start]), 0.55 * d_model
    return Panel(
        "similarity",
        box=(52, 44, 462, 216),
        hero=True,
        asked=("curve",),
        title=Text("点积；在哪里都是这条曲线", "dot product; the same curve everywhere"),
        x=Axis(RELATIVE, -(length - 1), length - 1, whole=True),
        y=Axis(NOTHING, min(0.0, 1.1 * float(everywhere.min())), top),
        layers=(
            Line("everywhere", np.arange(1 - length, length), everywhere, ECHO, width=8),
            Line("curve", distance, similarity, RESULT, width=2.5),
            Points("other", np.array([float(offset)]), similarity[[position + offset]], ORANGE, size=9),
            Points("self", np.zeros(1), similarity[position : position + 1], CHOSEN),
        ),
        legend=((FROM_HERE.format(m=position), RESULT), (FROM_ANY, MUTED)),
    )
