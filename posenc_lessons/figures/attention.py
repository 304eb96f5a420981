"""A trained model at work: the symbols it writes step by step, and where each head looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.colors import INK, VERMILLION
from posenc_lessons.figures.scene import Axis, ColorBar, Heatmap, Labels, Panel, Scene
from posenc_lessons.figures.scene_parts import NOTHING, rectangle
from posenc_lessons.figures.ticks import Ticks
from posenc_lessons.language import Text, joined

WIDTH = 980
RANKS = 3  # the choice and the runners-up
CHOICES_TOP, CHOICES_HEIGHT = 44, 114
BETWEEN = 34
HEADS_TOP = 234
LEFT, RIGHT = 66, 50  # room for tokens beside the first matrix and for the colour bar
SMALL, LARGE = 189, 344  # sides of a matrix: one of several heads, the only head
ACROSS, DOWN, BETWEEN_LARGE = 36, 78, 120  # gaps between matrices
BELOW = 48  # room for tokens and a label
SHADE = 2.6  # darkest at this "probability", above 1, so that letters on top can be read
LEAST, ROOM = 0.005, 32  # the least probability worth a name; the width that "100%" needs

STEP = Text("第几步", "step")
RANK = Text("名次", "rank")


@dataclass(frozen=True)
class Side:
    """One model: what it chose at each step so far, and the weights of one layer.

    ``letter`` names the model in titles. ``choices`` holds the likeliest symbols of each step with their
    probabilities, likeliest first. ``weights`` is [heads, rows, columns], NaN where there is nothing yet;
    ``rows`` names the tokens that look, ``columns`` those that are looked at.
    """

    letter: str
    name: Text
    choices: Sequence[Sequence[tuple[str, float]]]
    weights: np.ndarray
    rows: Sequence[str]
    columns: Sequence[str]


def attention_scene(
    sides: Sequence[Side],
    heads: Sequence[int],
    row: int,
    n_steps: int,
    row_label: Text,
    column_label: Text,
) -> Scene:
    """Draw one or two models: their choices at each step, and below, the weights of ``heads`` (from 1 on).

    Several heads make a row of matrices for each model; a single head makes one large matrix. ``row`` (from 0
    on) is framed in every matrix. There is room for ``n_steps`` steps; ``row_label`` and ``column_label``
    name the axes of the matrices.
    """
    panels = [_choices(number, len(sides), side, n_steps) for number, side in enumerate(sides)]
    size = LARGE if len(heads) == 1 else SMALL
    lowest = 0.0
    for number, side in enumerate(sides):
        for place, head in enumerate(heads):
            if len(heads) == 1:
                left, top = LEFT + number * (LARGE + BETWEEN_LARGE), HEADS_TOP
            else:
                left, top = LEFT + place * (SMALL + ACROSS), HEADS_TOP + number * (SMALL + DOWN)
            panels.append(
                Panel(
                    f"head_{number}_{head}",
                    box=(left, top, size, size),
                    title=Text(f"{side.letter} 头 {head}", f"{side.letter} head {head}"),
                    x=Axis(column_label, -0.5, len(side.columns) - 0.5, _ticks(side.columns)),
                    y=Axis(
                        row_label if left == LEFT or len(heads) == 1 else NOTHING,
                        len(side.rows) - 0.5,
                        -0.5,
                        _ticks(side.rows),
                    ),
                    layers=(
                        Heatmap("weights", side.weights[head - 1], 0, 1, "sequential"),
                        rectangle(
                            "row", (-0.5, len(side.columns) - 0.5), (row - 0.5, row + 0.5), VERMILLION, 1.6
                        ),
                    ),
                    color_bar=ColorBar("sequential", 0, 1) if head == heads[-1] else None,
                )
            )
            lowest = top + size
    return Scene(WIDTH, round(lowest) + BELOW, tuple(panels), _alt(sides, heads, row_label, column_label))


def _ticks(tokens: Sequence[object]) -> Ticks:
    return tuple((float(place), str(token)) for place, token in enumerate(tokens))


def _alt(sides: Sequence[Side], heads: Sequence[int], row_label: Text, column_label: Text) -> Text:
    written = ["".join(tried[0][0] for tried in side.choices) for side in sides]
    model = Text("{letter} {name}写出 {words}", "{letter} {name} writes {words}")
    models = (
        model.format(letter=side.letter, name=side.name, words=words)
        for side, words in zip(sides, written, strict=True)
    )
    return Text(
        "训练好的模型一步一步写答案：{models}。头 {heads} 的注意力权重，行是{rows}，列是{columns}。",
        "Trained models at work, step by step: {models}. Attention weights of heads {heads}; "
        "rows: {rows}; columns: {columns}.",
    ).format(
        models=joined(models, "；", "; "),
        heads=", ".join(map(str, heads)),
        rows=row_label,
        columns=column_label,
    )


def _choices(number: int, n_sides: int, side: Side, n_steps: int) -> Panel:
    """Draw the symbol written at each step and the runners-up below it, shaded by probability."""
    width = (WIDTH - LEFT - RIGHT + 20 - BETWEEN * (n_sides - 1)) / n_sides
    shades = np.full((RANKS, n_steps), np.nan)
    shown: list[tuple[int, int, str, str]] = []
    for step, tried in enumerate(side.choices):
        for rank, (symbol, chance) in enumerate(tried[:RANKS]):
            shades[rank, step] = chance
            if rank == 0 or chance >= LEAST:
                shown.append((step, rank, symbol, f"{chance:.0%}"))
    x = np.array([step for step, *_ in shown], dtype=float)
    y = np.array([rank for _, rank, *_ in shown], dtype=float)
    symbols = tuple(symbol for *_, symbol, _ in shown)
    percents = tuple(percent if width / n_steps >= ROOM else "" for *_, percent in shown)
    return Panel(
        f"choices_{number}",
        box=(LEFT + number * (width + BETWEEN), CHOICES_TOP, width, CHOICES_HEIGHT),
        title=Text(f"{side.letter} {side.name.zh}", f"{side.letter} {side.name.en}"),
        x=Axis(STEP, -0.5, n_steps - 0.5, _ticks(range(1, n_steps + 1))),
        y=Axis(RANK if number == 0 else NOTHING, RANKS - 0.5, -0.5, _ticks(range(1, RANKS + 1))),
        layers=(
            Heatmap("chances", shades, 0, SHADE, "sequential"),
            Labels("symbols", x, y - 0.2, symbols, INK, 13),
            Labels("percents", x, y + 0.25, percents, INK),
        ),
    )
