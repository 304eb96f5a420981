"""Questions that people ask: short pages with an answer, an explorer, code that runs, and further links."""

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from posenc_lessons.course.lessons import QUESTIONS, lesson_files
from posenc_lessons.explorers import EXPLORERS
from tests.notebooks import bilingual, record

FOLDER = record.ROOT / "notebooks"
FOUND = sorted((FOLDER / QUESTIONS).glob("*.ipynb"))
CELLS = ["title", "setup", "see", "explorer", "words", "run", "code", "more"]
MOST_WORDS = {"title": (45, 25), "words": (300, 120)}  # Chinese characters, English words
WORD = re.compile(r"[\u4e00-\u9fff]|[A-Za-z0-9_]+")  # of a Chinese text
MOST_LINES = 12  # lines of a question's own code, without imports and the seed
LARGEST = 150_000  # bytes
THREAD = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+/(issues|pull)/\d+")
LESSON = re.compile(r"\.\./(\d\d_\w+\.ipynb)#cell-id=([a-z0-9-]+)")

each_question = pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)


def cells(path: Path) -> dict[str, Any]:
    return {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}


def said(cell: Any, language: str) -> str:
    (text,) = [block.text for block in bilingual.split(cell.source)[0] if block.language == language]
    return text


def test_there_are_at_least_sixteen_questions_and_they_ship_with_the_lessons() -> None:
    assert len(FOUND) >= 16
    assert {path.relative_to(FOLDER) for path in FOUND} <= set(lesson_files(FOLDER))


@each_question
def test_a_question_has_answer_explorer_code_and_links(path: Path) -> None:
    found = cells(path)
    assert list(found) == CELLS
    assert re.fullmatch(r"# .*[\u4e00-\u9fff？].* · .+\?", found["title"].source.split("\n")[0])
    for cell, (most_zh, most_en) in MOST_WORDS.items():
        assert 0 < len(WORD.findall(said(found[cell], "zh"))) <= most_zh, cell
        assert 0 < len(said(found[cell], "en").split()) <= most_en, cell
    for language in ("zh", "en"):
        assert "\n" not in said(found["title"], language).strip()  # one paragraph
        assert said(found["see"], language).strip()
        links = said(found["more"], language)
        assert THREAD.search(links)
        for lesson, cell in LESSON.findall(links) or pytest.fail("no link to a lesson's cell"):
            assert cell in cells(FOLDER / lesson)


@each_question
def test_its_code_is_short_and_its_file_is_small(path: Path) -> None:
    found = cells(path)
    shown, code = found["explorer"], found["code"]
    (explorer,) = re.findall(r"^(\w+)\(.*\)$", shown.source, re.M)
    assert explorer in {kind.__name__ for kind in EXPLORERS}
    assert shown.metadata == {"jupyter": {"source_hidden": True}}
    own = [
        line for line in code.source.split("\n") if line and not re.match("import|from|torch.manual", line)
    ]
    assert len(own) <= MOST_LINES and not code.metadata and code.outputs
    assert path.stat().st_size <= LARGEST
