"""What runs in a lesson's page, counted."""

from __future__ import annotations

from nbformat import v4

from posenc_lessons.export.what_runs import Runs, head_note, what_runs


def lesson(*sources: str) -> object:
    return v4.new_notebook(cells=[v4.new_code_cell(source) for source in sources])


def test_cells_that_train_and_cells_that_need_them_do_not_run() -> None:
    notebook = lesson("y = 2", "model = train()", "print(model)", "print(y)", 'guess("a")')
    assert what_runs(notebook) == Runs(cells=4, run=2, exercises=0)


def test_the_head_says_so() -> None:
    assert "Every code cell of this page (1) runs here" in head_note(lesson("x = 1"), "en", True, None)
    assert "runs here" not in head_note(lesson("x = 1"), "en", False, None)
    assert head_note(lesson(), "en", True, None) == ""
