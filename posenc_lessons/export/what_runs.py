"""Count the cells of a lesson that run in its page: not those that train and those that are only recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from posenc_lessons.course import sections
from posenc_lessons.export import texts
from posenc_lessons.export.in_page import RECORDED, TRAINS, asks, for_one_reader, tagged
from posenc_lessons.language import Language


@dataclass(frozen=True)
class Runs:
    """How many cells a lesson has, how many of them show recorded results, and how many are exercises."""

    cells: int
    recorded: int
    exercises: int


def what_runs(notebook: Any) -> Runs:
    """Count the cells of ``notebook``, except guesses, the language switch and the reader's progress."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    cells = [cell for cell in code if not sections.guesses(cell) and not for_one_reader(cell)]
    recorded = sum(tagged(cell, TRAINS) or tagged(cell, RECORDED) for cell in cells)
    return Runs(len(cells), recorded, sum(map(asks, cells)))


def head_note(notebook: Any, language: Language, live: bool) -> str:
    """Return the note at the head of a lesson's page that says what runs; nothing if there is no code.

    ``live``: whether the page can run code.
    """
    counted = what_runs(notebook)
    if not counted.cells:
        return ""
    if not live:
        note = texts.READ_ONLY
    elif not counted.recorded:
        note = texts.ALL_RUN.format(cells=counted.cells)
    else:
        note = texts.SOME_RECORDED.format(cells=counted.cells, recorded=counted.recorded)
    words = texts.as_html(note, language)
    if live and counted.exercises:
        words += texts.as_html(texts.EXERCISES_TOO, language)
    return f'<p class="runs">{words}</p>'
