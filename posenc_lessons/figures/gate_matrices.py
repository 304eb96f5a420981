"""What every query makes of every key: gates, positions, weights, with the tokens on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.style import PX, SEQUENTIAL, Picture, drawable, new_picture, styled
from posenc_lessons.language import Text, joined

QUERY = Text("查询", "query")
KEY = Text("键", "key")


@dataclass(frozen=True)
class Matrix:
    """``values`` [L, L]: row = query, column = key, NaN where the query does not see the key.

    ``most`` is where the darkest colour lies; None: at the largest value.
    """

    title: Text
    values: np.ndarray
    most: float | None = None


@styled()
def gate_matrices_figure(tokens: Sequence[str], matrices: Sequence[Matrix]) -> Picture:
    """``matrices`` among ``tokens`` side by side, each with its own scale from 0 up."""
    picture = new_picture(
        min(340 * len(matrices) + 20, 1040),
        380,
        alt=Text("每个查询看每个键：{titles}。", "Every query with every key: {titles}.").format(
            titles=joined((matrix.title for matrix in matrices), "；", "; ")
        ),
        ncols=len(matrices),
        squeeze=False,
    )
    shown = [drawable(token) for token in tokens]
    for axes, matrix in zip(list(picture.axes), matrices, strict=True):
        most = float(np.nanmax(matrix.values)) if matrix.most is None else matrix.most
        image = axes.imshow(matrix.values, cmap=SEQUENTIAL, vmin=0, vmax=most, aspect="equal")
        axes.set_title(matrix.title.show(between="\n"))
        axes.set_xticks(range(len(shown)), shown, fontsize=11 * PX)
        axes.set_yticks(range(len(shown)), shown, fontsize=11 * PX)
        axes.tick_params(length=0)
        axes.grid(False)
        axes.set_xlabel(KEY.show())
        picture.colorbar(image, ax=axes, shrink=0.7, pad=0.02)
    picture.axes[0].set_ylabel(QUERY.show())
    return picture
