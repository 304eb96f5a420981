"""The exercises as assignments: the lesson's stubs, the tested solutions, and cells that grade."""

import ast
import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from posenc_lessons.course.lessons import PACKAGE, lesson_names, shipped_lessons
from posenc_lessons.exercises.grading import NotPassed, grade
from posenc_lessons.exercises.verdict import Verdict
from posenc_lessons.export import assignments, exporting
from posenc_lessons.export.exercise_cells import BEGIN, END
from posenc_lessons.language import HAN, LANGUAGES, Language, Text

SHIPPED = shipped_lessons()
LESSONS = lesson_names(SHIPPED)
every_lesson = pytest.mark.parametrize("lesson", LESSONS)


def read(lesson: str) -> Any:
    return nbformat.read(SHIPPED / f"{lesson}.ipynb", as_version=4)


def exported(language: Language, folder: Path, *lessons: str) -> dict[str, str]:
    options = exporting.Options(language, "nbgrader", lessons, folder)
    written = exporting.export(options, SHIPPED, lambda text: pytest.fail(text.en))
    return {name: (folder / name).read_text(encoding="utf-8") for name in written}


def made(lesson: str) -> dict[str, Any]:
    """Return the cells of an assignment, by id."""
    return {cell.id: cell for cell in assignments.assignment(read(lesson), lesson, "both").cells}


@every_lesson
def test_an_assignment_without_solutions_has_the_lessons_exercises(lesson: str) -> None:
    exercises = {c.id: c for c in read(lesson).cells if re.match("exercise-", c.id) and c.cell_type == "code"}
    cells = made(lesson)
    assert exercises
    for name, exercise in exercises.items():
        emptied = re.sub(
            rf"^ *{BEGIN}\n.*?^ *{END}\n", "", cells[name].source, flags=re.DOTALL | re.MULTILINE
        )
        assert emptied == exercise.source
        assert cells[name].source.count(BEGIN) == cells[name].source.count(END) >= 1
    points = {name for name, cell in cells.items() if cell.metadata.nbgrader.grade}
    assert points == {f"{name}-points" for name in exercises}


@every_lesson
def test_every_cell_is_known_to_nbgrader_and_all_but_the_answers_are_locked(lesson: str) -> None:
    cells = made(lesson)
    nbformat.validate(nbformat.v4.new_notebook(cells=list(cells.values())))
    above = {line for name in assignments.TOOLS if name in cells for line in cells[name].source.split("\n")}
    for name, cell in cells.items():
        known = cell.metadata.nbgrader
        assert known.grade_id == name and re.fullmatch(r"[a-zA-Z0-9_\-]+", name)
        assert known.schema_version == 3 and known.cell_type == cell.cell_type and not known.task
        assert known.locked != known.solution
        assert ("points" in known) == known.grade
        # JupyterLab continues after a cell with this tag, so an unsolved exercise does not stop the rest.
        assert cell.metadata.get("tags") == (["raises-exception"] if known.grade else None)
        assert "solutions/" not in cell.source, "a link to the answers"
        if known.solution:  # imports only what the cells above lack
            assert not above & {line.strip() for line in cell.source.split("\n") if "import" in line}


# The cells run as with nbgrader, in a separate Python: they remove modules and import them again.
RUN_ALL = """
import ast, sys, nbformat
for path in sys.argv[1:]:
    space, verdicts = {}, 0
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code" and cell.id != "setup":
            exec(compile(cell.source, f"{path}:{cell.id}", "exec"), space)
"""


def test_the_solutions_earn_every_point(tmp_path: Path) -> None:
    sources = [str(tmp_path / name) for name in exported("both", tmp_path) if name.endswith(".ipynb")]
    assert len(sources) == len(LESSONS)
    paths = os.pathsep.join([str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", RUN_ALL, *sources],
        env={**os.environ, "PYTHONPATH": paths, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    exercises = sum(
        len([c for c in made(lesson).values() if c.metadata.nbgrader.grade]) for lesson in LESSONS
    )
    assert done.stdout.count("✔") == 2 * exercises  # in both languages


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_course_folder_in_a_language(language: Language, tmp_path: Path) -> None:
    files = exported(language, tmp_path, "02_sinusoidal", "06_cope")
    assert set(files) == {
        "nbgrader_config.py",
        "source/02_sinusoidal/02_sinusoidal.ipynb",
        "source/06_cope/06_cope.ipynb",
    }
    for name, content in files.items():
        if not name.endswith(".ipynb"):
            continue
        assert bool(HAN.search(content)) == (language != "en"), name
        assert language == "both" or "<div lang=" not in content, name
        for cell in nbformat.reads(content, as_version=4).cells:
            if cell.cell_type == "code":
                compile(cell.source, cell.id, "exec")


def test_nbgrader_reads_the_settings(tmp_path: Path) -> None:
    code = exported("both", tmp_path, "00_start_here")["nbgrader_config.py"]
    settings = {ast.unparse(n.targets[0]): n.value for n in ast.parse(code).body if isinstance(n, ast.Assign)}
    assert ast.literal_eval(settings["c.CourseDirectory.course_id"]) == "posenc_lessons"
    assert ast.literal_eval(settings["c.Execute.timeout"]) == 60  # seconds, as CLASSROOM.md says
    assert ast.literal_eval(settings["c.ClearSolutions.code_stub"]) == {"python": ""}  # the stub is above


def test_a_teachers_changes_stay(tmp_path: Path) -> None:
    exported("both", tmp_path, "02_sinusoidal")
    config = tmp_path / "nbgrader_config.py"
    config.write_text("c = get_config()\n", encoding="utf-8")
    said: list[Text] = []
    options = exporting.Options("both", "nbgrader", ("02_sinusoidal", "05_rotary"), tmp_path)
    written = exporting.export(options, SHIPPED, said.append)
    assert written == ["source/05_rotary/05_rotary.ipynb"]
    assert config.read_text(encoding="utf-8") == "c = get_config()\n"
    assert [text.en.split(" ")[0] for text in said] == ["nbgrader_config.py"]  # not the unchanged ones


@pytest.mark.parametrize(("status", "mark"), [("wrong", "✘"), ("not yet", "…")])
def test_a_wrong_answer_raises_an_error_with_the_checks_message(status: Any, mark: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as shown, pytest.raises(NotPassed) as raised:
        grade(lambda answer: Verdict(status, Text("不对。", "No.")), None)
    assert shown.getvalue() == ""
    assert raised.value._render_traceback_() == [f"{mark} 不对。\n{mark} No."]
