"""A learned position table: the similarity of its rows, where they attend, which rows training moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.colors import Colormap
from matplotlib.ticker import PercentFormatter

from posenc_lessons.figures.axis_names import KEY_N, QUERY_M
from posenc_lessons.figures.colors import BLUE, GREEN, INK, MUTED, PAPER, SKY, VERMILLION
from posenc_lessons.figures.line_names import names_above
from posenc_lessons.figures.style import DIVERGING, PX, SEQUENTIAL, Picture, new_picture, new_row, styled
from posenc_lessons.language import Text, current

POSITION = Text("位置", "position")


@dataclass(frozen=True)
class Square:
    """``values`` [L, L] with one row and one column for each position, and their name.

    With ``are_weights`` they lie between 0 and 1, otherwise around 0.
    """

    title: Text
    values: np.ndarray
    are_weights: bool = False


@styled()
def largest_scores_figure(squares: Sequence[Square], n_back: int) -> Picture:
    """Draw scores or weights [L, L] under a causal mask, with a dot on the largest of each row.

    A line marks ``n_back`` steps back; the text below says in how many rows the dot is on this line. Rows
    before ``n_back`` cannot look so far back and do not count.
    """
    says = Text("在注意谁：{titles}。", "What each position attends to: {titles}.")
    picture = _side_by_side(squares, 400 if current() == "both" else 362, says)
    for axes, square in zip(picture.axes, squares, strict=True):
        size = len(square.values)
        seen = np.where(np.tri(size, dtype=bool), square.values, np.nan)
        colors, limits = _scale(square, np.nanmax(np.abs(seen)))
        axes.imshow(seen, cmap=colors, vmin=limits[0], vmax=limits[1], aspect="equal")
        rows = np.arange(size)
        best = np.nanargmax(seen, axis=1)
        axes.plot([0, size - 1 - n_back], [n_back, size - 1], color=GREEN, lw=1.6 * PX)
        axes.plot(best, rows, "o", ms=4.4 * PX, color=INK, mec=PAPER, mew=0.7 * PX)
        hits = int(((rows - best) == n_back)[n_back:].sum())
        counted = Text("{hits}/{rows} 行的点落在 −{n} 线上", "{hits} of {rows} dots on the −{n} line")
        below = counted.format(hits=hits, rows=size - n_back, n=n_back)
        axes.set_xlabel("\n".join([KEY_N.show(), below.show(between="\n")]))
    picture.axes[0].set_ylabel(QUERY_M.show())
    return picture


@styled()
def row_similarity_figure(squares: Sequence[Square]) -> Picture:
    """Draw the cosine similarity [L, L] between the rows of tables, from −1 to 1, one scale for all."""
    says = Text("行与行的相似度：{titles}。", "Similarity between rows: {titles}.")
    picture = _side_by_side(squares, 348 if current() == "both" else 326, says)
    axes_of_squares = list(picture.axes)
    for axes, square in zip(axes_of_squares, squares, strict=True):
        image = axes.imshow(square.values, cmap=DIVERGING, vmin=-1, vmax=1, aspect="equal")
        axes.set_xlabel(POSITION.show())
    axes_of_squares[0].set_ylabel(POSITION.show())
    picture.colorbar(image, ax=axes_of_squares, shrink=0.8, pad=0.02, ticks=[-1, 0, 1])
    return picture


@dataclass(frozen=True)
class Waves:
    """``shares`` [n]: the share of a table in waves of 1, 2, … n cycles from the first row to the last."""

    title: Text
    shares: np.ndarray


@styled()
def waves_figure(waves: Sequence[Waves], n_rows: int) -> Picture:
    """Draw the shares as bars, with one scale for all. Labels at tall bars give their rows per cycle."""
    says = Text("表由哪些波组成：{titles}。", "Which waves a table is made of: {titles}.")
    picture = _side_by_side(waves, 268 if current() == "both" else 250, says)
    highest = max(float(one.shares.max()) for one in waves)
    for axes, one in zip(picture.axes, waves, strict=True):
        cycles = np.arange(1, len(one.shares) + 1)
        tallest = int(one.shares.argmax())
        stands_out = one.shares[tallest] > 2 * one.shares.mean()
        colors = [VERMILLION if stands_out and i == tallest else BLUE for i in range(len(cycles))]
        axes.bar(cycles, one.shares, color=colors, width=0.75)
        if stands_out:
            period = Text("周期 {rows:.1f} 行", "{rows:.1f} rows a cycle").format(
                rows=n_rows / cycles[tallest]
            )
            words = period.show(between="\n")
            middle = min(max(float(cycles[tallest]), 4.2), len(cycles) - 3.2)
            axes.text(middle, one.shares[tallest] + 0.02 * highest, words, ha="center", va="bottom")
        axes.set_xlabel(Text("全表几个周期", "cycles in the table").show())
        axes.set(xlim=(0.3, len(cycles) + 0.7), ylim=(0, highest * 1.3))
        axes.set_xticks([1, *range(5, len(cycles) + 1, 5)])
        axes.set_yticks(np.arange(0, highest, 0.1 if highest < 0.5 else 0.2))
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    picture.axes[0].set_ylabel(Text("占多少", "share").show())
    return picture


@styled()
def rows_moved_figure(
    moved: np.ndarray,
    accuracy: np.ndarray,
    trained_length: int,
    guessing: float,
) -> Picture:
    """Draw for each position how far training moved the row [max_len], and the accuracy [max_len].

    ``accuracy`` is NaN where there is no answer; ``guessing`` is the accuracy of guessing.
    """
    picture = new_picture(
        820,
        380,
        alt=Text(
            "上：训练时用过的位置，行都动了；没用过的一动不动。下：没用过的位置，准确率掉到随机猜测。",
            "Above: rows of positions seen in training moved, the others not at all. Below: at positions "
            "never seen, accuracy falls to guessing.",
        ),
        nrows=2,
        sharex=True,
    )
    above, below = picture.axes
    places = np.arange(len(moved))
    seen = places < trained_length
    for axes, heights in ((above, moved), (below, accuracy)):
        axes.bar(places[seen], heights[seen], color=BLUE, width=0.8)
        axes.bar(places[~seen], heights[~seen], color=VERMILLION, width=0.8)
        axes.axvline(trained_length - 0.5, color=MUTED, lw=1 * PX, linestyle="--")
        axes.axvspan(trained_length - 0.5, len(moved) - 0.5, color=VERMILLION, alpha=0.06, lw=0)
    below.axhline(guessing, color=MUTED, lw=1.2 * PX, linestyle=":")
    if not seen.all():
        middle = (trained_length + len(moved) - 1) / 2
        never = Text("训练时从没见过", "never seen in training").show(between="\n")
        above.text(middle, float(np.max(moved)) * 0.5, never, ha="center", va="center", color=VERMILLION)
    above.set_title(Text("每一行离出发点多远", "how far each row moved").show())
    below.set_title(
        Text(
            "每个位置答对的比例（点线：瞎猜）", "share of right answers by position (dotted: guessing)"
        ).show()
    )
    below.set(ylim=(0, 1.05), xlim=(-0.7, len(moved) - 0.3))
    below.set_xlabel(POSITION.show())
    return picture


@styled()
def stretched_feature_figure(old: np.ndarray, new: np.ndarray) -> Picture:
    """Draw a feature of a table, [old_len] and stretched to [new_len]: the new dots lie on the old line."""
    picture = new_picture(
        760,
        300,
        alt=Text(
            "一列特征的折线：新表的点都落在旧表的折线上，只是更密，首尾两点不动。",
            "One feature as a line: the dots of the new table lie on the old line, only closer together; "
            "the first and the last stay.",
        ),
    )
    (axes,) = picture.axes
    places = np.linspace(0, len(old) - 1, len(new))
    axes.plot(np.arange(len(old)), old, "-", color=SKY, lw=1.4 * PX)
    olds = Text("旧表，{n} 行", "old table, {n} rows").format(n=len(old)).show()
    news = Text("新表，{n} 行", "new table, {n} rows").format(n=len(new)).show()
    axes.plot(np.arange(len(old)), old, "o", ms=9 * PX, mfc="none", mec=BLUE, label=olds)
    axes.plot(places, new, "o", ms=4.5 * PX, color=VERMILLION, mew=0, label=news)
    axes.set_xlabel(Text("旧表里的位置", "position in the old table").show())
    axes.set_ylabel(Text("一个特征的值", "one feature").show())
    names_above(axes)
    return picture


def _side_by_side(panels: Sequence[Square | Waves], height: float, says: Text) -> Picture:
    titles = (panel.title for panel in panels)
    return new_row(min(50 + 285 * len(panels), 920), height, says, titles, sharey=True)


def _scale(square: Square, largest: float) -> tuple[Colormap, tuple[float, float]]:
    return (SEQUENTIAL, (0.0, 1.0)) if square.are_weights else (DIVERGING, (-largest, largest))
