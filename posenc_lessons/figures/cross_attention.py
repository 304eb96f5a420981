"""Whom each written token looked at in the source: attention weights with the tokens beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.layout_engine import ConstrainedLayoutEngine

from posenc_lessons.figures.style import DPI, PX, SEQUENTIAL, Picture, drawable, new_picture, styled
from posenc_lessons.language import Text, joined

CELL, ROOM = 21, 58  # CSS pixels: a cell, and the room for a row of letters with a label

SOURCE = Text("读的（键）", "read (keys)")
TARGET = Text("写的（查询）", "written (queries)")


@dataclass(frozen=True)
class Looks:
    """``weights`` [T, S]: a row for each token written, a column for each read, named by the other two."""

    title: Text
    weights: np.ndarray
    target: Sequence[str]
    source: Sequence[str]


@styled()
def cross_attention_figure(looks: Sequence[Looks]) -> Picture:
    """Maps of weights from 0 (white) to 1 side by side, and a colour bar."""
    rows = max(len(look.target) for look in looks)
    columns = max(len(look.source) for look in looks)
    picture = new_picture(
        len(looks) * (columns * CELL + ROOM) + 74,
        rows * CELL + ROOM + 56,
        alt=Text(
            "写每个词元时在看原文的哪里：{titles}。",
            "Where in the source each written token looked: {titles}.",
        ).format(titles=joined(look.title for look in looks)),
        ncols=len(looks),
    )
    engine = picture.get_layout_engine()
    assert isinstance(engine, ConstrainedLayoutEngine)
    engine.set(w_pad=6 / DPI, h_pad=4 / DPI)
    for number, (axes, look) in enumerate(zip(picture.axes, looks, strict=True)):
        image = axes.imshow(look.weights, cmap=SEQUENTIAL, vmin=0, vmax=1, aspect="equal")
        axes.set_title(look.title.show(between="\n"), fontsize=13 * PX)
        axes.grid(False)
        axes.tick_params(length=0)
        axes.set_xticks(range(len(look.source)), [drawable(token) for token in look.source])
        axes.set_yticks(range(len(look.target)), [drawable(token) for token in look.target])
        axes.set_xlabel(SOURCE.show(between="\n"))
        if number == 0:
            axes.set_ylabel(TARGET.show(between="\n"))
    picture.colorbar(image, ax=picture.axes, shrink=0.8, aspect=18)
    return picture
