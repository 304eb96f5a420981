"""What a lesson asks of a reader: minutes for its core, visible lines of code, folded sections."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from posenc_lessons.course.lessons import lesson_names, promised, shipped_lessons
from posenc_lessons.course.sections import FOLDED, deeper, folded, level
from tests.course.minutes import LONGEST, Lesson, long_cells, measured

FOLDER = shipped_lessons()
LESSONS = lesson_names(FOLDER)
WITH_A_CORE = LESSONS[1:]  # lesson 00 promises no minutes
OFF = 6  # minutes by which the count may differ from the title


def cells(lesson: str) -> list[Any]:
    return list(json.loads((FOLDER / f"{lesson}.ipynb").read_text(encoding="utf-8"))["cells"])


@pytest.mark.parametrize("lesson", WITH_A_CORE)
def test_a_core_takes_the_minutes_that_its_title_promises(lesson: str) -> None:
    found = measured(FOLDER, lesson)
    assert found.promised is not None and found.promised <= LONGEST
    counted = (found.core["zh"] + found.core["en"]) / 2
    assert abs(counted - found.promised) <= OFF, f"{lesson}: {counted:.0f}, not {found.promised}"


@pytest.mark.parametrize("lesson", WITH_A_CORE)
def test_a_cell_of_the_core_shows_at_most_15_lines(lesson: str) -> None:
    assert long_cells(FOLDER, lesson) == {}


@pytest.mark.parametrize("lesson", LESSONS)
def test_folded_sections_are_marked_as_deeper(lesson: str) -> None:
    wrong = []
    for cell in cells(lesson):
        heading = "".join(cell["source"]).split("\n")[0]
        said = bool(level(cell)) and bool(re.search("深入|选读", heading)) and "eeper" in heading
        if said != folded(cell):
            wrong.append(heading)
    assert wrong == []


def prose(name: str, source: str, **metadata: bool) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": name, "metadata": metadata, "source": source}


def code(name: str, source: str, *pictures: str, hidden: bool = False) -> dict[str, Any]:
    outputs = [{"output_type": "display_data", "data": {"image/png": each}} for each in pictures]
    known = {"jupyter": {"source_hidden": True}} if hidden else {}
    return {"cell_type": "code", "id": name, "metadata": known, "source": source, "outputs": outputs}


def test_a_deeper_section_ends_with_the_next_heading_of_its_level() -> None:
    around = [
        prose("a", "## A"),
        prose("b", "## B", **{FOLDED: True}),
        prose("c", "### C", **{FOLDED: True}),
        prose("d", "text"),
        prose("e", "## E"),
        prose("f", "### F", **{FOLDED: True}),
        prose("g", "## G"),
    ]
    assert deeper(around) == {"b", "c", "d", "f"}
    assert deeper([prose("a", "text", **{FOLDED: True}), prose("b", "text")]) == set()
    assert deeper([prose("a", "## A", **{FOLDED: True}), prose("b", "# B"), prose("c", "text")]) == {"a"}


def counted(folder: Path, *of: dict[str, Any]) -> Lesson:
    """Count a lesson of these cells."""
    (folder / "07_x.ipynb").write_text(json.dumps({"cells": of}), encoding="utf-8")
    return measured(folder, "07_x")


TITLE = """\
# 07 课 · Lesson

<div lang="zh">

大约 40 分钟。

</div>
<div lang="en">

About 40 minutes.

</div>"""
BOTH = '<div lang="zh">\n\n{}\n\n</div>\n<div lang="en">\n\n{}\n\n</div>'


@pytest.mark.parametrize(
    ("cell", "zh", "en"),
    [
        (prose("p", BOTH.format("字" * 203, "word " * 160)), 1, 1),
        (
            prose("p", BOTH.format("看[这里](02_sinusoidal.ipynb#cell-id=definition)", "see")),
            3 / 203,
            1 / 160,
        ),
        (prose("p", BOTH.format("", "") + "\n\n$$a = b$$"), 0.5, 0.5),
        (code("c", "\n".join(["x = 1  # note", "", "# a remark"] * 12)), 1, 1),
        (code("c", "x = 1\n" * 24, "png", "png", hidden=True), 1, 1),
        (code("c", "SinusoidExplorer(d_model=8)"), 3, 3),
        ({**code("c", "guess()"), "metadata": {"guess": "x"}}, 0.375, 0.375),
    ],
)
def test_reading_and_exercises_are_counted(
    cell: dict[str, Any], zh: float, en: float, tmp_path: Path
) -> None:
    title, last = prose("title", TITLE), prose("deep", "## 深入 · Deeper", **{FOLDED: True})
    before = counted(tmp_path, title, last)
    after = counted(tmp_path, title, cell, last, {**cell, "id": f"{cell['id']}-again"})
    assert after.promised == 40
    for spoken, minutes in (("zh", zh), ("en", en)):
        assert after.core[spoken] - before.core[spoken] == pytest.approx(minutes)
        assert after.whole[spoken] - before.whole[spoken] == pytest.approx(2 * minutes)


@pytest.mark.parametrize(("said", "minutes"), [("约 8 分钟 · about 8 minutes", 8.0), ("", 6.0)])
def test_an_exercise_says_how_long_it_takes(said: str, minutes: float, tmp_path: Path) -> None:
    asked = [prose("exercise-x-text", said), code("exercise-x", "f")]
    assert counted(tmp_path, prose("title", ""), *asked).core["en"] == minutes


@pytest.mark.parametrize(
    ("zh", "en", "minutes"),
    [
        ("一个半小时以后你", "In an hour and a half you", 90),
        ("一个小时以后你", "In an hour you", 60),
        ("大约 40 分钟", "about 40 minutes", 40),
        ("以后你", "Soon you", None),
    ],
)
def test_a_title_may_promise_in_words(zh: str, en: str, minutes: int | None) -> None:
    assert [promised(BOTH.format(zh, en), language) for language in ("zh", "en")] == [minutes, minutes]


def test_a_cell_with_too_much_code_is_named(tmp_path: Path) -> None:
    shown = [
        code("short", "x = 1\n" * 14 + "x"),
        code("long", "x = 1\n" * 15 + "x"),
        code("hidden", "x = 1\n" * 20, hidden=True),
        prose("deep", "## 深入 · Deeper", **{FOLDED: True}),
        code("inside", "x = 1\n" * 20),
    ]
    counted(tmp_path, *shown)
    assert long_cells(tmp_path, "07_x") == {"long": 16}
