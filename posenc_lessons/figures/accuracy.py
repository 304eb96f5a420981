"""Accuracies drawn with Matplotlib: against length, for each run, during fine-tuning, and as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from posenc_lessons.figures.colors import BLUE, CYCLE, GREEN, INK, MUTED, VERMILLION
from posenc_lessons.figures.encoding_looks import LOOKS, Look
from posenc_lessons.figures.line_names import LineEnd, names_above, names_at_ends
from posenc_lessons.figures.race import ACCURACY, GUESSING, LENGTH, ORDER_BLIND, TaskResults, length_ticks
from posenc_lessons.figures.style import PX, Picture, new_picture, new_row, styled
from posenc_lessons.language import Text, joined

RACE_HEIGHT = 220  # CSS pixels of the axes of a race
LINES: tuple[Any, ...] = ("-", "--", "-.", (0, (6, 1, 1, 1, 1, 1)), "-", "--")


@styled()
def race_curves_figure(
    tasks: Sequence[TaskResults],
    encodings: Sequence[str],
    lengths: Sequence[int],
    train_length: int,
) -> Picture:
    """Draw the curves of all ``tasks``, two in a row: means, and a band from the worst seed to the best.

    The name of each line stands at its end. A dotted line marks the accuracy of always giving the commonest
    answer, a dash-dotted line the best accuracy without knowing the order of the tokens.
    """
    columns = min(len(tasks), 2)
    picture = new_picture(
        490 * columns,
        300 * -(-len(tasks) // columns),
        alt=Text(
            "各种位置编码的准确率，横轴是长度，竖线是训练过的长度 {n}：{tasks}。",
            "Accuracy of each position encoding against length, with a line at the trained length {n}: "
            "{tasks}.",
        ).format(n=train_length, tasks=joined(task.name for task in tasks)),
        nrows=-(-len(tasks) // columns),
        ncols=columns,
    )
    for axes, task in zip(picture.axes, tasks, strict=False):
        axes.axvline(np.log2(train_length), color=MUTED, linewidth=PX, linestyle=(0, (4, 2.5)))
        _draw(axes, task, encodings, np.log2(np.asarray(lengths, dtype=float)))
        values, labels = zip(*length_ticks(lengths), strict=True)
        axes.set_xticks(values, labels)
        axes.set(xlim=(values[0] - 0.12, values[-1] + 0.12), ylim=(-0.03, 1.03), title=task.name.show())
        axes.set_xlabel(LENGTH.format(n=train_length).show())
        names_at_ends(axes, _line_ends(task, encodings), RACE_HEIGHT)
    for axes in picture.axes[::columns]:
        axes.set_ylabel(ACCURACY.show())
    for axes in picture.axes[len(tasks) :]:
        axes.set_visible(False)
    return picture


def _line_ends(task: TaskResults, encodings: Sequence[str]) -> list[LineEnd]:
    """Return the names of the lines that ``_draw`` draws."""
    entrants = [each for each in encodings if each in task.accuracy]
    ends = [
        LineEnd(LOOKS[each].name.show(), LOOKS[each].color, float(task.accuracy[each].mean(axis=0)[-1]))
        for each in entrants
    ]
    if task.chance is not None:
        ends.append(LineEnd(GUESSING.show(), MUTED, task.chance))
    if task.order_blind is not None:
        ends.append(LineEnd(ORDER_BLIND.show(), INK, float(task.order_blind[-1])))
    return ends


def _draw(axes: Axes, task: TaskResults, encodings: Sequence[str], at: np.ndarray) -> None:
    """Draw the curves of one task over ``at`` [n_lengths]."""
    entrants = [encoding for encoding in encodings if encoding in task.accuracy]
    for encoding in sorted(entrants, key=lambda each: LOOKS[each].dashed):
        look, accuracy = LOOKS[encoding], task.accuracy[encoding]
        band = (accuracy.min(axis=0), accuracy.max(axis=0))
        axes.fill_between(at, *band, color=look.color, alpha=0.15, linewidth=0)
        axes.plot(at, accuracy.mean(axis=0), color=look.color, linestyle=_style(look))
    if task.chance is not None:
        axes.axhline(task.chance, color=MUTED, linewidth=1.2 * PX, linestyle=":")
    if task.order_blind is not None:
        axes.plot(at, task.order_blind, color=INK, linewidth=1.2 * PX, linestyle="-.")


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


@styled()
def fine_tuning_figure(curves: Mapping[Text, Sequence[Sequence[float]]], guessing: float) -> Picture:
    """Draw ``curves`` {way: accuracy by step, for each seed}: means as lines, least to most as bands."""
    picture = new_picture(
        700,
        310,
        alt=Text(
            "微调时的准确率，每种办法一条线：{ways}。",
            "Accuracy during fine-tuning, a line for each way: {ways}.",
        ).format(ways=joined(curves, "；", "; ")),
    )
    (axes,) = picture.axes
    ends = [LineEnd(GUESSING.show(), INK, guessing)]
    for (name, seeds), color, style in zip(curves.items(), CYCLE, LINES, strict=False):
        runs = np.asarray(seeds)  # [n_seeds, n_steps]
        steps = np.arange(runs.shape[1])
        axes.plot(
            steps,
            runs.mean(axis=0),
            color=color,
            linestyle=style,
            linewidth=2.2 * PX,
        )
        ends.append(LineEnd(name.show(between="\n"), color, float(runs.mean(axis=0)[-1])))
        if len(runs) > 1:
            axes.fill_between(steps, runs.min(axis=0), runs.max(axis=0), color=color, alpha=0.13, linewidth=0)
    axes.axhline(guessing, color=INK, linewidth=1.2 * PX, linestyle=":")
    axes.set(
        xlabel=Text("微调的步数", "steps of fine-tuning").show(),
        ylabel=Text("准确率（全部位置）", "accuracy, all positions").show(between="\n"),
        ylim=(0, 1.03),
        xlim=(0, max(np.shape(seeds)[1] for seeds in curves.values()) - 1),
    )
    names_at_ends(axes, ends, 230)
    return picture


@dataclass(frozen=True)
class Bars:
    """Accuracies of one task, from 0 to 1, and the accuracy of guessing."""

    title: Text
    heights: Sequence[float]
    guessing: float


@styled()
def accuracy_bars_figure(bars: Sequence[Bars], labels: Sequence[Text], *, one_color: bool = False) -> Picture:
    """Draw bars for each task side by side, named by ``labels``, with a dotted line at the level of guessing.

    The first bar is blue, the second red, the rest green; with ``one_color`` all are blue.
    """
    says = Text("准确率柱形图：{titles}。", "Bars of accuracy: {titles}.")
    titles = (one.title for one in bars)
    picture = new_row(min(160 + 400 * len(bars), 900), 340, says, titles, sharey=True)
    places = np.arange(len(labels))
    colors = [BLUE] * len(labels) if one_color else [BLUE, VERMILLION, *[GREEN] * len(labels)][: len(labels)]
    for axes, one in zip(picture.axes, bars, strict=True):
        axes.bar(places, one.heights, color=colors, width=0.62)
        for place, height in enumerate(one.heights):
            axes.text(place, height + 0.02, f"{height:.2f}", ha="center", va="bottom")
        axes.axhline(one.guessing, color=INK, linewidth=1.2 * PX, linestyle=":")
        axes.set_xticks(places, [label.show(between="\n") for label in labels])
        axes.tick_params(axis="x", length=0)
        axes.set_ylim(0, 1.12)
    picture.axes[0].set_ylabel(ACCURACY.show())
    return picture
