"""Tables of numbers side by side as heatmaps: a wrong one beside a right one, one layout beside another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.style import DIVERGING, Picture, new_row, styled
from posenc_lessons.language import Text

POSITION = Text("位置 $p$", "position $p$")
COLUMN = Text("列 $j$", "column $j$")
QUERY = Text("查询的位置 $m$", "query position $m$")
KEY = Text("键的位置 $n$", "key position $n$")


@dataclass(frozen=True)
class Table:
    """``values`` [rows, columns] and what to call them."""

    title: Text
    values: np.ndarray


def tables_figure(tables: Sequence[Table]) -> Picture:
    """Position tables side by side: one row a position, one column a dimension, coloured from −1 to 1."""
    return _side_by_side(tables, COLUMN, POSITION, 1.0)


def scores_figure(tables: Sequence[Table]) -> Picture:
    """Attention scores side by side: one row a query, one column a key, one colour scale for all."""
    largest = max(float(np.abs(table.values).max()) for table in tables)
    return _side_by_side(tables, KEY, QUERY, largest)


@styled()
def _side_by_side(tables: Sequence[Table], x: Text, y: Text, largest: float) -> Picture:
    says = Text("热图：{titles}。", "Heatmaps: {titles}.")
    titles = (table.title for table in tables)
    picture = new_row(60 + 230 * len(tables), 280, says, titles, sharey=True)
    axes_of_tables = list(picture.axes)
    for axes, table in zip(axes_of_tables, tables, strict=True):
        image = axes.imshow(table.values, cmap=DIVERGING, vmin=-largest, vmax=largest)
        axes.set_xlabel(x.show())
        axes.grid(False)
    axes_of_tables[0].set_ylabel(y.show())
    picture.colorbar(image, ax=axes_of_tables, shrink=0.85, pad=0.02)
    return picture
