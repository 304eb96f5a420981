"""Exercises of lesson 03 on other sizes: a table stretched, a grid resized."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.solutions import learned as solutions
from posenc_lessons.language import Text

# --- stretching a table --------------------------------------------------------------------------------


def _tables() -> Iterator[tuple[Tensor, int]]:
    for old_len, width, new_len in (
        (4, 3, 6),
        (3, 2, 5),
        (5, 2, 3),
        (4, 4, 4),
        (2, 3, 7),
        (5, 3, 2),
        (14, 2, 61),
    ):
        yield random_numbers(old_len, width, seed=old_len), new_len


STRETCH = Exercise(
    solutions.stretch,
    questions=_tables,
    praise=Text(
        "对。首尾两行原样保留，中间均匀拉开，变长变短都行。",
        "Right. First and last row stay as they were, the rest is spread evenly, longer or shorter.",
    ),
    changed=CHANGED,
)


def _places(table: Tensor, new_len: int) -> Tensor:
    """Return where the new rows lie among the old, ends kept."""
    return torch.arange(new_len) * (len(table) - 1) / (new_len - 1)


def _mixed(table: Tensor, row: Tensor, other: Tensor, share: Tensor) -> Tensor:
    """Mix rows with others, by the share of the others."""
    return (1 - share)[:, None] * table[row] + share[:, None] * table[other]


STRETCH.mistake(
    "你只是挑了旧行（最近的、下面的，或者 F.interpolate 默认的 nearest），没有混合。线性插值要按远近混"
    "合上下两行。",
    "You only pick old rows (the nearest, the one below, or F.interpolate's default); nothing is mixed. "
    "Linear interpolation mixes the two rows around the place, by how near they are.",
)(
    lambda table, new_len: table[_places(table, new_len).round().long()],
    lambda table, new_len: table[_places(table, new_len).floor().long()],
    lambda table, new_len: F.interpolate(table.T[None], size=new_len)[0].T,
)
STRETCH.mistake(
    "首尾没有对齐：这是 align_corners=False 的结果，两头的几行变成了同一个值。第 0 行和最后一行要原样保留。",
    "The ends are not aligned: this is what align_corners=False gives, flat at both ends. The first and the "
    "last row should stay as they are.",
)(lambda table, new_len: F.interpolate(table.T[None], size=new_len, mode="linear")[0].T)


STRETCH.mistake(
    "给的是倍数（scale_factor）：61 / 14 乘回 14 是 60.99…，向下取整少了一行。给大小 size。",
    "You gave a factor (scale_factor): 61 / 14 times 14 is 60.99…, which is rounded down, and a row is "
    "missing. Give the size.",
)(
    lambda table, new_len: (
        F.interpolate(table.T[None], scale_factor=new_len / len(table), mode="linear", align_corners=True)[
            0
        ].T
    )
)


def _with_step(step: Callable[[int, int], float]) -> Answer:
    """Return the answer whose rows lie ``step(old_len, new_len)`` apart, the last row standing for more."""

    def stretched(table: Tensor, new_len: int) -> Tensor:
        places = torch.arange(new_len) * step(len(table), new_len)
        below = places.long().clamp(max=len(table) - 1)
        return _mixed(table, below, (below + 1).clamp(max=len(table) - 1), places - below)

    return stretched


STRETCH.mistake(
    "步长用了 old_len / new_len，最后一行没有保住。首尾对齐时是 (old_len − 1) / (new_len − 1)。",
    "The step is old_len / new_len, so the last row is not kept. With aligned ends it is (old_len − 1) / "
    "(new_len − 1).",
)(_with_step(lambda old_len, new_len: old_len / new_len))
STRETCH.mistake(
    "步长用了 old_len / (new_len − 1)，最后一行落到了表外。首尾对齐时是 (old_len − 1) / (new_len − 1)。",
    "The step is old_len / (new_len − 1), so the last row falls outside. With aligned ends it is "
    "(old_len − 1) / (new_len − 1).",
)(_with_step(lambda old_len, new_len: old_len / (new_len - 1)))
STRETCH.mistake(
    "你拉长的是特征，不是位置：形状成了 {shape}，应当是 [{new_len}, {width}]。F.interpolate 拉的是最后一维，"
    "先转置。",
    "You stretched the features, not the positions: the shape is {shape} where it should be [{new_len}, "
    "{width}]. F.interpolate stretches the last axis: transpose first.",
    width=lambda table, new_len: table.shape[1],
)(lambda table, new_len: F.interpolate(table[None], size=new_len, mode="linear", align_corners=True)[0])
STRETCH.mistake("上下颠倒了：第 0 行变成了最后一行。", "Upside down: the first row became the last.")(
    lambda table, new_len: solutions.stretch(table, new_len).flip(0)
)


@STRETCH.mistake(
    "两行的份额对调了：离得近的那一行应当份额大。",
    "The two shares are exchanged: the nearer row should have the larger share.",
)
def shares_exchanged(table: Tensor, new_len: int) -> Tensor:
    places = _places(table, new_len)
    below = places.long().clamp(max=len(table) - 2)
    return _mixed(table, below + 1, below, places - below)


STRETCH.mistake(
    "你保留了旧行，后面用别的补齐（重复整张表、最后一行，或者 0）。要把整张表均匀拉开。",
    "You keep the old rows and fill up the rest (with the table again, its last row, or zeros). Spread the "
    "whole table evenly instead.",
)(
    lambda table, new_len: table[torch.arange(new_len) % len(table)],
    lambda table, new_len: table[torch.arange(new_len).clamp(max=len(table) - 1)],
    lambda table, new_len: F.pad(table, (0, 0, 0, max(new_len - len(table), 0)))[:new_len],
)


# --- resizing a grid -----------------------------------------------------------------------------------


def _grids() -> Iterator[tuple[Tensor, int, int, int]]:
    for side, height, width in ((3, 5, 5), (4, 4, 4), (2, 3, 5), (5, 2, 3), (3, 1, 2), (14, 61, 61)):
        yield random_numbers(1 + side * side, 2, seed=side), side, height, width


RESIZE_GRID = Exercise(
    solutions.resize_grid,
    questions=_grids,
    praise=Text(
        "对。分类词元那一行没动，其余按图片的行列插值，61 × 61 块也一块不少。",
        "Right. The class token's row has not moved, the others are interpolated along the rows and columns "
        "of the picture, and of 61 × 61 patches none is missing.",
    ),
    changed=CHANGED,
)


def _resized(table: Tensor, side: int, **how: Any) -> Tensor:
    """Return the class token's row, then the square of ``side`` × ``side`` patches interpolated so."""
    square = table[1:].reshape(1, side, side, -1).permute(0, 3, 1, 2)  # [1, d, side, side]
    return torch.cat([table[:1], F.interpolate(square, **how).flatten(2)[0].T])


