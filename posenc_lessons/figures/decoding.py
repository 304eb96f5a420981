"""Training and decoding, step by step: the shifted target, the growing cache, the weights on the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Rectangle

from posenc_lessons.figures.colors import BLUE, GREEN, MUTED, ORANGE, PAPER, VERMILLION
from posenc_lessons.figures.shapes import EDGE, arrow, box, mixed, write
from posenc_lessons.figures.style import (
    DPI,
    PX,
    SEQUENTIAL,
    Picture,
    drawable,
    new_drawing,
    new_picture,
    styled,
)
from posenc_lessons.language import Text, current, joined

TOKEN = (58, 30)  # width and height of a token
GAP = 12
LEFT = 190  # room for the names of rows


@styled()
def shifted_target_figure(target: Sequence[str]) -> Picture:
    """Draw teacher forcing: the input is the target after <s>, the wanted output is the target before </s>.

    Under each wanted token stand the tokens that the causal mask lets the model see.
    """
    inputs, answers = ["<s>", *target], [*target, "</s>"]
    step = TOKEN[0] + GAP
    alt = Text(
        f"训练时输入 {' '.join(inputs)}，要的答案是 {' '.join(answers)}：每个位置答下一个词元。",
        f"In training {' '.join(inputs)} goes in and {' '.join(answers)} is wanted: each position answers "
        "with the next token.",
    )
    picture = new_drawing(LEFT + step * len(inputs) + 20, 118 + 20 * len(inputs), alt)
    (axes,) = picture.axes
    rows = (
        (30, Text("要的答案", "answers wanted"), answers, VERMILLION),
        (88, Text("输入", "input"), inputs, BLUE),
    )
    for y, name, tokens, color in rows:
        write(axes, LEFT / 2, y, name.show(), 13)
        for number, token in enumerate(tokens):
            _token(axes, LEFT + step * number, y, token, color)
    for number in range(len(inputs)):
        x = LEFT + step * number + TOKEN[0] / 2
        arrow(axes, (x, 72), (x, 46))
        if number + 1 < len(inputs):  # the wanted output of one place is the input of the next
            ends = [x + TOKEN[0] / 2, x + step - TOKEN[0] / 2]
            axes.plot(ends, [44, 74], linestyle=(0, (2, 3)), color=MUTED, linewidth=1.2 * PX)
    write(axes, LEFT / 2, 124, Text("看得见", "sees").show(), 13)
    for row in range(len(inputs)):
        for column in range(row + 1):
            corner = (LEFT + step * column, 116 + 20 * row)
            face = mixed(BLUE, 0.6 if row == column else 0.25)
            axes.add_patch(Rectangle(corner, TOKEN[0], 14, fc=face, ec="none"))
    return picture


@styled()
def growing_cache_figure(source: Sequence[str], steps: int = 4) -> Picture:
    """Draw one layer's two caches at each step: the self-attention cache grows by one, the source's stays."""
    cell, across = 18, 190
    alt = Text(
        f"写 {steps} 步：自注意力的缓存每步多一个键和值，从 1 到 {steps}；交叉注意力的缓存第一步就有原文的"
        f" {len(source)} 个，以后不变。",
        f"Writing {steps} steps: the cache of self-attention grows by one key and value a step, from 1 to "
        f"{steps}; that of cross-attention has the source's {len(source)} from the first step on and stays.",
    )
    picture = new_drawing(LEFT + across * steps + 10, 196, alt)
    (axes,) = picture.axes
    for y, name in ((64, Text("自注意力的缓存", "self-attention cache")),
                    (134, Text("交叉注意力的缓存", "cross-attention cache"))):  # fmt: skip
        write(axes, LEFT / 2, y, name.show(between="\n"), 12)
    for step in range(steps):
        x = LEFT + across * step
        write(axes, x + 75, 24, Text(f"第 {step + 1} 步", f"step {step + 1}").show(), 13)
        for row, (y, count) in enumerate(((64, step + 1), (134, len(source)))):
            for number in range(count):
                new = number == step if row == 0 else step == 0
                color = (ORANGE if row == 0 else GREEN) if new else MUTED
                face = mixed(color, 0.75 if new else 0.25)
                for part in (-1, 0):  # keys above, values below
                    corner = (x + 10 + (cell + 3) * number, y + (cell + 2) * part)
                    axes.add_patch(Rectangle(corner, cell, cell, fc=face, ec=EDGE, lw=0.8 * PX))
    legend = Text("彩色：这一步新算的键（上）和值（下）；灰色：存着的", "coloured: keys (above) and values "
                 "(below) computed in this step; grey: kept")  # fmt: skip
    write(axes, (LEFT + across * steps) / 2, 180, legend.show(), 11 if current() == "both" else 12, MUTED)
    return picture


def _token(axes: Axes, x: float, y: float, word: str, color: str) -> None:
    box(axes, (x, y - TOKEN[1] / 2), TOKEN, mixed(color, 0.15), mixed(color, 0.7))
    write(axes, x + TOKEN[0] / 2, y, word, 13, fill=None if word else PAPER)


@dataclass(frozen=True)
class SourceWeights:
    """``weights`` [T, S], with a row for each written token, a column for each source token, and names."""

    title: Text
    weights: np.ndarray
    target: Sequence[str]
    source: Sequence[str]


@styled()
def cross_attention_figure(maps: Sequence[SourceWeights]) -> Picture:
    """Draw maps of weights from 0 (white) to 1 side by side, and a colour bar."""
    cell, room = 21, 58  # CSS pixels: a cell, and the room for letters and a label
    rows = max(len(one.target) for one in maps)
    columns = max(len(one.source) for one in maps)
    picture = new_picture(
        len(maps) * (columns * cell + room) + 74,
        rows * cell + room + 56,
        alt=Text(
            "写每个词元时在看原文的哪里：{titles}。",
            "Where in the source each written token looked: {titles}.",
        ).format(titles=joined(one.title for one in maps)),
        ncols=len(maps),
    )
    engine = picture.get_layout_engine()
    assert isinstance(engine, ConstrainedLayoutEngine)
    engine.set(w_pad=6 / DPI, h_pad=4 / DPI)
    for number, (axes, one) in enumerate(zip(picture.axes, maps, strict=True)):
        image = axes.imshow(one.weights, cmap=SEQUENTIAL, vmin=0, vmax=1, aspect="equal")
        axes.set_title(one.title.show(between="\n"), fontsize=13 * PX)
        axes.set_xticks(range(len(one.source)), [drawable(token) for token in one.source])
        axes.set_yticks(range(len(one.target)), [drawable(token) for token in one.target])
        axes.set_xlabel(Text("读的（键）", "read (keys)").show(between="\n"))
        if number == 0:
            axes.set_ylabel(Text("写的（查询）", "written (queries)").show(between="\n"))
    picture.colorbar(image, ax=picture.axes, shrink=0.8, aspect=18)
    return picture
