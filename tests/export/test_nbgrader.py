"""nbgrader's own commands cut out solutions, grade answers by our checks, and give feedback in our words."""

import csv
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from posenc_lessons.course.lessons import PACKAGE, shipped_lessons
from posenc_lessons.export import exporting

pytestmark = [
    pytest.mark.sweep,
    pytest.mark.skipif(importlib.util.find_spec("nbgrader") is None, reason="nbgrader is not installed"),
]

LESSON = "02_sinusoidal"
ONE_AFTER_ANOTHER = """
import json, sys
from nbgrader.apps.nbgraderapp import NbGraderApp

for arguments in json.loads(sys.argv[1]):
    NbGraderApp.clear_instance()
    NbGraderApp.launch_instance(arguments)
"""
COMMAND_SECONDS = 400


def nbgrader(course: Path, *commands: tuple[str, ...]) -> None:
    """Run commands in the course folder, without this user's settings; they must succeed."""
    home = course.with_name("home")
    home.mkdir(exist_ok=True)
    known = {name: value for name, value in os.environ.items() if not re.match("JUPYTER|IPYTHON", name)}
    places = {
        "HOME": str(home),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH")])),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),  # for alembic
    }
    done = subprocess.run(
        [sys.executable, "-c", ONE_AFTER_ANOTHER, json.dumps(commands)],
        cwd=course,
        env={**known, **places, "JUPYTER_PREFER_ENV_PATH": "1", "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=COMMAND_SECONDS,
    )
    assert done.returncode == 0, done.stdout


def instead(source: str, *written: str) -> str:
    """Return a solved cell without its solution, and with these lines in place of the stub's dots."""
    stub = re.sub(r"^### BEGIN.*?### END SOLUTION\n", "", source, flags=re.DOTALL | re.MULTILINE)
    body = "\n".join(f"    {line}" for line in written)
    return re.sub(r"^    (return )?\.\.\.$", body, stub, count=1, flags=re.MULTILINE)


def answered(solved: dict[str, str]) -> dict[str, str]:
    """Return a right answer that warns, one that raises, and one that is not Python."""
    noisy = (
        "import warnings, sys",
        "warnings.warn('careful')",
        "print('careful', file=sys.stderr)",
        "positions = positions.double()",
        "angles = torch.outer(positions, base ** (-torch.arange(0, d_model, 2).double() / d_model))",
        "return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)",
    )
    return {
        "exercise-table": instead(solved["exercise-table"], *noisy),
        "exercise-apart": instead(solved["exercise-apart"], "raise ValueError('no')"),
        "exercise-head": "def my_head(:",
    }


def test_an_assignment_is_graded(tmp_path: Path) -> None:
    course, file = tmp_path / "course", f"{LESSON}/{LESSON}.ipynb"
    options = exporting.Options("both", "nbgrader", (LESSON,), course)
    exporting.export(options, shipped_lessons(), lambda text: pytest.fail(text.en))
    nbgrader(course, ("generate_assignment", LESSON))
    assert "SOLUTION" not in (course / "release" / file).read_text(encoding="utf-8")

    submitted = course / "submitted" / "ada" / file
    submitted.parent.mkdir(parents=True)
    shutil.copy(course / "release" / file, submitted)
    source = nbformat.read(course / "source" / file, as_version=4)
    changed = answered({cell.id: cell.source for cell in source.cells})
    notebook = nbformat.read(submitted, as_version=4)
    for cell in notebook.cells:
        cell.source = changed.pop(cell.id, cell.source)
    assert changed == {}
    nbformat.write(notebook, submitted)

    nbgrader(course, ("autograde", LESSON), ("export", "--to=grades.csv"), ("generate_feedback", LESSON))
    with (course / "grades.csv").open(encoding="utf-8", newline="") as table:
        assert [(row["student_id"], float(row["score"])) for row in csv.DictReader(table)] == [("ada", 1)]
    feedback = (course / "feedback" / "ada" / file).with_suffix(".html").read_text(encoding="utf-8")
    assert "Score: 1.0 / 3.0" in feedback
    assert "你的代码运行到这一行" in feedback and "Your code stopped" in feedback  # the check's own words
