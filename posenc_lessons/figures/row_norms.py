"""How long each row of a table that started at zero has become: which rows were trained, and which never."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from posenc_lessons.figures.colors import BLUE, MUTED, VERMILLION
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text, joined

ROW = Text("表的第几行", "row of the table")
LENGTH = Text("模 $|e[n]|$", "norm $|e[n]|$")


@styled()
def row_norms_figure(norms: Mapping[Text, np.ndarray], kept: int) -> Picture:
    """Bars of ``norms`` {table: length of each row [N]}, side by side; rows from ``kept`` on in orange."""
    picture = new_picture(
        60 + 390 * len(norms),
        260,
        alt=Text(
            "每一行的模：{names}。前 {kept} 行蓝色，其余橙色。",
            "Length of every row: {names}. The first {kept} are blue, the others orange.",
        ).format(names=joined(norms, "；", "; "), kept=kept),
        ncols=len(norms),
        sharey=True,
        squeeze=False,
    )
    for axes, (name, lengths) in zip(list(picture.axes), norms.items(), strict=True):
        rows = np.arange(len(lengths))
        axes.bar(rows[:kept], lengths[:kept], color=BLUE, width=0.8)
        axes.bar(rows[kept:], lengths[kept:], color=VERMILLION, width=0.8)
        axes.axvline(kept - 0.5, color=MUTED, linewidth=PX, linestyle="--")
        axes.set_title(name.show(between="\n"))
        axes.set_xlabel(ROW.show())
        axes.grid(axis="x", visible=False)
        axes.set_xlim(-0.8, len(lengths) - 0.2)
    picture.axes[0].set_ylabel(LENGTH.show(between="\n"))
    return picture
