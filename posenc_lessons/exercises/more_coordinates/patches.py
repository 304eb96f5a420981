"""Two exercises of lesson 11: rows and columns of patches, and coordinates at another resolution."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import Answer, Exercise
from posenc_lessons.exercises.reading import can_index
from posenc_lessons.exercises.solutions import more_coordinates as solutions
from posenc_lessons.language import Text

# ---- the row and column of each patch -------------------------------------------------------------------

NUMBER_PATCHES = Exercise(
    solutions.number_patches,
    questions=((2, 3), (3, 2), (1, 4), (4, 1), (3, 3)),
    praise=Text(
        "对。逐行数，行在前，列在后；宽决定什么时候换行。",
        "Right. Row by row, rows first, columns second; the width decides where a new row begins.",
    ),
)
NUMBER_PATCHES.probe(can_index(2, 3))

recurring.coordinates_exchanged(NUMBER_PATCHES)
NUMBER_PATCHES.mistake(
    "高和宽写反了：一行有 width 个图块，数满 width 个才换行，所以除以 width，不是 height。",
    "Height and width are exchanged: a row has width patches, and the next one begins after width of them. "
    "Divide by width, not by height.",
)(lambda height, width: solutions.number_patches(width, height))
NUMBER_PATCHES.mistake(
    "你是一列一列数的。图块的次序是逐行：先走完第 0 行。",
    "You go column by column. Patches come row by row: row 0 first, to its end.",
)(
    lambda height, width: (
        solutions.number_patches(height, width)
        .unflatten(0, (height, width))
        .transpose(0, 1)
        .reshape(height * width, 2)
    )
)
recurring.off_by_one(NUMBER_PATCHES, "行和列都从 0 数起。", "rows and columns count from 0.")
NUMBER_PATCHES.mistake(
    "这是一行排到底的序号，不是行和列。每个图块要两个数。",
    "That is one number counted along all rows. Each patch needs two, its row and its column.",
)(lambda height, width: torch.arange(height * width)[:, None].expand(-1, 2))


# ---- coordinates of a finer picture, in the range of the training ---------------------------------------

FIT_COORDINATES = Exercise(
    solutions.fit_coordinates,
    questions=((4, 6, 3), (8, 8, 8), (2, 5, 4), (16, 12, 8), (1, 1, 7)),
    praise=Text(
        "对。边缘对着边缘，训练时的大小原样不动，更细的图块挤在同一个范围里。",
        "Right. Edges on edges: the size of the training stays as it was, and finer patches share its range.",
    ),
)


def _by_side(place: Callable[[int, int, int], Tensor]) -> Answer:
    """Return the answer whose rows and columns are ``place(size, trained, the other side's size)``."""

    def coordinates(height: int, width: int, trained: int) -> Tensor:
        down, right = place(height, trained, width), place(width, trained, height)
        return torch.stack((down.repeat_interleave(width), right.repeat(height)), dim=-1)

    return coordinates


FIT_COORDINATES.mistake(
    "没有压缩：行和列接着往外数，超出了训练过的范围。",
    "Nothing is squeezed: rows and columns go on past the range of the training.",
)(_by_side(lambda size, *_: torch.arange(size).double()))
FIT_COORDINATES.mistake(
    "只乘了倍数，没管图块的中心：应当先加 0.5，乘完再减 0.5，否则整张图偏了。",
    "Only the factor, without the patches' centres: add 0.5 first and take it off afterwards, or the whole "
    "picture is shifted.",
)(_by_side(lambda size, trained, _: torch.arange(size) * trained / size))
FIT_COORDINATES.mistake(
    "角对齐了：最外面的图块落在了 0 和 trained − 1 上（align_corners=True）。这里要边缘对边缘。",
    "The corners are aligned: the outermost patches stand at 0 and trained − 1 (align_corners=True). Wanted "
    "are edges on edges.",
)(_by_side(lambda size, trained, _: torch.arange(size) * (trained - 1) / max(size - 1, 1)))
FIT_COORDINATES.mistake(
    "坐标截到了 0 和 trained − 1 之间。查表插值要截；坐标不用截，边上的图块可以在半格以外。",
    "Cut off at 0 and trained − 1. A table that is interpolated needs that; coordinates do not, and those at "
    "the edge may lie up to half a step outside.",
)(lambda height, width, trained: solutions.fit_coordinates(height, width, trained).clamp(0, trained - 1))
FIT_COORDINATES.mistake(
    "倍数反了：图块更多，坐标要挤在一起，乘 trained / height，不是 height / trained。",
    "The factor is upside down: more patches are closer together, so trained / height, not height / trained.",
)(_by_side(lambda size, trained, _: (torch.arange(size) + 0.5) * size / trained - 0.5))
FIT_COORDINATES.mistake(
    "高和宽各有各的倍数：行乘 trained / height，列乘 trained / width。",
    "Height and width have a factor each: trained / height is for rows, trained / width for columns.",
)(
    _by_side(lambda size, trained, other: (torch.arange(size) + 0.5) * trained / other - 0.5),
    lambda height, width, trained: (solutions.number_patches(height, width) + 0.5) * trained / height - 0.5,
    lambda height, width, trained: (solutions.number_patches(height, width) + 0.5) * trained / width - 0.5,
)
recurring.coordinates_exchanged(FIT_COORDINATES)
FIT_COORDINATES.mistake(
    "这是 DINOv3 的坐标，从 −1 到 1。这里要训练时的行号和列号：同样大小时就是 0、1、2……",
    "Those are DINOv3's, from −1 to 1. Wanted are rows and columns of the training: 0, 1, 2, … at its size.",
)(_by_side(lambda size, *_: (2 * torch.arange(size) + 1) / size - 1))
