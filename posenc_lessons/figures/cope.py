"""CoPE: its gates and positions for a text, and the lengths of the rows of its table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.colors import BLUE, MUTED, VERMILLION
from posenc_lessons.figures.style import PX, SEQUENTIAL, Picture, drawable, new_row, styled
from posenc_lessons.language import Text


@dataclass(frozen=True)
class Matrix:
    """``values`` [L, L]: row = query, column = key, NaN where the query does not see the key.

    ``most`` is the value of the darkest colour; None means the largest value.
    """

    title: Text
    values: np.ndarray
    most: float | None = None


@styled()
def gate_matrices_figure(tokens: Sequence[str], matrices: Sequence[Matrix]) -> Picture:
    """Draw ``matrices`` of ``tokens`` side by side, each with its own scale that begins at 0."""
    says = Text("每个查询看每个键：{titles}。", "Every query with every key: {titles}.")
    titles = (matrix.title for matrix in matrices)
    picture = new_row(min(340 * len(matrices) + 20, 1040), 380, says, titles)
    labels = [drawable(token) for token in tokens]
    for axes, matrix in zip(list(picture.axes), matrices, strict=True):
        most = float(np.nanmax(matrix.values)) if matrix.most is None else matrix.most
        image = axes.imshow(matrix.values, cmap=SEQUENTIAL, vmin=0, vmax=most, aspect="equal")
        axes.set_xticks(range(len(labels)), labels, fontsize=11 * PX)
        axes.set_yticks(range(len(labels)), labels, fontsize=11 * PX)
        axes.set_xlabel(Text("键", "key").show())
        picture.colorbar(image, ax=axes, shrink=0.7, pad=0.02)
    picture.axes[0].set_ylabel(Text("查询", "query").show())
    return picture


@styled()
def row_norms_figure(norms: Mapping[Text, np.ndarray], kept: int) -> Picture:
    """Draw bars of ``norms`` {table: length of each row [N]} side by side, in orange from row ``kept`` on."""
    says = Text(
        f"每一行的模：{{titles}}。前 {kept} 行蓝色，其余橙色。",
        f"Length of every row: {{titles}}. The first {kept} are blue, the others orange.",
    )
    picture = new_row(60 + 390 * len(norms), 260, says, norms, sharey=True)
    for axes, lengths in zip(picture.axes, norms.values(), strict=True):
        rows = np.arange(len(lengths))
        axes.bar(rows[:kept], lengths[:kept], color=BLUE, width=0.8)
        axes.bar(rows[kept:], lengths[kept:], color=VERMILLION, width=0.8)
        axes.axvline(kept - 0.5, color=MUTED, linewidth=PX, linestyle="--")
        axes.set_xlabel(Text("表的第几行", "row of the table").show())
        axes.set_xlim(-0.8, len(lengths) - 0.2)
    picture.axes[0].set_ylabel(Text("模 $|e[r]|$", "norm $|e[r]|$").show(between="\n"))
    return picture
