"""Attention scores side by side as heatmaps, such as wrong ones beside right ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.axis_names import KEY_N, QUERY_M
from posenc_lessons.figures.style import DIVERGING, Picture, new_row, styled
from posenc_lessons.language import Text


@dataclass(frozen=True)
class Table:
    """``values`` [rows, columns] and their name."""

    title: Text
    values: np.ndarray


@styled()
def scores_figure(tables: Sequence[Table]) -> Picture:
    """Draw attention scores side by side: a row per query, a column per key, one colour scale for all."""
    largest = max(float(np.abs(table.values).max()) for table in tables)
    says = Text("热图：{titles}。", "Heatmaps: {titles}.")
    titles = (table.title for table in tables)
    picture = new_row(60 + 230 * len(tables), 280, says, titles, sharey=True)
    axes_of_tables = list(picture.axes)
    for axes, table in zip(axes_of_tables, tables, strict=True):
        image = axes.imshow(table.values, cmap=DIVERGING, vmin=-largest, vmax=largest)
        axes.set_xlabel(KEY_N.show())
    axes_of_tables[0].set_ylabel(QUERY_M.show())
    picture.colorbar(image, ax=axes_of_tables, shrink=0.85, pad=0.02)
    return picture
