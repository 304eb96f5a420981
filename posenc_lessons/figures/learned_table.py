"""A learned position table: the similarity of its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.style import DIVERGING, Picture, new_row, styled
from posenc_lessons.language import Text, current

POSITION = Text("位置", "position")


@dataclass(frozen=True)
class Square:
    """``values`` [L, L] with one row and one column for each position, and their name."""

    title: Text
    values: np.ndarray


@styled()
def row_similarity_figure(squares: Sequence[Square]) -> Picture:
    """Draw the cosine similarity [L, L] between the rows of tables, from −1 to 1, one scale for all."""
    says = Text("行与行的相似度：{titles}。", "Similarity between rows: {titles}.")
    titles = (square.title for square in squares)
    height = 348 if current() == "both" else 326
    picture = new_row(min(50 + 285 * len(squares), 920), height, says, titles, sharey=True)
    axes_of_squares = list(picture.axes)
    for axes, square in zip(axes_of_squares, squares, strict=True):
        image = axes.imshow(square.values, cmap=DIVERGING, vmin=-1, vmax=1, aspect="equal")
        axes.set_xlabel(POSITION.show())
    axes_of_squares[0].set_ylabel(POSITION.show())
    picture.colorbar(image, ax=axes_of_squares, shrink=0.8, pad=0.02, ticks=[-1, 0, 1])
    return picture
