"""A trained model at work: the text it reads, the symbols it writes, and where a head looks between them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.colors import INK, QUERY
from posenc_lessons.figures.scene import Axis, Heatmap, Labels, Layer, Panel, Scene
from posenc_lessons.figures.scene_parts import NOTHING, rectangle, strokes
from posenc_lessons.language import Text, joined

WIDTH, HEIGHT = 770, 430
LEFT, BETWEEN = 16, 30  # the left end of the first model, and the gap to the second one
HERO, THUMBS = (40, 250), (350, 72)  # top and height of the lines of attention, and of the other heads
THUMBS_APART = 24
ABOVE, BELOW, OUT = 0.92, 0.08, 0.07  # the ends of lines; how far tokens are beyond them
LARGEST = 20  # the size of a token
# Lines of attention: the least weight, the width and the colour if the line is not of the chosen row.
STEPS = ((0.08, 1.5, "#DDE3EE"), (0.25, 3.5, "#C9D3E6"), (0.5, 6.0, "#B4C2DD"), (0.75, 9.0, "#A3B4D6"))
LEAST = 0.2  # only weights above it are written


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
    sides: Sequence[Side], heads: Sequence[int], row: int, row_label: Text, column_label: Text, large: int
) -> Scene:
    """Draw what one or two models read and write, and the attention of the head ``large`` between them.

    A line's thickness is a weight; those of ``row`` (from 0 on) have a colour. Below stand the other ones
    of ``heads`` (from 1 on), as matrices.
    """
    width = (WIDTH - 2 * LEFT - BETWEEN * (len(sides) - 1)) / len(sides)
    others = [head for head in heads if head != large]
    small = (width - THUMBS_APART * (len(others) - 1)) / len(others)
    panels = []
    for number, side in enumerate(sides):
        left = LEFT + number * (width + BETWEEN)
        panels.append(_lines(side, number, large, (left, HERO[0], width, HERO[1]), row))
        for place, head in enumerate(others):
            box = (left + place * (small + THUMBS_APART), THUMBS[0], small, THUMBS[1])
            panels.append(_matrix(side, number, head, box, row))
    return Scene(WIDTH, HEIGHT, tuple(panels), _alt(sides, large, row_label, column_label))


def _lines(side: Side, number: int, head: int, box: tuple[float, float, float, float], row: int) -> Panel:
    """Draw the tokens looked at above, those that look below, and lines between as thick as the weights."""
    weights = np.nan_to_num(side.weights[head - 1])
    above, below = ((np.arange(len(tokens)) + 0.5) / len(tokens) for tokens in (side.columns, side.rows))
    layers: list[Layer] = []
    for own in (False, True):
        for step, (least, width, color) in enumerate(STEPS):
            most = STEPS[step + 1][0] if step + 1 < len(STEPS) else np.inf
            rows, columns = np.nonzero((weights >= least) & (weights < most))
            mine = (rows == row) == own
            ends = np.stack([below[rows[mine]], above[columns[mine]]], axis=1)
            name, ink = ("own", QUERY) if own else ("lines", color)
            layers.append(strokes(f"{name}_{step}", ends, [BELOW, ABOVE], ink, width))
    size = min(LARGEST, 1.2 * box[2] / max(len(above), len(below)))
    rest = [token if place != row else "" for place, token in enumerate(side.rows)]
    seen = np.flatnonzero(weights[row] >= LEAST)
    way = Text("：上面读，下面写", ": reads above, writes below") if 2 * box[2] > WIDTH else NOTHING
    layers += [
        Labels("read", above, np.full(len(above), ABOVE + OUT), tuple(side.columns), INK, size),
        Labels("written", below, np.full(len(below), BELOW - OUT), tuple(rest), INK, size),
        Labels("own", below[[row]], np.array([BELOW - OUT]), (side.rows[row],), QUERY, size + 4),
        Labels(
            "weights",
            above[seen],
            np.full(len(seen), ABOVE + 2.2 * OUT),
            tuple(f"{weight:.0%}" for weight in weights[row, seen]),
            QUERY,
            min(13, size),
        ),
    ]
    return Panel(
        f"head_{number}_{head}",
        box=box,
        hero=True,
        title=Text(
            f"{side.letter}（{side.name.zh}）头 {head}{way.zh}",
            f"{side.letter} ({side.name.en}), head {head}{way.en}",
        ),
        x=Axis(NOTHING, 0.0, 1.0, ()),
        y=Axis(NOTHING, BELOW - 2 * OUT, ABOVE + 3 * OUT, ()),
        layers=tuple(layers),
    )


def _matrix(side: Side, number: int, head: int, box: tuple[float, float, float, float], row: int) -> Panel:
    """Draw the weights of a head as a small matrix."""
    ends = (-0.5, len(side.columns) - 0.5)
    return Panel(
        f"head_{number}_{head}",
        box=box,
        title=Text(f"头 {head}", f"head {head}"),
        x=Axis(NOTHING, *ends, ()),
        y=Axis(NOTHING, len(side.rows) - 0.5, -0.5, ()),
        layers=(
            Heatmap("weights", side.weights[head - 1], 0, 1, "sequential"),
            rectangle("row", ends, (row - 0.5, row + 0.5), QUERY, 1.6),
        ),
    )


def _alt(sides: Sequence[Side], head: int, row_label: Text, column_label: Text) -> Text:
    written = ["".join(tried[0][0] for tried in side.choices) for side in sides]
    model = Text("{letter} {name}写出 {words}", "{letter} {name} writes {words}")
    models = (
        model.format(letter=side.letter, name=side.name, words=words)
        for side, words in zip(sides, written, strict=True)
    )
    return Text(
        "训练好的模型一步一步写答案：{models}。头 {head} 的注意力是上下两行之间的线，越粗权重越大："
        "下面{rows}，上面{columns}。",
        "Trained models at work, step by step: {models}. The attention of head {head} as lines, thicker for "
        "larger weights, from {rows} below to {columns} above.",
    ).format(models=joined(models, "；", "; "), head=head, rows=row_label, columns=column_label)
