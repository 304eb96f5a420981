"""Attention among the words of a sentence, before and after they change places."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from posenc_lessons.figures.axis_names import LOOKED_AT, LOOKING
from posenc_lessons.figures.colors import CHOSEN, INK
from posenc_lessons.figures.scene import Axis, ColorBar, Heatmap, Labels, Line, Panel, Scene
from posenc_lessons.figures.scene_parts import NOTHING
from posenc_lessons.figures.words import cut, word_ticks
from posenc_lessons.language import Text

WIDTH, HEIGHT = 980, 476
# The boxes of the three matrices; the third is the largest, because it is the subject of the picture.
BOXES = {
    "before": (92.0, 112.0, 200.0, 200.0),
    "after": (366.0, 112.0, 200.0, 200.0),
    "difference": (650.0, 112.0, 280.0, 280.0),
}
CARDS, CARD_SIZE = (24.0, 32.0, 932.0, 40.0), 15.0  # the box of the cards, and their type size


def shuffle_scene(words: Sequence[str], order: Sequence[int], before: np.ndarray, after: np.ndarray) -> Scene:
    """Draw attention ``before`` [n, n] as written, ``after`` [n, n] in ``order``, and their difference.

    ``order[i]`` is the index in ``words`` of the word that now stands at place i. If attention only moved
    with the words, ``after[i, j]`` equals ``before[order[i], order[j]]`` and the third picture is empty.
    """
    moved = [words[index] for index in order]
    difference = np.abs(after - before[np.ix_(order, order)])
    panels = (
        _cards(words, order),
        _matrix("before", Text("原来的顺序", "as written"), words, before, range(len(words))),
        _matrix("after", Text("换位之后", "after the move"), moved, after, order),
        _matrix(
            "difference",
            Text("两者的差别", "the difference"),
            moved,
            difference,
            order,
        ),
    )
    return Scene(
        WIDTH,
        HEIGHT,
        panels,
        alt=Text(
            "三个 {n}×{n} 的注意力矩阵：原来的顺序、换位之后、两者相差多少（最大 {most:.2f}）。",
            "Three {n}×{n} attention matrices: as written, after the move, and how much they differ "
            "(at most {most:.2f}).",
        ).format(n=len(words), most=float(difference.max())),
    )


def _cards(words: Sequence[str], order: Sequence[int]) -> Panel:
    """Draw the words in ``order``; the index of a card in its layer does not depend on its place."""
    n = len(words)
    place = np.argsort(order).astype(float)
    edge = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1], [np.nan, np.nan]]) * (0.44, 0.36)
    edges = (np.stack([place, np.zeros(n)], axis=1)[:, None] + edge).reshape(-1, 2)
    room = max(int(0.8 * CARDS[2] / n / (0.6 * CARD_SIZE)), 1)
    return Panel(
        "cards",
        box=CARDS,
        hero=True,
        title=Text("换位之后的句子：拖一个词到别处", "The sentence after the move: drag a word elsewhere"),
        x=Axis(NOTHING, -0.5, n - 0.5, ()),
        y=Axis(NOTHING, -0.5, 0.5, ()),
        layers=(
            Line("edges", edges[:, 0], edges[:, 1], CHOSEN),
            Labels("words", place, np.zeros(n), tuple(cut(word, room) for word in words), INK, CARD_SIZE),
        ),
    )


def _matrix(name: str, title: Text, words: Sequence[str], values: np.ndarray, order: Sequence[int]) -> Panel:
    ticks = word_ticks(words)
    size = len(words)
    return Panel(
        name,
        box=BOXES[name],
        asked=("weights",),
        title=title,
        x=Axis(LOOKED_AT, -0.5, size - 0.5, ticks),
        y=Axis(LOOKING if name == "before" else NOTHING, size - 0.5, -0.5, ticks),
        layers=(Heatmap("weights", values, 0, 1, "sequential", tuple(order)),),
        color_bar=ColorBar("sequential", 0, 1) if name == "difference" else None,
        words=True,
        hero=name == "difference",
    )
