"""A trained model at work: the symbols it writes step by step, and where each head looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.colors import INK, QUERY
from posenc_lessons.figures.scene import Axis, Heatmap, Labels, Panel, Scene
from posenc_lessons.figures.scene_parts import NOTHING, color_key, rectangle
from posenc_lessons.figures.ticks import Ticks
from posenc_lessons.language import Text, joined

WIDTH = 1020
RANKS = 2  # the choice and the runner-up
CHOICES_TOP, CHOICES_HEIGHT = 36, 78
HEADS_TOP = 190
LEFT, RIGHT = 66, 80  # room for tokens beside the first matrix and for the key to the colours
SMALL, ACROSS, DOWN = 170, 44, 72  # the side of a matrix in a row of heads, and the gaps between them
SIDE, SIDES_APART = 418, 458  # the width of one of two models, and the step from one to the other
HIGH, THUMB = 240, 116  # the height of the large head, and the width of the thumbnails beside it
BESIDE_LARGE, THUMBS_APART = 26, 28  # gaps between the large head and thumbnails, and between thumbnails
KEY_APART = 40
BELOW = 48  # room for tokens and a label
SHADE = 2.6  # the "probability" of the darkest colour; above 1, so that letters on top can be read
LEAST, ROOM = 0.005, 32  # the least probability that is written; the width that "100%" needs

STEP = Text("第几步", "step")
RANK = Text("名次", "rank")


@dataclass(frozen=True)
class Side:
    """One model: what it chose at each step so far, and the weights of one layer.

    ``letter`` names the model in titles. ``choices`` holds the likeliest symbols of each step with their
    probabilities, likeliest first. ``weights`` is [heads, rows, columns], NaN at steps that are not done;
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
    large: int | None = None,
) -> Scene:
    """Draw the choices of one or two models at each step, and below the weights of ``heads`` (from 1 on).

    The head ``large`` stands beside thumbnails of the others; a single head is always large. If None is
    large, the heads of a model stand in a row. ``row`` (from 0 on) gets a frame in matrices with named
    tokens. There is room for ``n_steps`` steps; ``row_label`` and ``column_label`` name the axes.
    """
    large = heads[0] if len(heads) == 1 else large
    boxes = _boxes(len(sides), heads, large)
    panels = [_choices(number, len(sides), side, n_steps) for number, side in enumerate(sides)]
    for (number, head), box in boxes.items():
        named = (row_label if box[0] == LEFT else NOTHING, column_label)
        small = large not in (None, head)
        panels.append(_matrix(sides[number], number, head, box, row, None if small else named))
    lowest = max(top + height for _, top, _, height in boxes.values())
    right = max(left + width for left, _, width, _ in boxes.values())
    key = right + KEY_APART, HEADS_TOP, 10, max(height for *_, height in boxes.values())
    panels.append(color_key("key", key, (0, 1), "sequential"))
    return Scene(WIDTH, round(lowest) + BELOW, tuple(panels), _alt(sides, heads, row_label, column_label))


def _boxes(
    n_sides: int, heads: Sequence[int], large: int | None
) -> dict[tuple[int, int], tuple[float, float, float, float]]:
    """Return the box of each matrix by the number of its model and its head."""
    if large is None:
        across, down = SMALL + ACROSS, SMALL + DOWN
        return {
            (number, head): (LEFT + place * across, HEADS_TOP + number * down, SMALL, SMALL)
            for number in range(n_sides)
            for place, head in enumerate(heads)
        }
    others = [head for head in heads if head != large]
    high = (HIGH - THUMBS_APART * (len(others) - 1)) / max(len(others), 1)
    wide = _side_width(n_sides) - BESIDE_LARGE - THUMB  # head and thumbnails are as wide as the choices
    boxes_of_heads: dict[tuple[int, int], tuple[float, float, float, float]] = {}
    for number in range(n_sides):
        left = LEFT + number * SIDES_APART
        boxes_of_heads[number, large] = (left, float(HEADS_TOP), float(wide), float(HIGH))
        for place, head in enumerate(others):
            top = HEADS_TOP + place * (high + THUMBS_APART)
            boxes_of_heads[number, head] = (left + wide + BESIDE_LARGE, top, float(THUMB), high)
    return boxes_of_heads


def _side_width(n_sides: int) -> int:
    return SIDE if n_sides > 1 else WIDTH - LEFT - RIGHT


def _matrix(
    side: Side,
    number: int,
    head: int,
    box: tuple[float, float, float, float],
    row: int,
    named: tuple[Text, Text] | None,
) -> Panel:
    """Draw the weights of a head, with tokens and the names ``named`` at its axes; None: as a thumbnail."""
    weights = side.weights[head - 1]
    name = Text(f"头 {head}", f"head {head}")
    rows, columns = (_ticks(side.rows), _ticks(side.columns)) if named else ((), ())
    row_label, column_label = named or (NOTHING, NOTHING)
    ends = (-0.5, len(side.columns) - 0.5)
    framed = rectangle("row", ends, (row - 0.5, row + 0.5), QUERY, 1.6)
    return Panel(
        f"head_{number}_{head}",
        box=box,
        hero=named is not None,
        title=Text(f"{side.letter} {name.zh}", f"{side.letter}, {name.en}") if named else name,
        x=Axis(column_label, *ends, columns),
        y=Axis(row_label, len(side.rows) - 0.5, -0.5, rows),
        layers=(Heatmap("weights", weights, 0, 1, "sequential"), *((framed,) if named else ())),
    )


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
    """Draw the symbol written at each step and the runner-up below it, shaded by probability."""
    width = _side_width(n_sides)
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
        box=(LEFT + number * SIDES_APART, CHOICES_TOP, width, CHOICES_HEIGHT),
        title=Text(f"{side.letter}（{side.name.zh}）写的", f"{side.letter} ({side.name.en}) writes"),
        x=Axis(STEP, -0.5, n_steps - 0.5, _ticks(range(1, n_steps + 1))),
        y=Axis(RANK if number == 0 else NOTHING, RANKS - 0.5, -0.5, _ticks(range(1, RANKS + 1))),
        layers=(
            Heatmap("chances", shades, 0, SHADE, "sequential"),
            Labels("symbols", x, y - 0.2, symbols, INK, 13),
            Labels("percents", x, y + 0.25, percents, INK),
        ),
    )
