"""How a tensor is split into heads and joined again, number by number."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc_lessons.figures.colors import CYCLE, MUTED, PURPLE
from posenc_lessons.figures.shapes import EDGE, Color, arrow, mixed, write
from posenc_lessons.figures.style import PX, Picture, new_drawing, styled
from posenc_lessons.language import Text, current

CELL = (28, 28)
SHEET_GAP, SIDE, ARROW = 16, 38, 146  # the room between matrices, for row numbers, and for an arrow
HEAD_NAME = 46  # room for the name of a head


@styled()
def heads_split_figure(
    features: np.ndarray,
    heads: np.ndarray,
    joined: np.ndarray,
    split_by: str = "unflatten\ntranspose(1, 2)",
    join_by: str = "transpose(1, 2)\nflatten(2)",
) -> Picture:
    """Draw how [L, d] is split into a matrix for each head and joined again, number by number.

    ``features`` [L, d] holds the numbers 0 … L·d−1 in order; ``heads`` [h, L, d_head] and ``joined`` [L, d]
    are the results of the lesson's code. A number has the colour of its column's head and the shade of its
    token, so a split that mixes up tokens or features is visible. ``split_by`` and ``join_by`` are the code
    above the arrows, "\\n" between lines.
    """
    length, d_model = features.shape
    n_heads = len(heads)
    rows = max(n_heads * length * CELL[1] + (n_heads - 1) * SHEET_GAP, length * CELL[1])
    width = SIDE + (2 * d_model + heads.shape[2]) * CELL[0] + 2 * ARROW + HEAD_NAME + 12
    height = 64 + rows + 20
    colors = _number_colors(features, n_heads)
    picture = new_drawing(width, height, _heads_alt(features, heads, joined))
    (axes,) = picture.axes
    middle = 64 + rows / 2
    left, top = SIDE, middle - length * CELL[1] / 2
    _draw_numbers(axes, (left, top), features, colors)
    _name_rows(axes, (left, top), length)
    _caption(axes, left, d_model, f"[L, d] = [{length}, {d_model}]", top)
    left += d_model * CELL[0]
    _labelled_arrow(axes, left, middle, split_by)
    left += ARROW
    step = length * CELL[1] + SHEET_GAP
    for head, values in enumerate(heads):
        _draw_numbers(axes, (left, 64 + step * head), values, colors)
        _name_rows(axes, (left, 64 + step * head), length)
        name = Text("头 {n}", "head {n}").format(n=head)
        y = 64 + step * head + length * CELL[1] / 2
        lower = y - (8 if current() == "both" else 0)
        write(axes, left + values.shape[1] * CELL[0] + 28, lower, name.show(between="\n"), 12)
    _caption(axes, left, heads.shape[2], f"[h, L, d_head] = {list(heads.shape)}", 64)
    left += heads.shape[2] * CELL[0] + HEAD_NAME
    _labelled_arrow(axes, left - 8, middle, join_by)
    left += ARROW
    _draw_numbers(axes, (left, top), joined, colors)
    _caption(axes, left, d_model, f"[L, d] = {list(joined.shape)}", top)
    return picture


def _heads_alt(features: np.ndarray, heads: np.ndarray, joined: np.ndarray) -> Text:
    length, d_model = features.shape
    same = np.array_equal(features, joined)
    mixed_up = not np.array_equal(heads, features.reshape(length, len(heads), -1).swapaxes(0, 1))
    return Text(
        "{length}×{d} 的矩阵拆成 {h} 个头再拼回来：{split}，{joined}。",
        "A {length}×{d} matrix split into {h} heads and joined again: {split_en}, {joined_en}.",
    ).format(
        length=length,
        d=d_model,
        h=len(heads),
        split="头里混进了别的词元或特征" if mixed_up else "每个头得到自己那几列",
        joined="拼回来和原来一样" if same else "拼回来和原来不一样",
        split_en="tokens or features are mixed up in the heads" if mixed_up else "each head gets its columns",
        joined_en="and the result is the matrix itself" if same else "and the result is another matrix",
    )


def _number_colors(features: np.ndarray, n_heads: int) -> dict[int, Color]:
    """Return for each number its head's colour in the shade of its token."""
    last, d_model = max(len(features) - 1, 1), features.shape[1]
    return {
        int(value): mixed(CYCLE[feature * n_heads // d_model % len(CYCLE)], 0.12 + 0.5 * token / last)
        for (token, feature), value in np.ndenumerate(features)
    }


def _draw_numbers(
    axes: Axes, corner: tuple[float, float], values: np.ndarray, colors: Mapping[int, Color]
) -> None:
    for (row, column), value in np.ndenumerate(values):
        x, y = corner[0] + CELL[0] * column, corner[1] + CELL[1] * row
        axes.add_patch(Rectangle((x, y), *CELL, fc=colors[int(value)], ec=EDGE, lw=0.8 * PX))
        write(axes, x + CELL[0] / 2, y + CELL[1] / 2, str(int(value)), 13)


def _name_rows(axes: Axes, corner: tuple[float, float], rows: int) -> None:
    for row in range(rows):
        write(axes, corner[0] - 16, corner[1] + CELL[1] * (row + 0.5), str(row), 12, MUTED)


def _caption(axes: Axes, left: float, columns: int, words: str, top: float) -> None:
    write(axes, left + columns * CELL[0] / 2, top - 18, words, 13)


def _labelled_arrow(axes: Axes, left: float, y: float, words: str) -> None:
    write(axes, left + ARROW / 2 - 12, y - 17 * (words.count("\n") + 1), words, 12, MUTED)
    arrow(axes, (left + 12, y), (left + ARROW - 38, y), PURPLE, 2)
