"""Several runs of several kinds: a dot a run, a line at their mean, so that luck shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from posenc_lessons.figures.colors import BLUE, INK, VERMILLION
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text, joined

WIDTH = 0.36  # of the two columns that belong to one kind, each


@styled()
def seed_dots_figure(
    runs: Mapping[Text, Sequence[Sequence[float]]],
    columns: tuple[Text, Text],
    guessing: float,
) -> Picture:
    """``runs`` {kind: (accuracy of each seed in the first column, in the second)}, from 0 to 1.

    A dotted line stands where answering the commonest would.
    """
    picture = new_picture(
        140 + 150 * len(runs),
        360,
        alt=Text(
            "每种编码各跑几次的准确率，{columns}：{kinds}。", "Accuracy of every run, {columns}: {kinds}."
        ).format(columns=joined(columns, "和", " and "), kinds=joined(runs, "；", "; ")),
    )
    (axes,) = picture.axes
    for place, pair in enumerate(runs.values()):
        for side, (values, color, name) in enumerate(zip(pair, (BLUE, VERMILLION), columns, strict=True)):
            x = place + (side - 0.5) * WIDTH
            mean = float(np.mean(values))
            label = name.show() if place == 0 else None
            spread = np.linspace(-0.08, 0.08, len(values)) if len(values) > 1 else np.zeros(1)
            axes.plot(x + spread, values, "o", color=color, markersize=7 * PX, alpha=0.85, label=label)
            axes.hlines(mean, x - 0.14, x + 0.14, color=color, linewidth=2.4 * PX)
            above = float(np.max(values)) + 0.03
            axes.text(x, above, f"{mean:.2f}", ha="center", va="bottom", color=INK)
    axes.axhline(guessing, color=INK, lw=1.2 * PX, linestyle=":")
    at: dict[str, Any] = {"ha": "right", "va": "top", "color": INK, "fontsize": 12 * PX}
    axes.text(len(runs) - 0.52, guessing - 0.01, Text("瞎猜", "guessing").show(), **at)
    axes.set_xticks(range(len(runs)), [kind.show(between="\n") for kind in runs])
    axes.tick_params(axis="x", length=0)
    axes.grid(axis="x", visible=False)
    axes.set(ylim=(0, 1.12), xlim=(-0.5, len(runs) - 0.5), ylabel=Text("准确率", "accuracy").show())
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0, ncols=2)
    return picture
