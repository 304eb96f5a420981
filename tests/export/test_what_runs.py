"""The number of cells that run in a lesson's page."""

from __future__ import annotations

from nbformat import v4

from posenc_lessons.export.what_runs import Runs, head_note, what_runs


def lesson(*sources: str) -> object:
    return v4.new_notebook(cells=[v4.new_code_cell(source) for source in sources])


def test_cells_that_train_and_cells_that_need_them_do_not_run() -> None:
    notebook = lesson("y = 2", "model = train()", "print(model)", "print(y)", "guess()")
    notebook.cells[4].metadata["guess"] = "a"
    assert what_runs(notebook) == Runs(cells=4, run=2, exercises=0)
    notebook.cells[3].metadata["tags"] = ["recorded-in-page"]
    assert what_runs(notebook) == Runs(cells=4, run=1, exercises=0)
    imports = lesson("from torch import nn\nmodel = train(nn)", "print(nn)", "print(model)")
    assert what_runs(imports) == Runs(cells=3, run=1, exercises=0)  # its imports are there without running it


def test_the_head_says_how_many_cells_run() -> None:
    assert "Every code cell of this page (1) runs here" in head_note(lesson("x = 1"), "en", True, None)
    assert "runs here" not in head_note(lesson("x = 1"), "en", False, None)
    assert head_note(lesson(), "en", True, None) == ""
