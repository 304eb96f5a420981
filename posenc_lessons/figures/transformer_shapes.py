"""Pictures of the shapes in a Transformer: from tokens to logits, and the splitting into heads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc_lessons.figures.colors import BLUE, CYCLE, MUTED, PAPER, PURPLE, VERMILLION
from posenc_lessons.figures.shapes import EDGE, Color, arrow, box, mixed, write
from posenc_lessons.figures.style import PX, Picture, new_drawing, styled
from posenc_lessons.language import BilingualValueError, Text, current

WIDTH, STATION, ROW = 940, 150, 232  # CSS pixels: width of picture and step, height of a row of steps
LEFT, TOP = 20, 20
BODY = 134  # from the top of a row to the middle of its tensor
TALL, WIDE, NARROW = 62, 82, 12  # of a tensor: height, largest and smallest width
BEHIND = 6  # from one sheet of a stack to the next
MOST_SHEETS = 4
INSIDE = "#F5F7F9"
PLAIN, HEADS = BLUE, CYCLE

LAYER = Text("一层（重复 N 次）", "one layer (N of them)")


@dataclass(frozen=True)
class Tensor:
    """One step: the operation, and the tensor's shape in letters and in numbers."""

    name: Text
    how: str  # in code or as a formula
    letters: str
    sizes: tuple[int, ...]


def transformer_tensors(
    batch: int, length: int, d_model: int, n_heads: int, d_feed: int, vocab_size: int
) -> tuple[Tensor, ...]:
    """Return the twelve steps from tokens to logits, with one layer of a decoder-only model (or encoder)."""
    d_head = d_model // n_heads
    stream, heads = (batch, length, d_model), (batch, n_heads, length, d_head)
    square = (batch, n_heads, length, length)
    steps = (
        (Text("词元", "tokens"), "", "B, L", (batch, length)),
        (Text("嵌入（＋位置）", "embedded (+ position)"), r"embed$\times\sqrt{d}$", "B, L, d", stream),
        (Text("查询、键、值", "query, key, value"), r"$W_q,\ W_k,\ W_v$", "B, L, d", stream),
        (Text("拆成 h 个头", "split into h heads"), "unflatten, transpose", "B, h, L, d_head", heads),
        (Text("分数", "scores"), r"$q k^\top/\sqrt{d_{head}}$", "B, h, Lq, Lk", square),
        (Text("权重（先加掩码）", "weights (masked first)"), "softmax(dim=-1)", "B, h, Lq, Lk", square),
        (Text("每个头的输出", "output of each head"), r"weights $\cdot\ v$", "B, h, L, d_head", heads),
        (Text("把头拼回来", "heads joined"), r"transpose, flatten, $W_o$", "B, L, d", stream),
        (Text("残差与归一化", "add & norm"), r"$x$ + attention", "B, L, d", stream),
        (Text("前馈：先变宽", "feed-forward: wider"), r"$W_1$, ReLU", "B, L, f", (batch, length, d_feed)),
        (Text("前馈：再变回来", "feed-forward: back"), r"$x$ + $W_2(\ldots)$", "B, L, d", stream),
        (
            Text("logits（每个词的分数）", "logits"),
            r"$W_{\mathrm{vocab}}$",
            "B, L, V",
            (batch, length, vocab_size),
        ),
    )
    return tuple(Tensor(*step) for step in steps)


