"""Attention among the words of a sentence, before and after they change places."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from posenc_lessons.figures.axis_names import LOOKED_AT
from posenc_lessons.figures.colors import CYCLE, ECHO, INK, MUTED, RESULT
from posenc_lessons.figures.places import wide
from posenc_lessons.figures.scene import Axis, Heatmap, Labels, Layer, Panel, Scene
from posenc_lessons.figures.scene_parts import NOTHING, cell_numbers, strokes, words_at
from posenc_lessons.figures.words import cut, word_ticks
from posenc_lessons.language import Text

WIDTH, HEIGHT = 880, 478
TOP, SIDE = 40, 244  # of the two matrices; the words between them stand beside their rows
MIDDLE = 344.0  # width of the panel with the words
CARD = 110.0  # greatest width of a word's card
WORD_SIZE = 20.0
EQUATION = (204, 332, 472, 142)  # the box of one matrix less another, and what is left
SMALL, STEP, NAMES = 100.0, 132.0, 42.0  # side of its matrices, from one to the next, room for their names
MOST_NUMBERS = 6  # with more words, cells have no room for their numbers
ROUNDING = 1e-5  # a smaller difference is an error of rounding, which differs between machines


def shuffle_scene(words: Sequence[str], order: Sequence[int], before: np.ndarray, after: np.ndarray) -> Scene:
    """Draw attention ``before`` [n, n] as written, ``after`` [n, n] in ``order``, and whether they differ.

    ``order[i]`` is the index in ``words`` of the word that now stands at place i. If attention only moved
    with the words, ``after[i, j]`` equals ``before[order[i], order[j]]``.
    """
    written = tuple(range(len(words)))
    difference = np.abs(after - before[np.ix_(order, order)])
    panels = (
        _matrix("before", 12, Text("原来的顺序", "as written"), words, before, written),
        _matrix("after", 624, Text("换位之后", "after the move"), words, after, order),
        _cards(words, order),
        _equation(before, after[np.ix_(np.argsort(order), np.argsort(order))]),
    )
    return Scene(
        WIDTH,
        HEIGHT,
        panels,
        alt=Text(
            "三个 {n}×{n} 的注意力矩阵：原来的顺序、换位之后、两者相差多少（最大 {most:.2f}）。"
            "每个词从原来的行连一条线到换位之后的行，换位后的次序是 {order}。",
            "Three {n}×{n} attention matrices: as written, after the move, and how much they differ "
            "(at most {most:.2f}). A line leads from each word's old row to its new one; "
            "the order is now {order}.",
        ).format(n=len(words), most=float(difference.max()), order=" ".join(str(1 + at) for at in order)),
        beside=("before", "cards", "after"),
    )


def _cards(words: Sequence[str], order: Sequence[int]) -> Panel:
    """Draw each word at its old row, its card at the new one, and a line between.

    Equal words have the same colour.
    """
    n = len(words)
    place = np.argsort(order).astype(float)
    pitch = SIDE / n
    size = min(WORD_SIZE, 0.8 * pitch)
    texts = tuple(cut(word, max(int(CARD / (0.6 * size)), 1)) for word in words)
    half = min(max(wide(text) for text in texts) * size / 2 + 8, CARD / 2)
    left, right = half, MIDDLE - half - 3
    high = min(0.42, 17 / pitch)
    distinct = list(dict.fromkeys(word.casefold() for word in words))
    card = np.array([[-half, half, half, -half, -half], [-high, -high, high, high, -high]])
    layers: list[Layer] = []
    for group, color in enumerate((*CYCLE, ECHO)):
        last = len(distinct) if group == len(CYCLE) else group + 1
        here = np.array([at for at, word in enumerate(words) if word.casefold() in distinct[group:last]], int)
        if len(here):
            ways = np.stack([here, place[here]], axis=1)
            layers += [
                strokes(f"way{group}", [[left + half, right - half - 2]], ways, color, 3.0),
                strokes(f"card{group}", right + card[:1], place[here, None] + card[1], color, 2.5),
            ]
    for name, x, y in (("old", left, np.arange(float(n))), ("words", right, place)):
        layers.append(Labels(name, np.full(n, x), y, texts, INK, size))
    return Panel(
        "cards",
        box=(268, TOP, MIDDLE, SIDE),
        hero=True,
        title=Text("拖一个框里的词", "drag a framed word"),
        x=Axis(NOTHING, 0, MIDDLE, ()),
        y=Axis(NOTHING, n - 0.5, -0.5, ()),
        layers=tuple(layers),
    )


def _matrix(
    name: str, left: float, title: Text, words: Sequence[str], values: np.ndarray, order: Sequence[int]
) -> Panel:
    """Draw attention among ``words`` in ``order``; each number has its word's index in its layer."""
    size = len(words)
    heatmap = Heatmap("weights", values, 0, 1, "sequential", tuple(order))
    layers: list[Layer] = [heatmap]
    if size <= MOST_NUMBERS:
        place = np.argsort(order)
        by_word = replace(heatmap, values=values[np.ix_(place, place)])
        for labels in cell_numbers(by_word, "{:.2f}".format, 17 if size < 5 else 13):
            assert isinstance(labels, Labels)
            x, y = (place[at.astype(int)].astype(float) for at in (labels.x, labels.y))
            layers.append(replace(labels, x=x, y=y))
    return Panel(
        name,
        box=(left, TOP, SIDE, SIDE),
        asked=("weights",),
        title=title,
        x=Axis(
            LOOKED_AT if name == "before" else NOTHING,
            -0.5,
            size - 0.5,
            word_ticks([words[at] for at in order]),
        ),
        y=Axis(NOTHING, size - 0.5, -0.5, ()),
        layers=tuple(layers),
        words=True,
    )


def _equation(before: np.ndarray, back: np.ndarray) -> Panel:
    """Draw attention ``back`` [n, n], after the move, all words put back, less ``before``."""
    difference = np.abs(back - before)
    same = difference.max() < ROUNDING
    middles = SMALL / 2 + STEP * np.arange(3)
    names = Text("放回原处", "put back"), Text("原来的", "as written"), Text("|差|", "|difference|")
    layers: list[Layer] = [
        Heatmap(name, values, 0, 1, "sequential", within=(x - SMALL / 2, 0.0, x + SMALL / 2, SMALL))
        for name, values, x in zip(
            ("back", "written", "weights"), (back, before, difference), middles.tolist(), strict=True
        )
    ]
    half, end = np.full(2, SMALL / 2), np.array([EQUATION[2] - 46.0])
    layers += [
        Labels("signs", middles[:2] + STEP / 2, half, ("−", "="), INK, 32),
        Labels("verdict", end, half[:1], ("= 0" if same else "≠ 0",), INK if same else RESULT, 46),
    ]
    for number, (x, name) in enumerate(zip(middles, names, strict=True)):
        layers.append(words_at(f"name{number}", x, -10.0, name, MUTED, 14, -17.0))
    return Panel(
        "difference",
        box=EQUATION,
        hero=True,
        title=NOTHING,
        x=Axis(NOTHING, 0, EQUATION[2], ()),
        y=Axis(NOTHING, SMALL, -NAMES, ()),
        layers=tuple(layers),
    )