RESIZE_GRID.mistake(
    "分类词元的那一行不见了：第 0 行不是图片的一块，要原样放回最前面。",
    "The class token's row is missing: row 0 is not a patch of the picture, and has to go back in front.",
)(lambda table, side, height, width: solutions.resize_grid(table, side, height, width)[1:])
RESIZE_GRID.mistake(
    "分类词元的那一行也被插值了：第 0 行不是图片的一块，原样留下，只插值后面的。",
    "The class token's row was interpolated as well: row 0 is not a patch of the picture. Keep it and "
    "interpolate the others.",
)(
    lambda table, side, height, width: (
        F.interpolate(table.T[None], size=1 + height * width, mode="linear")[0].T
    )
)
RESIZE_GRID.mistake(
    "少了一行一列：你给的是倍数（scale_factor），61 / 14 乘回 14 是 60.99…，向下取整成了 60。给大小 size。",
    "A row and a column are missing: you gave a factor (scale_factor), and 61 / 14 times 14 is 60.99…, which "
    "is rounded down to 60. Give the size.",
)(lambda table, n, height, width: _resized(table, n, scale_factor=(height / n, width / n), mode="bilinear"))
RESIZE_GRID.mistake(
    "高和宽写反了：size=(height, width)，先行后列。",
    "Height and width are exchanged: size=(height, width), rows first.",
)(lambda table, side, height, width: solutions.resize_grid(table, side, width, height))