@styled()
def transformer_shapes_figure(
    batch: int = 2,
    length: int = 6,
    d_model: int = 32,
    n_heads: int = 4,
    d_feed: int = 128,
    vocab_size: int = 12,
) -> Picture:
    """Draw every tensor from tokens to logits with its shape in letters and in numbers.

    A sheet has a row for each token, and its width grows with the number of features. Sheets behind each
    other are the batch or, if there are heads, the heads of one sequence. Raises ValueError if ``n_heads``
    does not divide ``d_model``.
    """
    if d_model % n_heads:
        raise BilingualValueError(
            f"n_heads 必须整除 d_model，收到 d_model={d_model}，n_heads={n_heads}",
            f"n_heads must divide d_model; got d_model={d_model}, n_heads={n_heads}",
        )
    tensors = transformer_tensors(batch, length, d_model, n_heads, d_feed, vocab_size)
    rows = -(-len(tensors) // 6)
    picture = new_drawing(WIDTH, TOP + ROW * rows + 8, _alt(tensors))
    (axes,) = picture.axes
    widest = max(tensor.sizes[-1] for tensor in tensors if len(tensor.sizes) > 2)
    box(axes, (LEFT + 2 * STATION - 4, TOP), (4 * STATION + 8, ROW - 10), INSIDE, mixed(VERMILLION, 0.35))
    box(axes, (LEFT - 4, TOP + ROW), (5 * STATION + 2, ROW - 10), INSIDE, mixed(VERMILLION, 0.35))
    for number, tensor in enumerate(tensors):
        row, column = divmod(number, 6)
        x, y = LEFT + STATION * (column + 0.5), TOP + ROW * row
        _draw_station(axes, x, y, tensor, widest)
        if number:
            arrow(axes, (x - STATION / 2 - 11, y + BODY), (x - STATION / 2 + 11, y + BODY))
        if column == 5 and number + 1 < len(tensors):  # continued in the next row
            arrow(axes, (x + STATION / 2 - 11, y + BODY), (x + STATION / 2 + 11, y + BODY))
    write(axes, LEFT + 4 * STATION, TOP, LAYER.show(), 12, VERMILLION, fill=PAPER)
    return picture


def _alt(tensors: tuple[Tensor, ...]) -> Text:
    def said(names: list[str], and_then: str) -> str:
        shapes = (f"[{', '.join(map(str, tensor.sizes))}]" for tensor in tensors)
        return and_then.join(f"{name} {shape}" for name, shape in zip(names, shapes, strict=True))

    return Text(
        f"从词元到 logits，每一步的形状：{said([t.name.zh for t in tensors], '，')}。",
        f"The shape at every step from tokens to logits: {said([t.name.en for t in tensors], ', ')}.",
    )


def _draw_station(axes: Axes, x: float, y: float, tensor: Tensor, widest: int) -> None:
    for line, words in enumerate(tensor.name.show(between="\n").split("\n")):
        write(axes, x, y + 20 + 16 * line, words, 13)
    write(axes, x, y + 58, tensor.how, 12, MUTED)
    _draw_tensor(axes, x, y + BODY, tensor.sizes, widest)
    write(axes, x, y + BODY + 58, f"[{tensor.letters}]", 13)
    write(axes, x, y + BODY + 76, f"[{', '.join(map(str, tensor.sizes))}]", 13, MUTED)


def _draw_tensor(axes: Axes, x: float, y: float, sizes: tuple[int, ...], widest: int) -> None:
    """Draw sheets of [rows, columns] behind each other; each head has its colour."""
    with_heads = len(sizes) == 4
    sheets = min(sizes[1] if with_heads else sizes[0], MOST_SHEETS) if len(sizes) > 2 else 1
    rows, columns = sizes[-2:]
    square = with_heads and rows == columns
    height = TALL if len(sizes) > 2 else min(TALL, 13 * rows)
    width = TALL if square or len(sizes) == 2 else _width(columns, widest)
    for sheet in reversed(range(sheets)):
        color = HEADS[sheet % len(HEADS)] if with_heads else PLAIN
        shift = BEHIND * (sheet - (sheets - 1) / 2)
        corner = (x - width / 2 + shift, y - height / 2 - shift)
        lines = (rows, columns if square or len(sizes) == 2 else 1)
        _draw_sheet(axes, corner, (width, height), lines, color, MOST_SHEETS - sheet)


def _width(columns: int, widest: int) -> float:
    """Return a width that grows with ``columns``, but not in proportion: 8 and 512 must both be visible."""
    return max(NARROW, WIDE * (columns / widest) ** 0.6)


def _draw_sheet(
    axes: Axes,
    corner: tuple[float, float],
    size: tuple[float, float],
    cells: tuple[int, int],
    color: str,
    nearness: int,
) -> None:
    """Draw a rectangle divided into (rows, columns) if these are wide enough to be seen.

    A sheet hides those with less ``nearness``.
    """
    (left, top), (width, height), (rows, columns) = corner, size, cells
    face, line = mixed(color, 0.22), mixed(color, 0.75)
    axes.add_patch(Rectangle(corner, width, height, fc=face, ec=line, lw=1.2 * PX, zorder=2 + nearness))
    if height / rows >= 4:
        for y in top + height / rows * np.arange(1, rows):
            axes.plot([left, left + width], [y, y], color=line, lw=0.7 * PX, zorder=2 + nearness)
    if width / columns >= 4:
        for x in left + width / columns * np.arange(1, columns):
            axes.plot([x, x], [top, top + height], color=line, lw=0.7 * PX, zorder=2 + nearness)


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
        int(value): mixed(HEADS[feature * n_heads // d_model % len(HEADS)], 0.12 + 0.5 * token / last)
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
