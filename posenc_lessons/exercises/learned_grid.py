"""The exercise of lesson 03 on a picture's table: a grid of positions, resized for a larger picture."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn import functional

from posenc_lessons.exercises.exercise import CHANGED, Exercise
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.solutions import learned as solutions
from posenc_lessons.language import Text


def _grids() -> Iterator[tuple[Tensor, int, int, int]]:
    for side, height, width in ((3, 5, 5), (4, 4, 4), (2, 3, 5), (14, 61, 61)):
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


def _square(table: Tensor, side: int) -> Tensor:
    """The rows of the patches as a picture: [1, d, side, side]."""
    return table[1:].reshape(1, side, side, -1).permute(0, 3, 1, 2)


def _joined(table: Tensor, picture: Tensor) -> Tensor:
    return torch.cat([table[:1], picture.flatten(2)[0].T])


RESIZE_GRID.mistake(
    "分类词元的那一行也被插值了：第 0 行不是图片的一块，原样留下，只插值后面的。",
    "The class token's row was interpolated as well: row 0 is no patch of the picture. Keep it and "
    "interpolate the others.",
)(lambda table, old_side, height, width: solutions.resize_grid(table, old_side, height, width)[1:])


@RESIZE_GRID.mistake(
    "少了一行一列：你给的是倍数（scale_factor），61 / 14 乘回 14 是 60.99…，向下取整成了 60。给大小 size。",
    "A row and a column are missing: you gave a factor (scale_factor), and 61 / 14 times 14 is 60.99…, which "
    "is rounded down to 60. Give the size.",
)
def by_a_factor(table: Tensor, old_side: int, height: int, width: int) -> Tensor:
    factors = (height / old_side, width / old_side)
    return _joined(
        table, functional.interpolate(_square(table, old_side), scale_factor=factors, mode="bilinear")
    )


RESIZE_GRID.mistake(
    "高和宽写反了：size=(height, width)，先行后列。",
    "Height and width are exchanged: size=(height, width), rows first.",
)(lambda table, old_side, height, width: solutions.resize_grid(table, old_side, width, height))


@RESIZE_GRID.mistake(
    "你把表直接 reshape 成了 [1, d, side, side]：特征和行列搅在一起了。先 [1, side, side, d]，再 permute。",
    "You reshaped the table to [1, d, side, side] at once, which mixes features with rows and columns. First "
    "[1, side, side, d], then permute.",
)
def reshaped_without_permuting(table: Tensor, old_side: int, height: int, width: int) -> Tensor:
    picture = table[1:].reshape(1, -1, old_side, old_side)
    resized = functional.interpolate(picture, size=(height, width), mode="bilinear", align_corners=False)
    return torch.cat([table[:1], resized.reshape(height * width, -1)])


@RESIZE_GRID.mistake(
    "角对齐了（align_corners=True）。这里按小块的中心对齐，用默认的 False。",
    "The corners are aligned (align_corners=True). Here the centres of patches are: use the default, False.",
)
def with_corners_aligned(table: Tensor, old_side: int, height: int, width: int) -> Tensor:
    square = _square(table, old_side)
    return _joined(
        table, functional.interpolate(square, size=(height, width), mode="bilinear", align_corners=True)
    )


@RESIZE_GRID.mistake(
    "这是把整张表当成一列来拉长：小块的上下邻居没有参与。要按行列插值。",
    "That stretches the whole table as one column, without a patch's neighbours above and below. "
    "Interpolate along rows and columns.",
)
def as_one_column(table: Tensor, old_side: int, height: int, width: int) -> Tensor:
    column = functional.interpolate(table[1:].T[None], size=height * width, mode="linear")[0].T
    return torch.cat([table[:1], column])


RESIZE_GRID.mistake(
    '你取了最近的一块（mode="nearest" 是默认值）。请用 mode="bilinear"。',
    'You take the nearest patch (mode="nearest" is the default). Use mode="bilinear".',
)(
    lambda table, old_side, height, width: _joined(
        table, functional.interpolate(_square(table, old_side), size=(height, width))
    )
)
