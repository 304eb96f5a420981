"""The pairs of the sinusoidal encoding as clocks: a hand starts at twelve and turns by θ per position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from posenc_lessons.figures.colors import BLUE, GRID, INK, MUTED, VERMILLION
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text

CELL = 116  # CSS pixels for one clock


@styled()
def clock_hands_figure(
    positions: Sequence[int],
    frequencies: np.ndarray,
    offset: int | None = None,
) -> Picture:
    """Draw clocks: a row for each of ``frequencies`` (radians per position), a column for each position.

    The tip of hand i is at (sin pθ_i, cos pθ_i): columns 2i and 2i + 1 of the encoding. With an ``offset`` k,
    a second hand shows position p + k, and the sector between the two hands is coloured.
    """
    rows, columns = len(frequencies), len(positions)
    picture = new_picture(
        CELL * columns + 60,
        CELL * rows + 50,
        alt=_alt(positions, rows, offset),
        nrows=rows,
        ncols=columns,
    )
    for cell, axes in enumerate(picture.axes):
        row, column = divmod(cell, columns)
        position, theta = positions[column], float(frequencies[row])
        _clock(axes)
        if offset is None:
            _arc(axes, 0, position * theta, BLUE)
            _hand(axes, position * theta, BLUE)
            _say(axes, f"({np.sin(position * theta):.4f}, {np.cos(position * theta):.4f})".replace("-", "−"))
        else:
            start, end = position * theta, (position + offset) * theta
            _arc(axes, start, end, VERMILLION)
            _hand(axes, start, MUTED)
            _hand(axes, end, BLUE)
            _say(axes, rf"$k\theta_{{{row}}}$ = {offset * theta:.4g}", VERMILLION)
        if row == 0:
            moved = "" if offset is None else f" → {position + offset}"
            axes.set_title(f"$p$ = {position}{moved}", fontsize=14 * PX)
        if column == 0:
            axes.set_ylabel(rf"$\theta_{{{row}}}$ = {theta:.4g}", fontsize=14 * PX)
    return picture


def _alt(positions: Sequence[int], clocks: int, offset: int | None) -> Text:
    listed = ", ".join(map(str, positions))
    if offset is None:
        return Text(
            f"位置 {listed} 各有 {clocks} 只钟：越靠下，指针转得越慢。",
            f"{clocks} clocks for each of the positions {listed}: the lower down, the slower the hand.",
        )
    return Text(
        f"位置 {listed} 各有 {clocks} 只钟，指针再走 {offset} 步：同一行里转过的角度都一样。",
        f"{clocks} clocks for each of the positions {listed}, moved on by {offset}: "
        "within a row every hand turns by the same angle.",
    )


def _clock(axes: Axes) -> None:
    axes.add_patch(Circle((0, 0), 1, facecolor="white", edgecolor=MUTED, linewidth=1.2 * PX))
    for hour in range(0, 12, 3):
        x, y = np.sin(hour * np.pi / 6), np.cos(hour * np.pi / 6)
        axes.plot([0.92 * x, x], [0.92 * y, y], color=MUTED, linewidth=PX)
    axes.set(xlim=(-1.12, 1.12), ylim=(-1.5, 1.12), aspect="equal")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set_visible(False)


def _hand(axes: Axes, angle: float, color: str) -> None:
    x, y = np.sin(angle), np.cos(angle)
    axes.plot([0, x], [0, y], color=color, linewidth=2.6 * PX, solid_capstyle="round", zorder=3)
    axes.plot([x], [y], "o", color=color, markersize=7 * PX, zorder=3)
    axes.plot([0], [0], "o", color=INK, markersize=4 * PX, zorder=4)


def _arc(axes: Axes, start: float, end: float, color: str) -> None:
    """Draw the sector from ``start`` to ``end``; after a full turn, the whole disc."""
    sweep = np.linspace(start, min(end, start + 2 * np.pi), 120)
    edge = 0.6 if color == VERMILLION else 1.0
    axes.fill(
        np.concatenate([[0], edge * np.sin(sweep)]),
        np.concatenate([[0], edge * np.cos(sweep)]),
        color=color if end > start else GRID,
        alpha=0.16,
        linewidth=0,
    )
    if color == VERMILLION:
        axes.plot(edge * np.sin(sweep), edge * np.cos(sweep), color=color, linewidth=2 * PX)


def _say(axes: Axes, words: str, color: str = INK) -> None:
    axes.text(0, -1.32, words, ha="center", va="center", fontsize=11.5 * PX, color=color)
