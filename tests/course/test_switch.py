"""A cell that runs before the one that defines its names: the usual traceback, then a bilingual hint."""

import nbformat
from nbclient import NotebookClient

from tests.support.pace import patience

SETUP = "from posenc_lessons.course.switch import language_switch\nlanguage_switch()"


def outputs(*cells: str) -> list[list[nbformat.NotebookNode]]:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    limits = {"timeout": int(patience()), "startup_timeout": int(patience())}
    NotebookClient(notebook, kernel_name="python3", allow_errors=True, **limits).execute()
    return [cell.outputs for cell in notebook.cells]


def test_a_missing_name_keeps_its_traceback_and_gets_a_hint_and_other_errors_do_not() -> None:
    ran = outputs(SETUP, "table.sum()", "1 / 0", "'alive'", "raise NameError('mine')")
    errors = [output for output in ran[1] if output.output_type == "error"]
    assert [error.ename for error in errors] == ["NameError"]
    hints = [output.data["text/html"] for output in ran[1] if "text/html" in output.get("data", {})]
    assert len(hints) == 1
    assert "The name table does not exist yet" in hints[0] and "名字 table 还没有定义" in hints[0]

    assert [output.output_type for output in ran[2]] == ["error"]
    assert ran[3][0].data["text/plain"] == "'alive'"
    assert [output.output_type for output in ran[4]] == ["error"], "raised by hand, it names nothing"
