"""Masks as boolean matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc_lessons.figures.colors import BLUE, INK, MUTED
from posenc_lessons.figures.shapes import EDGE, mixed, write
from posenc_lessons.figures.style import PX, Picture, drawable, new_drawing, styled
from posenc_lessons.language import BilingualValueError, Text, current

CELL = 34
LEFT, TOP, BOTTOM, GAP = 74, 106, 54, 26  # room for words beside, above, for the legend, between matrices
SEEN, HIDDEN = mixed(BLUE, 0.55), (0.95, 0.955, 0.96)
PADDING = "□"

KEY = Text("被看的（键）", "looked at (key)")
QUERY = Text("在看的（查询）", "looking (query)")


@dataclass(frozen=True)
class Mask:
    """``may_look`` [Lq, Lk] (bool): row = the token that looks, column = the token looked at.

    ``queries`` and ``keys`` name the tokens; long names are cut. The name "□" is padding, drawn pale.
    """

    title: Text
    may_look: np.ndarray
    queries: Sequence[str]
    keys: Sequence[str]


@styled()
def masks_figure(masks: Sequence[Mask]) -> Picture:
    """Draw ``masks`` side by side: a blue T where a query may look, F elsewhere.

    Raises ValueError if a mask is not boolean or its names do not fit.
    """
    for mask in masks:
        _check(mask)
    rows = max(len(mask.queries) for mask in masks)
    widths = [LEFT + CELL * len(mask.keys) + GAP for mask in masks]
    picture = new_drawing(sum(widths) + 12, TOP + CELL * rows + BOTTOM, _alt(masks))
    (axes,) = picture.axes
    left = 12.0
    for number, (mask, width) in enumerate(zip(masks, widths, strict=True)):
        _draw_mask(axes, left + LEFT, mask)
        if number == 0:
            middle = TOP + CELL * len(mask.queries) / 2
            words = QUERY.show(between="\n")
            axes.text(24, middle, words, fontsize=12 * PX, rotation=90, ha="center", va="center", color=MUTED)
        left += width
    _draw_legend(axes, TOP + CELL * rows + 30, sum(widths) / 2)
    return picture


def _check(mask: Mask) -> None:
    shape = (len(mask.queries), len(mask.keys))
    if mask.may_look.dtype != bool or mask.may_look.shape != shape:
        raise BilingualValueError(
            f"may_look 必须是 bool {list(shape)}，每个查询一行、每个键一列，收到 "
            f"{mask.may_look.dtype} {list(mask.may_look.shape)}",
            f"may_look must be bool {list(shape)}, one row a query, one column a key; got "
            f"{mask.may_look.dtype} {list(mask.may_look.shape)}",
        )


def _alt(masks: Sequence[Mask]) -> Text:
    def said(names: list[str], comma: str) -> str:
        shares = (f"{int(mask.may_look.sum())}/{mask.may_look.size}" for mask in masks)
        return comma.join(f"{name} {share}" for name, share in zip(names, shares, strict=True))

    return Text(
        f"掩码矩阵，True 的格子占几个：{said([mask.title.zh for mask in masks], '，')}。",
        f"Mask matrices and how many cells are True: {said([mask.title.en for mask in masks], ', ')}.",
    )


def _draw_mask(axes: Axes, left: float, mask: Mask) -> None:
    columns = len(mask.keys)
    middle = left + CELL * columns / 2
    both = current() == "both"
    write(axes, middle, 18 if both else 28, mask.title.show(between="\n"), 14)
    write(axes, middle, 62, KEY.show(), 12, MUTED)
    for column, name in enumerate(mask.keys):
        color = MUTED if name == PADDING else INK
        write(axes, left + CELL * (column + 0.5), TOP - 15, drawable(_short(name, 4)), 14, color)
    for row, name in enumerate(mask.queries):
        color = MUTED if name == PADDING else INK
        y = TOP + CELL * (row + 0.5)
        axes.text(
            left - 10, y, drawable(_short(name, 6)), fontsize=14 * PX, color=color, ha="right", va="center"
        )
        for column in range(columns):
            seen = bool(mask.may_look[row, column])
            corner = (left + CELL * column, TOP + CELL * row)
            fill = SEEN if seen else HIDDEN
            axes.add_patch(Rectangle(corner, CELL, CELL, fc=fill, ec=EDGE, lw=0.8 * PX))
            write(axes, corner[0] + CELL / 2, y, "T" if seen else "F", 12, INK if seen else MUTED)


def _short(name: str, longest: int) -> str:
    return name if len(name) <= longest else name[: longest - 1] + "…"


def _draw_legend(axes: Axes, y: float, middle: float) -> None:
    entries = (
        (SEEN, Text("T（True）：可以看", "T (True): may look")),
        (HIDDEN, Text("F（False）：看不到", "F (False): hidden")),
    )
    room = 270 if current() == "both" else 170
    for place, (fill, words) in enumerate(entries):
        x = middle + room * (place - 1) + 20
        axes.add_patch(Rectangle((x, y - 8), 16, 16, fc=fill, ec=EDGE, lw=0.8 * PX))
        axes.text(x + 24, y, words.show(), fontsize=12 * PX, ha="left", va="center")
