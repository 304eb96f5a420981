"""The mistakes that a lesson knows by name: the cases of its bug clinic, and what its checks say."""

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

CLINIC = ("clinic", "bug-clinic")  # the cell in which the section begins
_FIELD = re.compile(r"\{\w+\}")


@dataclass(frozen=True)
class ExerciseMistakes:
    """An exercise: the cell that holds it, the one with its solution (None where there is none), and what is
    said to its mistakes."""

    cell: str
    solution: str | None
    messages: tuple[Text, ...]


def clinic_cases(notebook: Any) -> Iterator[str]:
    """The cells that begin a case of the bug clinic."""
    inside = False
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            inside = cell.id in CLINIC
        elif inside and cell.cell_type == "markdown" and cell.source.startswith("### "):
            yield cell.id


def exercises(notebook: Any, solutions: Any | None) -> Iterator[ExerciseMistakes]:
    """The exercises of a lesson; ``solutions`` is the notebook with its solutions."""
    for cell in notebook.cells:
        if cell.id.startswith("exercise-") and cell.cell_type == "code":
            found = read_exercise(cell.source)
            check = getattr(importlib.import_module(found.module), found.check)
            yield ExerciseMistakes(
                cell.id, _solution(found.check, solutions), tuple(messages(check.__self__))
            )


def messages(of: Exercise) -> Iterator[Text]:
    """What the exercise says to every mistake that it knows, each message once.

    Where a message has fields to fill, the check is asked what it says to that mistake.
    """
    known = {mistake.text: mistake.wrong for mistake in reversed([*of.mistakes, *of.examples])}
    for text, wrong in reversed(known.items()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what torch has to say to a wrong answer is not for the index
            said = of.check(wrong).message if _FIELD.search(text.en) else text
        yield said


def _solution(check: str, solutions: Any | None) -> str | None:
    calls = re.compile(rf"\b{check}\(")
    cells = solutions.cells if solutions else ()
    return next((cell.id for cell in cells if cell.cell_type == "code" and calls.search(cell.source)), None)
