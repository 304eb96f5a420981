"""The number of cells that run in a lesson's page."""

from __future__ import annotations

from typing import Any

from nbformat import v4

from posenc_lessons.export.what_runs import Runs, head_note, what_runs


def lesson(*sources: str) -> Any:
    cells = [v4.new_code_cell(source) for source in sources]
    return v4.new_notebook(cells=[v4.new_markdown_cell("# One"), *cells])


def test_guesses_do_not_count_and_cells_that_train_or_are_recorded_show_results() -> None:
    notebook = lesson("y = 2", "model = train()", "print(y)", "guess()", "language_switch()")
    for cell, tag in zip(notebook.cells[2:4], ("trains", "recorded-in-page"), strict=True):
        cell.metadata["tags"] = [tag]
    notebook.cells[4].metadata["guess"] = "a"
    notebook.cells[5].id = "setup"
    notebook.cells[1].id = "exercise-y"
    assert what_runs(notebook) == Runs(cells=3, recorded=2, exercises=1)


def test_the_head_says_how_many_cells_run() -> None:
    assert "Every code cell of this page (1) runs here" in head_note(lesson("x = 1"), "en", True)
    assert "runs here" not in head_note(lesson("x = 1"), "en", False)
    assert head_note(lesson(), "en", True) == ""
