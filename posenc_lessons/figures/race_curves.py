"""The accuracy of raced encodings against length, every task side by side, as Matplotlib draws it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from posenc_lessons.figures.colors import MUTED
from posenc_lessons.figures.race import ACCURACY, GUESSING, LENGTH, LOOKS, Look, TaskResults, length_ticks
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text, joined


@styled()
def race_curves_figure(
    tasks: Sequence[TaskResults],
    encodings: Sequence[str],
    lengths: Sequence[int],
    train_length: int,
) -> Picture:
    """The curves of all ``tasks``, two to a row: means, and a band from the worst seed to the best.

    A dotted line stands where always naming the commonest answer would.
    """
    columns = min(len(tasks), 2)
    picture = new_picture(
        420 * columns + 130,
        300 * -(-len(tasks) // columns),
        alt=Text(
            "各种位置编码的准确率，横轴是长度，竖线是训练过的长度 {n}：{tasks}。",
            "Accuracy of each position encoding against length, with a line at the trained length {n}: "
            "{tasks}.",
        ).format(n=train_length, tasks=joined(task.name for task in tasks)),
        nrows=-(-len(tasks) // columns),
        ncols=columns,
        squeeze=False,
    )
    for axes, task in zip(picture.axes, tasks, strict=False):
        axes.axvline(np.log2(train_length), color=MUTED, linewidth=PX, linestyle=(0, (4, 2.5)))
        _draw(axes, task, encodings, np.log2(np.asarray(lengths, dtype=float)))
        values, labels = zip(*length_ticks(lengths), strict=True)
        axes.set_xticks(values, labels)
        axes.set(xlim=(values[0] - 0.12, values[-1] + 0.12), ylim=(-0.03, 1.03), title=task.name.show())
        axes.set_xlabel(LENGTH.format(n=train_length).show())
        axes.set_ylabel(ACCURACY.show())
    for axes in picture.axes[len(tasks) :]:
        axes.set_visible(False)
    handles = [
        Line2D([], [], color=look.color, linestyle=_style(look), label=look.name.show())
        for look in (LOOKS[encoding] for encoding in encodings)
    ]
    if any(task.chance is not None for task in tasks):
        guessing = GUESSING.show()
        handles.append(Line2D([], [], color=MUTED, linewidth=1.2 * PX, linestyle=":", label=guessing))
    picture.legend(handles=handles, loc="outside right center", fontsize=12 * PX, handlelength=3)
    return picture


def _draw(axes: Axes, task: TaskResults, encodings: Sequence[str], at: np.ndarray) -> None:
    """The curves of one task over ``at`` [n_lengths]."""
    there = [encoding for encoding in encodings if encoding in task.accuracy]
    for encoding in sorted(there, key=lambda each: LOOKS[each].dashed):
        look, accuracy = LOOKS[encoding], task.accuracy[encoding]
        band = (accuracy.min(axis=0), accuracy.max(axis=0))
        axes.fill_between(at, *band, color=look.color, alpha=0.15, linewidth=0)
        axes.plot(at, accuracy.mean(axis=0), color=look.color, linestyle=_style(look))
    if task.chance is not None:
        axes.axhline(task.chance, color=MUTED, linewidth=1.2 * PX, linestyle=":")


def _style(look: Look) -> Any:
    return (0, (4, 2.5)) if look.dashed else "-"
