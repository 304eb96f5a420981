"""Accuracies drawn with Matplotlib: against length, for each run, and as bars."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from posenc_lessons.figures.colors import BLUE, INK, MUTED, VERMILLION
from posenc_lessons.figures.encoding_looks import LOOKS, Look
from posenc_lessons.figures.line_names import names_above
from posenc_lessons.figures.race import ACCURACY, GUESSING, LENGTH, ORDER_BLIND, TaskResults, length_ticks
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text, joined


@styled()
def race_curves_figure(
    tasks: Sequence[TaskResults],
    encodings: Sequence[str],
    lengths: Sequence[int],
    train_length: int,
) -> Picture:
    """Draw the curves of ``tasks`` side by side: means as lines, every seed as a dot.

    A dotted line marks the accuracy of always giving the commonest answer, a dash-dotted line the best
    accuracy without knowing the order of the tokens. One legend names all lines.
    """
    picture = new_picture(
        330 * len(tasks),
        350,
        alt=Text(
            "{names} 的准确率，横轴是长度，竖线是训练过的长度 {n}：{tasks}。",
            "Accuracy of {names} against length, with a line at the trained length {n}: {tasks}.",
        ).format(
            n=train_length,
            names=joined((LOOKS[name].name for name in encodings), "、", ", "),
            tasks=joined(task.name for task in tasks),
        ),
        ncols=len(tasks),
        sharey=True,
    )
    at = np.log2(np.asarray(lengths, dtype=float))
    values, labels = zip(*length_ticks(lengths), strict=True)
    for axes, task in zip(picture.axes, tasks, strict=True):
        axes.axvline(np.log2(train_length), color=MUTED, linewidth=PX, linestyle=(0, (4, 2.5)))
        _draw(axes, task, encodings, at)
        axes.set_xticks(values, labels)
        axes.set(xlim=(at[0] - 0.12, at[-1] + 0.12), ylim=(-0.03, 1.03))
        axes.set_title(task.name.show(between="\n"))
        axes.set_xlabel(LENGTH.format(n=train_length).show(between="\n"))
    picture.axes[0].set_ylabel(ACCURACY.show(between="\n"))
    handles, names = picture.axes[0].get_legend_handles_labels()
    picture.legend(handles, names, loc="outside lower center", ncols=len(names), frameon=False)
    return picture


def _draw(axes: Axes, task: TaskResults, encodings: Sequence[str], at: np.ndarray) -> None:
    """Draw the curves of one task over ``at`` [n_lengths]."""
    for encoding in encodings:
        look, accuracy = LOOKS[encoding], task.accuracy[encoding]
        for shares in accuracy:
            axes.plot(at, shares, "o", color=look.color, markersize=3 * PX, alpha=0.5)
        label = look.name.show(between="\n")
        axes.plot(at, accuracy.mean(axis=0), color=look.color, linestyle=_style(look), label=label)
    if task.chance is not None:
        label = GUESSING.show(between="\n")
        axes.axhline(task.chance, color=MUTED, linewidth=1.2 * PX, linestyle=":", label=label)
    if task.order_blind is not None:
        label = ORDER_BLIND.show(between="\n")
        axes.plot(at, task.order_blind, color=INK, linewidth=1.2 * PX, linestyle="-.", label=label)


def _style(look: Look) -> Any:
    return (0, (4, 2.5)) if look.dashed else "-"


@styled()
def seed_dots_figure(
    runs: Mapping[Text, Sequence[Sequence[float]]],
    columns: tuple[Text, Text],
    guessing: float,
) -> Picture:
    """Draw ``runs`` {kind: (accuracy of each seed in the first column, in the second)}, from 0 to 1.

    A dotted line marks the accuracy of always giving the commonest answer.
    """
    picture = new_picture(
        140 + 150 * len(runs),
        360,
        alt=Text(
            "每种编码各跑几次的准确率，{columns}：{kinds}。", "Accuracy of every run, {columns}: {kinds}."
        ).format(columns=joined(columns, "和", " and "), kinds=joined(runs, "；", "; ")),
    )
    (axes,) = picture.axes
    width = 0.36  # of a bar; each kind has two
    for place, pair in enumerate(runs.values()):
        for side, (values, color, name) in enumerate(zip(pair, (BLUE, VERMILLION), columns, strict=True)):
            x = place + (side - 0.5) * width
            mean = float(np.mean(values))
            label = name.show() if place == 0 else None
            spread = np.linspace(-0.08, 0.08, len(values)) if len(values) > 1 else np.zeros(1)
            axes.plot(x + spread, values, "o", color=color, markersize=7 * PX, alpha=0.85, label=label)
            axes.hlines(mean, x - 0.14, x + 0.14, color=color, linewidth=2.4 * PX)
            above = float(np.max(values)) + 0.03
            axes.text(x, above, f"{mean:.2f}", ha="center", va="bottom", color=INK)
    axes.axhline(guessing, color=INK, lw=1.2 * PX, linestyle=":")
    at: dict[str, Any] = {"ha": "right", "va": "top", "color": INK, "fontsize": 12 * PX}
    axes.text(len(runs) - 0.52, guessing - 0.01, GUESSING.show(), **at)
    axes.set_xticks(range(len(runs)), [kind.show(between="\n") for kind in runs])
    axes.tick_params(axis="x", length=0)
    axes.set(ylim=(0, 1.12), xlim=(-0.5, len(runs) - 0.5), ylabel=ACCURACY.show())
    names_above(axes)
    return picture
