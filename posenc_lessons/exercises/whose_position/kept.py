"""The exercise of lesson 09 on the keys of a sliding cache."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import CHANGED, Exercise
from posenc_lessons.exercises.solutions import whose_position as solutions
from posenc_lessons.language import Text

TURN_FURTHER = Exercise(
    solutions.turn_further,
    questions=(
        (torch.tensor([3, 7, 8, 9, 10, 11, 12]), 2, 3),  # positions that do not begin at 0
        (torch.arange(8), 1, 4),
        (torch.arange(10), 2, 3),
        (torch.tensor([0, 4, 5, 6, 7, 8]), 1, 4),
        (torch.arange(6), 0, 3),
        (torch.arange(3), 1, 2),
        (torch.tensor([4, 5, 6, 7]), 2, 0),  # positions[-0:] is all of them
    ),
    praise=Text(
        "对。再转“新减旧”这么多：开头的不动，后面的往回转。",
        "Right. Turn on by new minus old: the first stay, the later ones are turned back.",
    ),
    changed=CHANGED,
)

recurring.negated(
    TURN_FURTHER,
    "旧位置大，新位置小，要往回转，是负数。",
    "old positions are larger than new ones, so it is a turn back, a negative number.",
)
TURN_FURTHER.mistake(
    "你给的是新位置本身。键已经按旧位置转过了，只要再转两者之差。",
    "Those are the new positions themselves. The keys have been turned by the old ones: only the difference "
    "is left to do.",
)(lambda positions, first, latest: torch.arange(first + latest))
TURN_FURTHER.mistake(
    "一点没转：旧键还停在旧位置上，和新的计数对不上。",
    "Nothing is turned: the old keys stay where they were and do not fit the new count.",
)(lambda positions, first, latest: torch.zeros(first + latest, dtype=torch.long))
TURN_FURTHER.mistake(
    "开头那几个也转了：它们的位置没有变，应当是 0。",
    "The first ones are turned as well: their positions have not changed, so 0.",
)(lambda *given: solutions.turn_further(*given)[-1:].expand(given[1] + given[2]))
TURN_FURTHER.mistake(
    "后面的键又从 0 数了，和开头留下的撞在一起。它们接在开头的后面。",
    "The later keys were counted from 0 and collide with the first ones. They come after those.",
)(
    lambda positions, first, latest: (
        solutions.turn_further(positions, first, latest) - first * (torch.arange(first + latest) >= first)
    )
)
TURN_FURTHER.mistake(
    "留下的是最前面的 first + latest 个：应当是开头 first 个，和最近 latest 个。",
    "Yours keeps the first first + latest of them: keep the first and the latest.",
)(lambda positions, first, latest: torch.arange(first + latest) - positions[: first + latest])


@TURN_FURTHER.mistake(
    "latest 可以是 0，而 positions[-0:] 是全部：从 len(positions) - latest 开始取。",
    "latest may be 0, and positions[-0:] is all of them: begin at len(positions) - latest.",
)
def latest_by_a_negative_index(positions: Tensor, first: int, latest: int) -> Tensor:
    remaining = torch.cat([positions[:first], positions[-latest:]])
    return torch.arange(len(remaining)) - remaining


TURN_FURTHER.mistake(
    "你按扔掉了几个来转。要看每个键现在在哪里：positions 也许早就编过号，也不一定从 0 开始。",
    "You rotate by how many were dropped. It depends on where each key stands now: positions may have been "
    "counted again before, and need not begin at 0.",
)(
    lambda positions, first, latest: torch.cat(
        [torch.zeros(first), torch.full((latest,), float(first + latest - len(positions)))]
    )
)
