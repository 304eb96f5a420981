"""nbgrader's whole round, by its own commands: assignments go out, come back, are graded and exported.

Teacher and students are folders and names here, not users of the machine, so the tests need no rights.
"""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from posenc_lessons.course.lessons import PACKAGE, shipped_lessons
from posenc_lessons.export import exporting

pytestmark = [
    pytest.mark.sweep,
    pytest.mark.skipif(sys.platform == "win32", reason="nbgrader's exchange does not work on Windows"),
    pytest.mark.skipif(importlib.util.find_spec("nbgrader") is None, reason="nbgrader is not installed"),
]

Change = Callable[[dict[str, str]], dict[str, str]]  # solved cells -> a student's cells
ONE_AFTER_ANOTHER = """
import json, sys
from nbgrader.apps.nbgraderapp import NbGraderApp

for arguments in json.loads(sys.argv[1]):
    NbGraderApp.clear_instance()
    NbGraderApp.launch_instance(arguments)
"""
COMMAND_SECONDS = 200


@dataclass(frozen=True)
class Round:
    """One lesson on its way through nbgrader in ``folder``."""

    folder: Path
    lesson: str

    @property
    def course(self) -> Path:
        return self.folder / "grading"

    def nbgrader(self, person: str, where: Path, *commands: tuple[str, ...]) -> str:
        """Run commands, which must succeed, and return their output. Each person has a home folder."""
        home = self.folder / "homes" / person
        home.mkdir(parents=True, exist_ok=True)
        paths = os.pathsep.join([str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
        programs = os.pathsep.join(
            [str(Path(sys.executable).parent), os.environ["PATH"]]
        )  # nbgrader calls alembic
        known = {name: value for name, value in os.environ.items() if not re.match("JUPYTER|IPYTHON", name)}
        places = {
            "HOME": str(home),
            "POSENC_LESSONS_HOME": str(home / "choices"),
            "PYTHONPATH": paths,
            "PATH": programs,
        }
        done = subprocess.run(
            [sys.executable, "-c", ONE_AFTER_ANOTHER, json.dumps(commands)],
            cwd=where,
            env={**known, **places, "JUPYTER_PREFER_ENV_PATH": "1", "PYTHONUTF8": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=COMMAND_SECONDS,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def teacher(self, *commands: tuple[str, ...]) -> str:
        return self.nbgrader("teacher", self.course, *commands)

    def student(self, name: str, command: str) -> str:
        exchange = f"--Exchange.root={self.folder / 'exchange'}"
        own = [f"--student={name}"] if command != "fetch_assignment" else []
        home = self.folder / "homes" / name
        home.mkdir(parents=True, exist_ok=True)
        return self.nbgrader(name, home, (command, self.lesson, "--course=posenc_lessons", exchange, *own))

    def notebook(self, folder: Path) -> Path:
        return folder / self.lesson / f"{self.lesson}.ipynb"

    def write_into(self, path: Path, change: Change) -> None:
        """Change the notebook at ``path`` as a student did."""
        notebook = nbformat.read(path, as_version=4)
        changed = change(self.solved())
        assert changed.keys() <= {cell.id for cell in notebook.cells}
        for cell in notebook.cells:
            cell.source = changed.get(cell.id, cell.source)
        nbformat.write(notebook, path)

    def solved(self) -> dict[str, str]:
        """Return the answers, by the id of their cell."""
        source = nbformat.read(self.notebook(self.course / "source"), as_version=4)
        return {cell.id: cell.source for cell in source.cells if cell.metadata.nbgrader.solution}

    def graded(self) -> dict[str, float]:
        """Return each student's score from the table that ``nbgrader export --to=grades.csv`` has written."""
        with (self.course / "grades.csv").open(encoding="utf-8", newline="") as table:
            return {row["student_id"]: float(row["score"]) for row in csv.DictReader(table)}


def begin(folder: Path, lesson: str) -> Round:
    """Make a course folder with one assignment, ready to be handed out by the exchange in ``folder``."""
    options = exporting.Options("both", "nbgrader", (lesson,), folder / "grading")
    exporting.export(options, shipped_lessons(), lambda text: pytest.fail(text.en))
    exchange = folder / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    config = folder / "grading" / "nbgrader_config.py"
    unnamed = '# c.Exchange.root = "/srv/nbgrader/exchange"'
    settings = config.read_text(encoding="utf-8")
    assert unnamed in settings
    config.write_text(settings.replace(unnamed, f"c.Exchange.root = {str(exchange)!r}"), encoding="utf-8")
    going = Round(folder, lesson)
    going.teacher(("generate_assignment", lesson), ("release_assignment", lesson))
    assert "SOLUTION" not in going.notebook(going.course / "release").read_text(encoding="utf-8")
    return going


def lines(*written: str) -> str:
    return "\n".join(f"    {line}" for line in written)


def instead(source: str, *written: str) -> str:
    """Return a solved cell without its solution, and with these lines in place of the stub's dots."""
    stub = re.sub(r"^### BEGIN.*?### END SOLUTION\n", "", source, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"^    (return )?\.\.\.$", lines(*written), stub, count=1, flags=re.MULTILINE)


def some(solved: dict[str, str]) -> dict[str, str]:
    """Return a right answer that warns, one that raises, and one that is not Python."""
    noisy = ["import warnings, sys", "warnings.warn('careful')", "print('careful', file=sys.stderr)"]
    noisy.append("positions = positions.double()")
    noisy.append("angles = torch.outer(positions, base ** (-torch.arange(0, d_model, 2).double() / d_model))")
    noisy.append("return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)")
    return {
        "exercise-table": instead(solved["exercise-table"], *noisy),
        "exercise-apart": instead(solved["exercise-apart"], "raise ValueError('no')"),
        "exercise-head": "def my_head(:",
    }


def test_a_round(tmp_path: Path) -> None:
    going = begin(tmp_path, "02_sinusoidal")

    home = tmp_path / "homes" / "some"
    going.student("some", "fetch_assignment")
    going.write_into(going.notebook(home), some)
    (home / going.lesson / "torch.py").write_text(
        "raise ImportError('a torch of my own')\n", encoding="utf-8"
    )
    going.student("some", "submit")

    going.teacher(
        ("collect", going.lesson),
        ("autograde", going.lesson),
        ("export", "--to=grades.csv"),
        ("generate_feedback", going.lesson),
        ("release_feedback", going.lesson, "--student=some"),
    )
    assert going.graded() == {"some": 1}

    going.student("some", "fetch_feedback")
    (page,) = (home / going.lesson / "feedback").rglob("*.html")
    feedback = page.read_text(encoding="utf-8")
    assert "Score: 1.0 / 3.0" in feedback
    assert "你的函数在第" in feedback and "Your function raised" in feedback  # the check's own words
