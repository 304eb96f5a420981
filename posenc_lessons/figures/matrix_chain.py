"""A computation on small matrices, step by step: every number in its cell, arrows between the matrices."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Rectangle

from posenc_lessons.figures.colors import BLUE, GREEN, INK, MUTED, VERMILLION
from posenc_lessons.figures.style import PX, SEQUENTIAL, Picture, new_drawing, styled
from posenc_lessons.language import Text

CELL_WIDTH, CELL_HEIGHT = 44, 36  # CSS pixels, as everything here
GAP, MARGIN, TOP, BOTTOM = 82, 14, 44, 42
ROW_COLORS = (VERMILLION, INK, BLUE, GREEN)


@dataclass(frozen=True)
class Step:
    """A matrix [rows, columns], its name, its meaning, and the operation on the arrow that leads to it."""

    name: str
    meaning: Text
    values: np.ndarray
    arrow: str = ""
    digits: int = 2


@styled()
def matrix_chain_figure(steps: Sequence[Step]) -> Picture:
    """Draw ``steps`` from left to right. Row i of every matrix belongs to token i and keeps its colour."""
    rows = max(len(step.values) for step in steps)
    columns = [step.values.shape[1] for step in steps]
    width = 2 * MARGIN + 22 + CELL_WIDTH * sum(columns) + GAP * (len(steps) - 1)
    height = TOP + CELL_HEIGHT * rows + BOTTOM
    names = [step.name.replace("$", "") for step in steps]
    picture = new_drawing(
        width,
        height,
        alt=Text(
            f"从左到右一步一步地算：{'、'.join(names)}，每个小格里都写着数。",
            f"Computed step by step, left to right: {', '.join(names)}, every number in its cell.",
        ),
    )
    (axes,) = picture.axes
    left = MARGIN + 22
    for row in range(rows):
        place = TOP + CELL_HEIGHT * (row + 0.5)
        _write(axes, left - 12, place, f"{row}", 14, ROW_COLORS[row % len(ROW_COLORS)])
    for step, width_in_cells in zip(steps, columns, strict=True):
        if step.arrow:
            _draw_arrow(axes, left - GAP, TOP + CELL_HEIGHT * rows / 2, step.arrow)
        _draw_matrix(axes, left, step)
        left += CELL_WIDTH * width_in_cells + GAP
    return picture


def heads_split_figure(features: np.ndarray, heads: np.ndarray, joined: np.ndarray) -> Picture:
    """Draw how ``features`` [L, d] are split into ``heads`` [h, L, d_head], and ``joined`` [L, d] again."""
    steps = [Step("$x$", Text("拆分以前", "before"), features, digits=0)]
    for number, values in enumerate(heads):
        arrow, meaning = "" if number else "split", Text(f"头 {number}", f"head {number}")
        steps.append(Step(f"$H_{number}$", meaning, values, arrow, digits=0))
    return matrix_chain_figure([*steps, Step("$x'$", Text("拼回来", "joined"), joined, "join", digits=0)])


def _draw_matrix(axes: Axes, left: float, step: Step) -> None:
    rows, columns = step.values.shape
    most = max(float(np.abs(step.values).max()), 1e-12)
    for row in range(rows):
        for column in range(columns):
            value = float(step.values[row, column])
            x, y = left + CELL_WIDTH * column, TOP + CELL_HEIGHT * row
            shade = SEQUENTIAL(0.35 * abs(value) / most)
            axes.add_patch(
                Rectangle((x, y), CELL_WIDTH, CELL_HEIGHT, facecolor=shade, edgecolor="white", linewidth=PX)
            )
            number = (f"{value:.{step.digits}f}" if step.digits else f"{value:g}").replace("-", "−")
            color = ROW_COLORS[row % len(ROW_COLORS)]
            _write(axes, x + CELL_WIDTH / 2, y + CELL_HEIGHT / 2, number, 13, color)
    middle = left + CELL_WIDTH * columns / 2
    _write(axes, middle, TOP - 20, step.name, 17, INK)
    for line, words in enumerate(step.meaning.show(between="\n").split("\n")):
        _write(axes, middle, TOP + CELL_HEIGHT * rows + 14 + 16 * line, words, 12, MUTED)


def _draw_arrow(axes: Axes, left: float, y: float, words: str) -> None:
    axes.add_patch(
        FancyArrowPatch(
            (left + 14, y),
            (left + GAP - 14, y),
            arrowstyle="-|>",
            mutation_scale=11,
            color=MUTED,
            shrinkA=0,
            shrinkB=0,
        )
    )
    _write(axes, left + GAP / 2, y - 16, words, 12, INK)


def _write(axes: Axes, x: float, y: float, words: str, size: float, color: str) -> None:
    axes.text(x, y, words, ha="center", va="center", fontsize=size * PX, color=color)
