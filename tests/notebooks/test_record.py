"""Recording keeps only what a reader sees, and nbval then notices a changed number."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.notebooks import record

CELLS = {
    "setup": "from posenc_lessons.course.switch import language_switch\nlanguage_switch()",
    "number": "import math\nprint(f'{math.sin(1):.4f}')",
    "timing": "import time\nprint(f'≈ {time.perf_counter():.7f} ms')",
    "progress": "from tqdm import tqdm\nfor _ in tqdm(range(3)): time.sleep(0.01)",
    "widget-progress": "from tqdm.notebook import tqdm as bar\nfor _ in bar(range(3)): pass",
    "address": "object()",
    "table": "from IPython.display import HTML\nHTML('<b>0.84</b>')",
    "picture": (
        "from posenc_lessons.language import Text\n"
        "from posenc_lessons.figures.style import new_picture\n"
        "new_picture(200, 100, alt=Text('空图', 'nothing'))"
    ),
    "expected-error": "[][3]",
}
HOW = (
    "--nbval",
    "--nbval-current-env",
    "--nbval-sanitize-with",
    str(Path(__file__).with_name("sanitize.cfg")),
)


def write(path: Path, cells: dict[str, str]) -> Path:
    notebook = new_notebook(cells=[new_markdown_cell("# 题 · Title", id="title")])
    for name, source in cells.items():
        cell = new_code_cell(source, id=name, metadata={"execution": {"started": "noon"}, "collapsed": True})
        if name.startswith("expected-error"):
            cell.metadata["tags"] = ["raises-exception"]
        notebook.cells.append(cell)
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {}}
    nbformat.write(notebook, path)
    return path


def nbval(folder: Path) -> str:
    """Return nbval's report on the notebooks in ``folder``, without this repository's settings of pytest."""
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    surroundings = {**os.environ, "PYTHONPATH": str(record.ROOT), "PYTHONUTF8": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "pytest", "-rf", "-p", "no:cacheprovider", "--color=no", *HOW, "."]
    return subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = write(tmp_path_factory.mktemp("recorded") / "lesson.ipynb", CELLS)
    record.record(path)
    return path


def outputs(path: Path) -> dict[str, list[Any]]:
    cells = nbformat.read(path, as_version=4).cells
    return {cell.id: cell.outputs for cell in cells if cell.cell_type == "code"}


def test_recorded_notebook_is_clean(recorded: Path) -> None:
    notebook = nbformat.read(recorded, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata == {"kernelspec": record.KERNELSPEC, "language_info": {"name": "python"}}
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(CELLS) + 1))
    assert [cell.id for cell in code] == list(CELLS)
    assert {tuple(cell.metadata) for cell in code} == {(), ("tags",)}
    assert "widget-view" not in recorded.read_text(encoding="utf-8")


def test_only_outputs_that_a_reader_sees_are_recorded(recorded: Path) -> None:
    found = outputs(recorded)
    assert found["number"] == [new_output("stream", name="stdout", text="0.8415\n")]
    assert set(found["setup"][0].data) == {"text/plain"}
    assert set(found["picture"][0].data) == {"text/plain", "image/png"}
    assert found["picture"][0].metadata["image/png"]["width"] == 200
    assert found["progress"][0].text.count("%|") == 1  # only the last state of the bar
    assert found["expected-error"][0].traceback == ["IndexError: list index out of range"]


def test_nbval_passes_a_recorded_notebook_and_fails_on_every_real_change(
    recorded: Path, tmp_path: Path
) -> None:
    """Each changed cell fails and no other, so the sanitizer ignores no more than necessary."""
    alterations: dict[str, Callable[[Any], None]] = {
        "number": lambda cell: cell.outputs[0].update({"text": "0.8416\n"}),
        "table": lambda cell: cell.outputs[0].data.update({"text/html": "<b>0.85</b>"}),
        "progress": lambda cell: cell.outputs.clear(),
        "picture": lambda cell: cell.outputs[0].data.update({"text/plain": "another picture"}),
        "expected-error": lambda cell: cell.outputs[0].update({"evalue": "another error"}),
        "setup": lambda cell: cell.outputs[0].data.update({"text/plain": "VBox(children=…"}),
    }
    notebook = nbformat.read(recorded, as_version=4)
    for cell in notebook.cells:
        alterations.get(cell.id, lambda _: None)(cell)
    nbformat.write(notebook, tmp_path / "altered.ipynb")
    shutil.copy(recorded, tmp_path / "as_recorded.ipynb")
    report = nbval(tmp_path)
    failed = {name for number, name in enumerate(CELLS) if f"altered.ipynb::Cell {number} - " in report}
    assert failed == set(alterations), report
    assert f"{len(alterations)} failed, {2 * len(CELLS) - len(alterations)} passed" in report
    assert "Cell outputs differ" in report and "0.8416" in report


def test_nothing_is_written_when_a_cell_fails(tmp_path: Path) -> None:
    path = write(tmp_path / "lesson.ipynb", {"fine": "1", "broken": "1 / 0"})
    before = path.read_bytes()
    with pytest.raises(record.Unfit, match="ZeroDivisionError"):
        record.record(path)
    assert path.read_bytes() == before


def test_the_command_names_the_notebook_that_is_unfit(tmp_path: Path) -> None:
    path = write(tmp_path / "lesson.ipynb", {"warns": "import warnings; warnings.warn('careful')"})
    command = [sys.executable, record.__file__, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONUTF8": "1"})
    assert done.returncode == 1
    assert "lesson.ipynb: cell warns warns:" in done.stderr and "careful" in done.stderr


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


def test_a_notebook_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "lesson.ipynb", {"long": "print('0123456789\\n' * 60_000)"})
    with pytest.raises(record.Unfit, match="more than 600000"):
        record.record(path)
