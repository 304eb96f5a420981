"""List the mistakes that a lesson treats: the cases of its bug clinic and the messages of its checks."""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from posenc_lessons.exercises.exercise import Exercise
from posenc_lessons.export.exercise_cells import read_exercise
from posenc_lessons.language import Text

CLINIC = ("clinic", "bug-clinic")  # ids of the cell that begins the section
_FIELD = re.compile(r"\{\w+\}")


@dataclass(frozen=True)
class ExerciseMistakes:
    """An exercise: its cell, the cell with its solution (None without one), the messages for mistakes."""

    cell: str
    solution: str | None
    messages: tuple[Text, ...]


def clinic_cases(notebook: Any) -> Iterator[str]:
    """Yield the cells that begin a case of the bug clinic."""
    inside = False
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            inside = cell.id in CLINIC
        elif inside and cell.cell_type == "markdown" and cell.source.startswith("### "):
            yield cell.id


def exercises(notebook: Any, solutions: Any | None) -> Iterator[ExerciseMistakes]:
    """Yield the exercises of a lesson; ``solutions`` is the notebook with its solutions."""
    for cell in notebook.cells:
        if cell.id.startswith("exercise-") and cell.cell_type == "code":
            found = read_exercise(cell.source)
            check = getattr(importlib.import_module(found.module), found.check)
            yield ExerciseMistakes(cell.id, _solution(found.check, solutions), tuple(messages(check)))


def messages(of: Exercise) -> Iterator[Text]:
    """Yield the message for every mistake that the exercise knows, each message once.

    The fields of a message are filled by checking an example of the mistake.
    """
    known = {mistake.text: mistake.wrong for mistake in reversed([*of.mistakes, *of.examples])}
    for text, wrong in reversed(known.items()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch's warnings about wrong answers are not for the index
            said = of.check(wrong).message if _FIELD.search(text.en) else text
        yield said


def _solution(check: str, solutions: Any | None) -> str | None:
    calls = re.compile(rf"\b{check}\(")
    cells = solutions.cells if solutions else ()
    return next((cell.id for cell in cells if cell.cell_type == "code" and calls.search(cell.source)), None)
