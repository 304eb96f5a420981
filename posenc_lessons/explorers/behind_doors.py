"""Which explorers and lessons are behind each of the four doors."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from posenc_lessons.explorers import (
    DistanceExplorer,
    GateExplorer,
    LearnedTableExplorer,
    RotationExplorer,
    SinusoidExplorer,
    StretchExplorer,
)
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.four_doors import DOORS


@dataclass(frozen=True)
class DoorExplorer:
    """An explorer behind a door, the lesson that shows it, and the settings that show what the door does."""

    explorer: type[Explorer]
    lesson: str
    settings: Mapping[str, Any] = field(default_factory=dict)


# Behind each door, in the order of the lessons.
BEHIND: dict[int, tuple[DoorExplorer, ...]] = {
    1: (DoorExplorer(SinusoidExplorer, "02_sinusoidal"), DoorExplorer(LearnedTableExplorer, "03_learned")),
    2: (DoorExplorer(RotationExplorer, "05_rotary"), DoorExplorer(StretchExplorer, "08_longer_than_trained")),
    3: (
        DoorExplorer(DistanceExplorer, "04_relative", {"kind": "alibi"}),
        DoorExplorer(GateExplorer, "06_cope"),
    ),
    4: (DoorExplorer(DistanceExplorer, "04_relative", {"kind": "shaw", "clip": 4}),),
}


def door_color(notebook: str) -> str | None:
    """Return the colour of the door that a lesson opens, the first if there are two; None without one.

    ``notebook``: the lesson's file, such as ``05_rotary.ipynb``, or that of its solutions.
    """
    lesson = PurePath(notebook).stem
    doors = (door for door in DOORS if any(behind.lesson == lesson for behind in BEHIND[door.number]))
    return next((door.color for door in doors), None)
