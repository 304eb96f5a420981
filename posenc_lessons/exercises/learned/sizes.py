"""Exercise of lesson 03 on a table that is stretched."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from torch.nn import functional as F

from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.solutions import learned as solutions
from posenc_lessons.language import Text


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
    "你只是挑了旧行，没有混合：线性插值要按远近混合上下两行。",
    "You only pick old rows: linear interpolation mixes the two beside the place, by how near they are.",
)(
    lambda table, new_len: table[_places(table, new_len).round().long()],
    lambda table, new_len: table[_places(table, new_len).floor().long()],
    lambda table, new_len: F.interpolate(table.T[None], size=new_len)[0].T,
)
STRETCH.mistake(
    "首尾没有对齐：这是 align_corners=False 的结果，两头的几行变成了同一个值。第 0 行和最后一行要原样保留。",
    "The ends are not aligned: with align_corners=True the first and the last row stay as they are.",
)(lambda table, new_len: F.interpolate(table.T[None], size=new_len, mode="linear")[0].T)


def _with_step(step: Callable[[int, int], float]) -> Answer:
    """Return the answer whose rows lie ``step(old_len, new_len)`` apart, the last row standing for more."""

    def stretched(table: Tensor, new_len: int) -> Tensor:
        places = torch.arange(new_len) * step(len(table), new_len)
        below = places.long().clamp(max=len(table) - 1)
        return _mixed(table, below, (below + 1).clamp(max=len(table) - 1), places - below)

    return stretched


STRETCH.mistake(
    "步长不对，最后一行没有落在最后一行上。首尾对齐时是 (old_len − 1) / (new_len − 1)。",
    "The step is wrong: with aligned ends it is (old_len − 1) / (new_len − 1).",
)(
    _with_step(lambda old_len, new_len: old_len / new_len),
    _with_step(lambda old_len, new_len: old_len / (new_len - 1)),
)
STRETCH.mistake(
    "你拉长的是特征，不是位置。F.interpolate 拉的是最后一维，先转置。",
    "You stretched the features, not the positions. F.interpolate stretches the last axis: transpose first.",
)(lambda table, new_len: F.interpolate(table[None], size=new_len, mode="linear", align_corners=True)[0])


@STRETCH.mistake(
    "上下两行的权重换了：位置 2.25 离第 2 行近，第 2 行占 0.75，第 3 行占 0.25。",
    "The two shares are exchanged: place 2.25 is near row 2, which has 0.75, while row 3 has 0.25.",
)
def shares_exchanged(table: Tensor, new_len: int) -> Tensor:
    places = _places(table, new_len)
    below = places.long().clamp(max=len(table) - 2)
    return _mixed(table, below + 1, below, places - below)


STRETCH.mistake(
    "你保留了旧行，后面用别的补齐（重复整张表、最后一行，或者 0）。要把整张表均匀拉开。",
    "You keep the old rows and fill up the rest: spread the whole table evenly instead.",
)(
    lambda table, new_len: table[torch.arange(new_len) % len(table)],
    lambda table, new_len: table[torch.arange(new_len).clamp(max=len(table) - 1)],
    lambda table, new_len: F.pad(table, (0, 0, 0, max(new_len - len(table), 0)))[:new_len],
)
