"""Shorter runs: each one that the page offers was made and led to the lesson's conclusion."""

from __future__ import annotations

import re

import nbformat
import pytest

from posenc_lessons.browser.needs import trains
from posenc_lessons.browser.shorter_runs import LONG, SHORTER, ShorterRun, offered, recorded
from posenc_lessons.browser.training import training_paces
from posenc_lessons.export.one_language import words_in_language
from posenc_lessons.language import Language
from tests.page.cell_sweep import NOTEBOOKS, cells_of
from tests.page.shorter_runs import fingerprint

COMMAND = "python -m tests.page.shorter_runs"


def test_every_cell_that_trains_for_long_has_been_tried_shorter() -> None:
    long = {cell for cell, pace in training_paces().items() if pace["seconds"] > LONG}
    missing = long - {run.cell for run in SHORTER}
    assert not missing, f"add to browser/shorter_runs.py, and run {COMMAND}: {', '.join(sorted(missing))}"
    assert recorded().keys() == {run.cell for run in SHORTER}, f"run {COMMAND}"


@pytest.mark.parametrize("run", SHORTER, ids=lambda run: run.cell)
def test_an_offered_run_leads_to_the_lessons_conclusion(run: ShorterRun) -> None:
    measured = recorded()[run.cell]
    assert measured["source"] == fingerprint(run), f"the code has changed: {COMMAND} {run.cell}"
    assert measured["holds"] == (run.differs is not None)
    assert measured["steps"] < training_paces()[run.cell]["steps"]


@pytest.mark.parametrize("language", ["zh", "en", "both"])
@pytest.mark.parametrize("lesson", sorted({run.lesson for run in SHORTER}))
def test_the_changed_lines_are_in_the_copies_of_every_language(lesson: str, language: Language) -> None:
    notebook = nbformat.read(NOTEBOOKS / f"{lesson}.ipynb", as_version=4)
    sources = {cell.id: cell.source for cell in words_in_language(notebook, language).cells}
    for run in SHORTER:
        if run.lesson == lesson and run.differs is not None:
            short = offered(run.cell, sources[run.cell])
            assert short is not None and 0 < short["seconds"] < training_paces()[run.cell]["seconds"]
            assert trains(run.shortened(sources[run.cell]) or "")
            compile(run.shortened(sources[run.cell]) or "", run.cell, "exec")


def test_a_cell_with_an_edited_line_is_offered_no_shorter_run() -> None:
    run = next(run for run in SHORTER if run.differs is not None)
    (source,) = (cell.source for cell in cells_of(run.lesson) if cell.id == run.cell)
    assert offered(run.cell, re.sub(r"\d+", "7", source)) is None
