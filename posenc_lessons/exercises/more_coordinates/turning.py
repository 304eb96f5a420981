"""The exercise of lesson 11 about axial rotation: half of the pairs by the row, half by the column."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import CHANGED, Exercise
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.rotating import rotated_in_halves, rotated_interleaved
from posenc_lessons.exercises.solutions import more_coordinates as solutions
from posenc_lessons.language import Text

GRID = solutions.number_patches(2, 3)

AXIAL_ROTATE = Exercise(
    solutions.axial_rotate,
    questions=(
        (random_numbers(6, 8), GRID, 100.0),
        (random_numbers(3, 4, seed=1), torch.tensor([[0, 0], [0, 2], [3, 0]]), 100.0),
        (random_numbers(2, 12, seed=2), torch.tensor([[5, 1], [2, 7]]), 10000.0),
        (random_numbers(2, 8, seed=3), torch.tensor([[0.25, -1.5], [2.0, 0.5]]), 10.0),
    ),
    praise=Text(
        "对。前一半的对只看行，后一半只看列，各有一套频率；位置不是整数也行。",
        "Right. The first half of the pairs sees only the row, the second only the column, each with all the "
        "frequencies; positions need not be whole.",
    ),
    changed=CHANGED,
)


def _angles(x: Tensor, positions: Tensor, base: float) -> Tensor:
    quarter = x.shape[1] // 4
    theta = base ** (-torch.arange(quarter) / quarter)
    return (positions[:, :, None] * theta).flatten(1)


def _dealt_in_turn(x: Tensor, positions: Tensor, base: float) -> Tensor:
    angles = _angles(x, positions, base).unflatten(1, (2, -1))  # [L, 2, d/4]
    return rotated_interleaved(x, angles.transpose(1, 2).flatten(1))


def _one_rope(x: Tensor, positions: Tensor, base: float) -> Tensor:
    theta = base ** (-2 * torch.arange(x.shape[1] // 2) / x.shape[1])  # [d/2]
    axis = positions.repeat_interleave(x.shape[1] // 4, dim=1)  # [L, d/2]
    return rotated_interleaved(x, axis * theta)


def _halves_of_each_part(x: Tensor, positions: Tensor, base: float) -> Tensor:
    parts = zip(x.chunk(2, dim=1), _angles(x, positions, base).chunk(2, dim=1), strict=True)
    return torch.cat([rotated_in_halves(part, angles) for part, angles in parts], dim=1)


AXIAL_ROTATE.mistake(
    "行和列换了：前一半的对由行来转，后一半由列来转。",
    "Row and column are exchanged: the row turns the first half of the pairs, the column the second.",
)(lambda x, positions, base: solutions.axial_rotate(x, positions.flip(-1), base))
AXIAL_ROTATE.mistake(
    "转反了（矩阵转置了）：正角度是逆时针，第一个特征减去 b·sin。",
    "Rotated the other way (the matrix is transposed): positive angles turn anticlockwise, so the first "
    "feature is minus b·sin.",
)(lambda x, positions, base: rotated_interleaved(x, -_angles(x, positions, base)))
AXIAL_ROTATE.mistake(
    "两半都由同一个数来转（行，或者行与列之和）：那样就有图块分不清了。一半看行，一半看列。",
    "One number turns both halves (the row, or row and column added up), so that some patches cannot be told "
    "apart. One half sees the row, the other the column.",
)(
    lambda x, at, base: solutions.axial_rotate(x, at[:, [0, 0]], base),
    lambda x, at, base: solutions.axial_rotate(x, at.sum(dim=1, keepdim=True).expand(-1, 2), base),
)
AXIAL_ROTATE.mistake(
    "指数里用了整个 d：每个轴只有 d/2 个特征，频率是 base^(−2i/(d/2))。",
    "The exponent has all of d: an axis has d/2 features, and its frequencies are base^(−2i/(d/2)).",
)(lambda x, positions, base: solutions.axial_rotate(x, positions, base**0.5))
AXIAL_ROTATE.mistake(
    "两个轴该各有一套从快到慢的频率。你的行拿走了快的一半，列只剩慢的。",
    "Each axis should have frequencies from fast to slow. Yours gives the fast half to the row and the slow "
    "one to the column.",
)(_one_rope)
AXIAL_ROTATE.mistake(
    "你让行和列隔一对轮流用。这里前一半的对全归行，后一半全归列。",
    "You deal the pairs to row and column in turn. Here the first half belongs to the row, the second to the "
    "column.",
)(_dealt_in_turn)
AXIAL_ROTATE.mistake(
    "结果排错了次序：先放了所有对的第一个特征，再放第二个。每一对的两个要挨着，比如 stack 以后 flatten。",
    "The results are in the wrong order: the first features of all pairs come first, then the second ones. "
    "The two of a pair belong together, as with stack and flatten.",
)(
    lambda *given: torch.cat(
        [solutions.axial_rotate(*given)[:, 0::2], solutions.axial_rotate(*given)[:, 1::2]], dim=1
    )
)
AXIAL_ROTATE.mistake(recurring.HALVES_PAIRED)(
    lambda x, *rest: rotated_in_halves(x, _angles(x, *rest)), _halves_of_each_part
)
