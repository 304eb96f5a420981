"""The exercise of lesson 11 on the row and column of each patch."""

from __future__ import annotations

import torch

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import Exercise
from posenc_lessons.exercises.reading import can_index
from posenc_lessons.exercises.solutions import more_coordinates as solutions
from posenc_lessons.language import Text

NUMBER_PATCHES = Exercise(
    solutions.number_patches,
    questions=((2, 3), (3, 2), (1, 4), (4, 1), (3, 3)),
    praise=Text(
        "对。逐行数，行在前，列在后；宽决定什么时候换行。",
        "Right. Row by row, rows first, columns second; the width decides where a new row begins.",
    ),
)
NUMBER_PATCHES.probe(can_index(2, 3))

NUMBER_PATCHES.mistake(
    "行和列反了：每块是（行，列），你给的是（列，行）。",
    "Row and column are exchanged: each patch is (row, column); yours is (column, row).",
)(lambda height, width: solutions.number_patches(height, width).flip(-1))
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
