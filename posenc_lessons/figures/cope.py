"""CoPE: the lengths of the rows of its table."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from posenc_lessons.figures.colors import BLUE, MUTED, VERMILLION
from posenc_lessons.figures.style import PX, Picture, new_row, styled
from posenc_lessons.language import Text


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
