"""Attention weights as tables of numbers, in which each word has its own colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Rectangle

from posenc_lessons.figures.axis_names import LOOKED_AT, LOOKING
from posenc_lessons.figures.colors import BLUE, GREEN, INK, ORANGE, PURPLE, VERMILLION
from posenc_lessons.figures.style import DPI, PX, SEQUENTIAL, Picture, drawable, new_picture, styled
from posenc_lessons.language import Text, joined

WORD_COLORS = (VERMILLION, INK, BLUE, GREEN, PURPLE, ORANGE)
LEFT, TOP, CELL = 70, 112, 52  # CSS pixels: room for row words, for column words and title, and a cell


@dataclass(frozen=True)
class WordMatrix:
    """Weights [n, n] among n words: row = the word that looks, column = the word looked at.

    ``marked`` (row, column) gets a frame; a dot takes the place of a number where ``hidden`` [n, n] is True.
    """

    title: Text
    words: tuple[Text, ...]
    weights: np.ndarray
    marked: tuple[int, int] | None = None
    hidden: np.ndarray | None = None


@styled()
def attention_matrices_figure(matrices: Sequence[WordMatrix]) -> Picture:
    """Draw ``matrices`` side by side. A word has the same colour in all of them."""
    most = max(len(matrix.words) for matrix in matrices)
    side = CELL * most
    picture = new_picture(
        len(matrices) * (side + LEFT + 40),
        side + TOP + 34,
        alt=Text("注意力权重：{titles}。", "Attention weights: {titles}.").format(
            titles=joined(matrix.title for matrix in matrices)
        ),
        ncols=len(matrices),
    )
    engine = picture.get_layout_engine()
    assert isinstance(engine, ConstrainedLayoutEngine)
    engine.set(w_pad=10 / DPI, h_pad=6 / DPI)
    colors = _colors(matrices)
    for column, (axes, matrix) in enumerate(zip(picture.axes, matrices, strict=True)):
        _draw(axes, matrix, colors)
        if column == 0:
            axes.set_ylabel(LOOKING.show())
        axes.set_xlabel(LOOKED_AT.show())
    return picture


def _colors(matrices: Sequence[WordMatrix]) -> dict[Text, str]:
    every_word = dict.fromkeys(word for matrix in matrices for word in matrix.words)
    return {word: WORD_COLORS[i % len(WORD_COLORS)] for i, word in enumerate(every_word)}


def _draw(axes: Axes, matrix: WordMatrix, colors: dict[Text, str]) -> None:
    size = len(matrix.words)
    axes.imshow(matrix.weights, cmap=SEQUENTIAL, vmin=0, vmax=1, aspect="equal")
    axes.set_title(matrix.title.show(between="\n"), pad=10 * PX)
    axes.tick_params(top=True, bottom=False, labeltop=True, labelbottom=False)
    labels = [_label(word) for word in matrix.words]
    axes.set_xticks(range(size), labels)
    axes.set_yticks(range(size), labels)
    for ticks in (axes.get_xticklabels(), axes.get_yticklabels()):
        for label, word in zip(ticks, matrix.words, strict=True):
            label.set(color=colors[word], fontsize=14 * PX)
    for label in axes.get_xticklabels():
        label.set(verticalalignment="baseline")
    for row in range(size):
        for column in range(size):
            weight = float(matrix.weights[row, column])
            hidden = matrix.hidden is not None and bool(matrix.hidden[row, column])
            number = "·" if hidden else f"{weight:.2f}"
            color = "white" if weight > 0.55 else INK
            axes.text(column, row, number, ha="center", va="center", color=color, fontsize=13 * PX)
    if matrix.marked is not None:
        row, column = matrix.marked
        axes.add_patch(
            Rectangle(
                (column - 0.46, row - 0.46), 0.92, 0.92, fill=False, edgecolor=VERMILLION, linewidth=2.5 * PX
            )
        )


def _label(word: Text) -> str:
    """Return ``word`` in the reader's language; for both languages, one word above the other."""
    return "\n".join(map(drawable, word.show(between="\n").split("\n")))
