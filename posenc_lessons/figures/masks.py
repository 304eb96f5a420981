"""Masks as boolean matrices, and the trace of position that a causal mask leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.ticker import NullLocator

from posenc_lessons.figures.colors import BLUE, INK, MUTED, VERMILLION
from posenc_lessons.figures.line_names import names_in
from posenc_lessons.figures.shapes import EDGE, mixed, write
from posenc_lessons.figures.style import PX, Picture, drawable, new_drawing, new_picture, styled
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


@styled()
def mask_leak_figure(masked: np.ndarray, unmasked: np.ndarray) -> Picture:
    """Draw the mean square of attention's output at each position, [L] each, with and without a causal mask.

    A dashed line shows 1/(t+1), the variance of the mean of t+1 independent values of variance 1.
    """
    position = np.arange(len(masked))
    picture = new_picture(
        720,
        340,
        alt=Text(
            "有因果掩码时，输出的均方沿 1/(t+1) 随位置下降；没有掩码时，每个位置都一样。",
            "With a causal mask the mean square of the output falls along 1/(t+1); without, it is the same "
            "everywhere.",
        ),
    )
    (axes,) = picture.axes
    axes.plot(position, 1 / (position + 1), color=MUTED, linestyle="--", label="$1/(t+1)$")
    axes.plot(
        position,
        masked,
        "o",
        markersize=4,
        color=VERMILLION,
        label=Text("因果掩码", "causal mask").show(),
    )
    axes.plot(position, unmasked, "s", markersize=4, color=BLUE, label=Text("没有掩码", "no mask").show())
    axes.set(
        yscale="log",
        xlabel=Text("位置 $t$", "position $t$").show(),
        ylabel=Text("输出的均方", "mean square of the output").show(),
    )
    halvings = 2 ** np.arange(int(np.log2(len(masked))) + 1)
    axes.set_yticks(1 / halvings, ["1", *(f"1/{n}" for n in halvings[1:])])
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_title(
        Text("同样的随机词元，输出有多大", "The same random tokens: how large is the output?").show()
    )
    names_in(axes, "upper right")
    return picture
