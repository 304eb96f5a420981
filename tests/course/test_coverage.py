"""Every section of the study notes is treated somewhere, and what the table points at is there."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from posenc_lessons.course import coverage
from posenc_lessons.course.coverage import CELLS, COVERAGE, DOCUMENTS, LESSONS, Lesson, Section

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
HOW_MANY = {0: 8, 1: 6, 2: 3, 3: 8, 4: 6}  # sections of each set of notes
READY = [lesson for lesson in LESSONS if lesson.ready]
TREATED = [(section, lesson) for section in COVERAGE for lesson in READY if lesson.number in section.lessons]


def test_every_section_is_in_the_table_once() -> None:
    expected = [f"§{notes}.{number}" for notes, last in HOW_MANY.items() for number in range(1, last + 1)]
    assert [section.number for section in COVERAGE] == expected


def test_titles_are_in_both_languages_and_all_different() -> None:
    titles = [section.title for section in COVERAGE] + list(DOCUMENTS) + [lesson.title for lesson in LESSONS]
    for title in titles:
        assert re.search(r"[\u4e00-\u9fff]", title.zh) and not re.search(r"[\u4e00-\u9fff]", title.en)
    assert len({title.zh for title in titles[: len(COVERAGE)]}) == len(COVERAGE)
    assert len({title.en for title in titles[: len(COVERAGE)]}) == len(COVERAGE)


def test_every_section_has_a_lesson_and_every_lesson_a_section() -> None:
    numbers = {lesson.number for lesson in LESSONS}
    assert all(section.lessons and set(section.lessons) <= numbers for section in COVERAGE)
    assert {number for section in COVERAGE for number in section.lessons} == numbers


@pytest.mark.parametrize(
    ("section", "lesson"), TREATED, ids=[f"{section.number}-{lesson.number}" for section, lesson in TREATED]
)
def test_a_ready_lesson_treats_the_section_in_cells_that_exist(section: Section, lesson: Lesson) -> None:
    cells = section.cells(lesson)
    assert cells, f"{lesson.stem} names no cell for {section.number}"
    there = {cell.id for cell in nbformat.read(NOTEBOOKS / f"{lesson.stem}.ipynb", as_version=4).cells}
    assert set(cells) <= there and len(set(cells)) == len(cells)


def test_cells_are_named_only_for_sections_their_lesson_treats() -> None:
    """Else the table would not show them."""
    shown = {(lesson.stem, section.number) for section, lesson in TREATED}
    named = {(stem, number) for stem, sections in CELLS.items() for number in sections}
    assert named <= shown


def test_the_table_links_to_cells_and_says_what_is_coming() -> None:
    page = coverage.table()._repr_mimebundle_()["text/html"]
    assert 'href="01_why_position.ipynb#cell-id=shuffle-explorer"' in page
    for lesson in LESSONS:
        if not lesson.ready:
            assert f"{lesson.number} · coming" in page and f"{lesson.number} · 即将推出" in page
            assert f"{lesson.stem}.ipynb" not in page
    assert page.count('<div lang="zh">') == page.count('<div lang="en">')
    assert all(section.number in repr(coverage.table()) for section in COVERAGE)
