"""Fine-tuning as it went: accuracy at each step, a line for each way of doing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from posenc_lessons.figures.colors import CYCLE, INK
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text, joined

STEP = Text("微调的步数", "steps of fine-tuning")
ACCURACY = Text("准确率（全部位置）", "accuracy, all positions")
STYLES: tuple[Any, ...] = ("-", "--", "-.", (0, (6, 1, 1, 1, 1, 1)), "-", "--")
GUESSING = Text("瞎猜", "guessing")


@styled()
def fine_tuning_figure(curves: Mapping[Text, Sequence[Sequence[float]]], guessing: float) -> Picture:
    """``curves`` {way: accuracy by step, for each seed}: the mean as a line, from least to most as a band."""
    picture = new_picture(
        620,
        330,
        alt=Text(
            "微调时的准确率，每种办法一条线：{ways}。",
            "Accuracy during fine-tuning, a line for each way: {ways}.",
        ).format(ways=joined(curves, "；", "; ")),
    )
    (axes,) = picture.axes
    for (name, seeds), color, style in zip(curves.items(), CYCLE, STYLES, strict=False):
        runs = np.asarray(seeds)  # [n_seeds, n_steps]
        steps = np.arange(runs.shape[1])
        axes.plot(
            steps,
            runs.mean(axis=0),
            color=color,
            linestyle=style,
            linewidth=2.2 * PX,
            label=name.show(between=" / "),
        )
        if len(runs) > 1:
            axes.fill_between(steps, runs.min(axis=0), runs.max(axis=0), color=color, alpha=0.13, linewidth=0)
    axes.axhline(guessing, color=INK, linewidth=1.2 * PX, linestyle=":")
    axes.text(0, guessing + 0.015, GUESSING.show(), fontsize=12 * PX)
    axes.set(xlabel=STEP.show(), ylabel=ACCURACY.show(), ylim=(0, 1.03))
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0, ncols=2)
    return picture
