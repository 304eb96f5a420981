"""What a lesson asks of a reader: minutes for its core, visible lines of code, folded sections."""

import json
import re
from typing import Any

import pytest

from posenc_lessons.course.lessons import PACKAGE, lesson_names, promised, shipped_lessons
from posenc_lessons.course.sections import FOLDED, deeper, folded, level
from tests.course.minutes import CHARACTERS, CODE_LINE, LONGEST, WORDS, long_cells, measured

FOLDER = shipped_lessons()
LESSONS = lesson_names(FOLDER)
WITH_A_CORE = LESSONS[1:]  # lesson 00 promises no minutes
OFF = 6  # minutes by which the count may differ from the title


@pytest.mark.parametrize("lesson", WITH_A_CORE)
def test_a_core_takes_the_minutes_that_its_title_promises(lesson: str) -> None:
    found = measured(FOLDER, lesson)
    assert found.promised is not None and found.promised <= LONGEST
    counted = (found.core["zh"] + found.core["en"]) / 2
    assert abs(counted - found.promised) <= OFF, f"{lesson}: {counted:.0f}, not {found.promised}"


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_core_shows_few_lines_of_code_and_folded_sections_are_marked_as_deeper(lesson: str) -> None:
    assert long_cells(FOLDER, lesson) == {} or lesson == LESSONS[0]
    for cell in json.loads((FOLDER / f"{lesson}.ipynb").read_text(encoding="utf-8"))["cells"]:
        heading = "".join(cell["source"]).split("\n")[0]
        marked = bool(level(cell)) and bool(re.search("深入.*eeper|选读.*eeper|实战.*In practice", heading))
        assert marked == folded(cell), heading


def test_pages_count_the_minutes_to_an_exercise_at_the_same_pace() -> None:
    script = (PACKAGE / "export" / "page" / "sections.js").read_text(encoding="utf-8")
    assert f"WORDS = {WORDS}, CHARACTERS = {CHARACTERS}, LINES = {1 / CODE_LINE:.0f};" in script


def prose(name: str, source: str, **metadata: bool) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": name, "metadata": metadata, "source": source}


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


def test_a_title_promises_minutes_in_each_language() -> None:
    title = '<div lang="zh">\n\n大约 40 分钟\n\n</div>\n<div lang="en">\n\nabout 45 minutes\n\n</div>'
    assert [promised(title, language) for language in ("zh", "en")] == [40, 45]
    assert promised("About 30 minutes", "en") == 30 and promised("Soon you", "en") is None
