"""nbgrader's whole round, by its own commands: out to the students, back, graded, and the marks as a table.

Teacher and students are folders and names here, not users of the machine: the tests need no rights.
"""

from __future__ import annotations

import csv
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from posenc_lessons.course.export import exporting
from posenc_lessons.course.folder import PACKAGE, shipped_lessons

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="nbgrader's exchange does not work on Windows"),
    pytest.mark.skipif(importlib.util.find_spec("nbgrader") is None, reason="nbgrader is not installed"),
]

Change = Callable[[dict[str, str]], dict[str, str | None]]  # solved cells -> what a student's cells become
COMMAND_SECONDS = 200
CELL_SECONDS = 15  # less than the course folder says, but enough to load torch on a busy machine


@dataclass(frozen=True)
class Round:
    """One lesson on its way through nbgrader in ``folder``."""

    folder: Path
    lesson: str

    @property
    def course(self) -> Path:
        return self.folder / "grading"

    def nbgrader(self, person: str, where: Path, *arguments: str) -> str:
        """What the command says; it must succeed. Each person has a home, as on a machine of many users."""
        home = self.folder / "homes" / person
        home.mkdir(parents=True, exist_ok=True)
        paths = os.pathsep.join([str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
        programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # alembic is one
        known = {name: value for name, value in os.environ.items() if not re.match("JUPYTER|IPYTHON", name)}
        places = {
            "HOME": str(home),
            "POSENC_LESSONS_HOME": str(home / "choices"),
            "PYTHONPATH": paths,
            "PATH": programs,
        }
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *arguments],
            cwd=where,
            env={**known, **places, "JUPYTER_PREFER_ENV_PATH": "1", "PYTHONUTF8": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=COMMAND_SECONDS,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def teacher(self, *arguments: str) -> str:
        return self.nbgrader("teacher", self.course, *arguments)

    def student(self, name: str, command: str) -> str:
        exchange = f"--Exchange.root={self.folder / 'exchange'}"
        own = [f"--student={name}"] if command != "fetch_assignment" else []
        home = self.folder / "homes" / name
        home.mkdir(parents=True, exist_ok=True)
        return self.nbgrader(name, home, command, self.lesson, "--course=posenc_lessons", exchange, *own)

    def hand_in(self, name: str, change: Change) -> None:
        """Fetch the assignment, write into it, submit it."""
        self.student(name, "fetch_assignment")
        path = self.folder / "homes" / name / self.lesson / f"{self.lesson}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        changed = change(self.solved())
        assert changed.keys() <= {cell.id for cell in notebook.cells}
        for cell in notebook.cells:
            cell.source = changed.get(cell.id, cell.source)
        notebook.cells = [cell for cell in notebook.cells if cell.source is not None]
        nbformat.write(notebook, path)
        self.student(name, "submit")

    def solved(self) -> dict[str, str]:
        """The answers, by the id of their cell."""
        source = nbformat.read(self.course / "source" / self.lesson / f"{self.lesson}.ipynb", as_version=4)
        return {cell.id: cell.source for cell in source.cells if cell.metadata.nbgrader.solution}

    def graded(self) -> dict[str, float]:
        """Everybody's score, from the table that ``nbgrader export`` writes."""
        self.teacher("export", "--to=grades.csv")
        with (self.course / "grades.csv").open(encoding="utf-8", newline="") as table:
            return {row["student_id"]: float(row["score"]) for row in csv.DictReader(table)}


def begin(folder: Path, lesson: str) -> Round:
    """A course folder with one assignment, released."""
    order = exporting.Order("both", "nbgrader", (lesson,), folder / "grading")
    exporting.export(order, shipped_lessons(), lambda text: pytest.fail(text.en))
    exchange = folder / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    config = folder / "grading" / "nbgrader_config.py"
    unnamed = '# c.Exchange.root = "/srv/nbgrader/exchange"'
    settings = config.read_text(encoding="utf-8")
    assert unnamed in settings
    config.write_text(settings.replace(unnamed, f"c.Exchange.root = {str(exchange)!r}"), encoding="utf-8")
    going = Round(folder, lesson)
    going.teacher("generate_assignment", lesson)
    going.teacher("release_assignment", lesson)
    return going


def everybody_hands_in(going: Round, students: dict[str, Change]) -> None:
    with ThreadPoolExecutor(4) as together:
        list(together.map(going.hand_in, students, students.values()))
    going.teacher("collect", going.lesson)


def lines(*written: str) -> str:
    return "\n".join(f"    {line}" for line in written)


def instead(source: str, *written: str) -> str:
    """A solved cell with these lines in place of the solution."""
    return re.sub(
        r"^ *### BEGIN.*?### END SOLUTION$", lines(*written), source, flags=re.DOTALL | re.MULTILINE
    )


def everything(solved: dict[str, str]) -> dict[str, str | None]:
    return {**solved}


def nothing(solved: dict[str, str]) -> dict[str, str | None]:
    return {}


def some(solved: dict[str, str]) -> dict[str, str | None]:
    """Two right, one of which warns; one wrong; the others not begun."""
    noisy = ("import warnings, sys", "warnings.warn('careful')", "print('careful', file=sys.stderr)")
    return {
        "exercise-frequencies": solved["exercise-frequencies"].replace(
            "    ### BEGIN SOLUTION", lines(*noisy)
        ),
        "exercise-table": solved["exercise-table"],
        "exercise-add": instead(solved["exercise-add"], "return x + table"),
    }


def with_errors(solved: dict[str, str]) -> dict[str, str | None]:
    """All right but a function that raises and a cell that is no Python."""
    return {
        **solved,
        "exercise-add": instead(solved["exercise-add"], "raise ValueError('no')"),
        "exercise-shift": "def my_shift_matrix(:",
    }


def test_a_round(tmp_path: Path) -> None:
    going = begin(tmp_path, "02_sinusoidal")
    released = going.course / "release" / "02_sinusoidal" / "02_sinusoidal.ipynb"
    assert "SOLUTION" not in released.read_text(encoding="utf-8")
    assert "Success!" in going.teacher("validate", "source/02_sinusoidal/02_sinusoidal.ipynb")
    students: dict[str, Change] = {"ann": everything, "bo": some, "cy": nothing, "di": with_errors}
    everybody_hands_in(going, students)
    going.teacher("autograde", going.lesson, f"--Execute.timeout={CELL_SECONDS}")
    assert going.graded() == {"ann": 5, "bo": 2, "cy": 0, "di": 3}

    going.teacher("generate_feedback", going.lesson)
    going.teacher("release_feedback", going.lesson)
    going.student("bo", "fetch_feedback")
    (page,) = (tmp_path / "homes" / "bo" / going.lesson / "feedback").rglob("*.html")
    feedback = page.read_text(encoding="utf-8")
    assert "Score: 2.0 / 5.0" in feedback
    assert "还没有作答" in feedback and "Not yet" in feedback  # the check's words, in both languages


CHEAT = """\
import posenc_lessons.course.checks.grading as grading
import posenc_lessons.course.checks.rotary as checks
from posenc_lessons.course.checks.verdict import Verdict

grading.grade = lambda check, answer: None
checks.check_rotate = check_rotate = lambda answer: Verdict("passed", None)
Verdict.passed = True


def rotate(x, positions, base):
    return x
"""


def endless(solved: dict[str, str]) -> dict[str, str | None]:
    """All right but a loop that never ends; without its own call of the check, to wait once and not twice."""
    loop = instead(solved["exercise-score"], "while True:", "    pass")
    return {**solved, "exercise-score": loop.replace("check_rotary_score(rotary_score)", "")}


def tampered(solved: dict[str, str]) -> dict[str, str | None]:
    """One right, whose points were deleted; a check of their own; points given by hand; an answer deleted."""
    return {
        "exercise-rotate": CHEAT,
        "exercise-score": solved["exercise-score"],
        "exercise-score-points": None,
        "exercise-partial-points": "pass",
        "exercise-tables": None,
    }


def test_an_endless_loop_and_changed_checks(tmp_path: Path) -> None:
    going = begin(tmp_path, "05_rotary")
    smuggled = tmp_path / "homes" / "flo" / "05_rotary" / "torch.py"

    def with_a_module(solved: dict[str, str]) -> dict[str, str | None]:
        smuggled.write_text("raise ImportError('a module of my own')\n", encoding="utf-8")
        return {**solved}

    everybody_hands_in(going, {"ed": endless, "eve": tampered, "flo": with_a_module})
    said = going.teacher("autograde", going.lesson, f"--Execute.timeout={CELL_SECONDS}")
    assert said.count(f"Timeout waiting for execute reply ({CELL_SECONDS}s)") == 1
    assert going.graded() == {"ed": 5, "eve": 1, "flo": 6}
