"""A notebook is recorded clean, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.notebooks import record


def write(path: Path, *sources: str) -> Path:
    cells = [new_code_cell(source, metadata={"collapsed": True, "tags": ["x"]}) for source in sources]
    nbformat.write(new_notebook(cells=[new_markdown_cell("# 题 · Title"), *cells]), path)
    return path


def test_only_outputs_and_metadata_for_readers_are_recorded(tmp_path: Path) -> None:
    path = write(
        tmp_path / "lesson.ipynb", "print(0.8415)", "from IPython.display import HTML\nHTML('<b>1</b>')"
    )
    record.record(path)
    notebook = nbformat.read(path, as_version=4)
    assert notebook.metadata == {"kernelspec": record.KERNELSPEC, "language_info": {"name": "python"}}
    printed, shown = notebook.cells[1:]
    assert printed.outputs == [new_output("stream", name="stdout", text="0.8415\n")]
    assert shown.outputs[0].data["text/html"] == "<b>1</b>" and shown.execution_count == 2
    assert list(shown.metadata) == ["tags"]


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (new_output("stream", name="stderr", text="UserWarning: careful"), "warns"),
        (new_output("stream", name="stdout", text="File /home/me/lesson.py"), "path of this machine"),
        (new_output("display_data", data={"text/html": "/tmp/ipykernel_12/3.py"}), "path of this machine"),
        (
            new_output("display_data", data={"application/vnd.jupyter.widget-view+json": {"model_id": "7"}}),
            "no still",
        ),
    ],
)
def test_unfit_outputs_are_refused(output: Any, reason: str) -> None:
    notebook = new_notebook(cells=[new_code_cell("x", id="here", outputs=[output])])
    record.tidy(notebook)
    with pytest.raises(record.Unfit, match=f"cell here.*{reason}"):
        record.examine(notebook)