@RESIZE_GRID.mistake(
    "你把表直接 reshape 成了 [1, d, side, side]：特征和行列搅在一起了。先 [1, side, side, d]，再 permute。",
    "You reshaped the table to [1, d, side, side] at once, which mixes features with rows and columns. First "
    "[1, side, side, d], then permute.",
)
def reshaped_without_permuting(table: Tensor, side: int, height: int, width: int) -> Tensor:
    picture = table[1:].reshape(1, -1, side, side)
    resized = F.interpolate(picture, size=(height, width), mode="bilinear", align_corners=False)
    return torch.cat([table[:1], resized.reshape(height * width, -1)])


RESIZE_GRID.mistake(
    "插值以前的 reshape 错了：表的特征在最后一维，先 [1, side, side, d]，再 permute 成 [1, d, side, side]。",
    "The reshape before the interpolation is wrong: features are on the table's last axis, so take "
    "[1, side, side, d] first, then permute to [1, d, side, side].",
)(
    lambda table, side, height, width: torch.cat(
        [
            table[:1],
            F.interpolate(table[1:].reshape(1, -1, side, side), size=(height, width), mode="bilinear")
            .flatten(2)[0]
            .T,
        ]
    )
)
RESIZE_GRID.mistake(
    "插值是对的，变回行的时候错了：结果是 [1, d, height, width]，先把特征换到最后一维，再拉平。",
    "The interpolation is right, and going back to rows is wrong: the result is [1, d, height, width]; move "
    "the features to the last axis before you flatten.",
)(
    lambda table, side, height, width: torch.cat(
        [
            table[:1],
            F.interpolate(
                table[1:].reshape(1, side, side, -1).permute(0, 3, 1, 2),
                size=(height, width),
                mode="bilinear",
            ).reshape(height * width, -1),
        ]
    )
)
RESIZE_GRID.mistake(
    "角对齐了（align_corners=True）。这里按小块的中心对齐，用默认的 False。",
    "The corners are aligned (align_corners=True). Here the centres of patches are: use the default, False.",
)(lambda table, n, *size: _resized(table, n, size=size, mode="bilinear", align_corners=True))


@RESIZE_GRID.mistake(
    "这是把整张表当成一列来拉长：小块的上下邻居没有参与。要按行列插值。",
    "That stretches the whole table as one column, without a patch's neighbours above and below. "
    "Interpolate along rows and columns.",
)
def as_one_column(table: Tensor, side: int, height: int, width: int) -> Tensor:
    column = F.interpolate(table[1:].T[None], size=height * width, mode="linear")[0].T
    return torch.cat([table[:1], column])


RESIZE_GRID.mistake(
    "变大时都对，变小时不对：antialias=True 把更多的块混了进来。这里要的是普通的双线性插值。",
    "Right for larger grids and wrong for smaller ones: antialias=True mixes in more patches. Plain bilinear "
    "interpolation is wanted.",
)(lambda table, n, *size: _resized(table, n, size=size, mode="bilinear", antialias=True))
RESIZE_GRID.mistake(
    '这里要双线性插值，mode="bilinear"；你取了最近的一块（nearest 是默认值），或者用了双三次（bicubic）。',
    'Interpolate with mode="bilinear"; you take the nearest patch (the default) or use bicubic.',
)(
    lambda table, side, *size: _resized(table, side, size=size),
    lambda table, side, *size: _resized(table, side, size=size, mode="bicubic"),
)
