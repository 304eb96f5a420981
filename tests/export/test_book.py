"""Lessons on paper: unfolded, one document with links between its chapters and from its contents."""

from __future__ import annotations

import re
import sys
from typing import Any

import nbformat
import pytest
from nbformat import v4

from posenc_lessons.course.lessons import shipped_lessons
from posenc_lessons.export import book, pdf
from posenc_lessons.export.one_language import in_language
from posenc_lessons.language import Language
from tests.export.test_pdf import no_browser
from tests.support.exported import Page, dead_links

EXERCISE = """from posenc_lessons.exercises.start_here import check_swap_ends

def swap_ends(words):
    return ...

check_swap_ends(swap_ends)"""


def prose(source: str, name: str) -> Any:
    return v4.new_markdown_cell(source, id=name)


@pytest.fixture
def course() -> dict[str, Any]:
    """Return two lessons that link to each other, a question and a solution, in English."""
    exercise = v4.new_code_cell(EXERCISE, id="exercise-ends", metadata={"exercise": "start_here.swap_ends"})
    jupyterlab = "Drag<!-- page: here-->.<!-- JupyterLab --> Press Shift.<!-- /JupyterLab -->"
    first = [prose("# 01 First\n\nSee [later](02_second.ipynb#cell-id=more).", "title"), exercise]
    first.append(prose(f"## 1 · Deeper\n\n{jupyterlab}", "deep"))
    second = [prose("# 02 Second\n\n[First](01_first.ipynb), [gone](03_third.ipynb).", "title")]
    second.append(prose("## 1 · More $x_i$", "more"))
    question = prose("# Why?\n\n[Here](../01_first.ipynb#deep)", "title")
    return {
        "01_first.ipynb": v4.new_notebook(cells=first),
        "02_second.ipynb": v4.new_notebook(cells=second),
        "questions/why.ipynb": v4.new_notebook(cells=[question]),
        "solutions/01_first.ipynb": v4.new_notebook(cells=[prose("# 01 First: solutions", "title")]),
    }


def test_the_contents_link_to_every_chapter_and_chapters_to_each_other(course: dict[str, Any]) -> None:
    page = Page(book.book_html(course, "en"))
    assert page.links == [
        *("#01_first.title", "#01_first.deep", "#02_second.title", "#02_second.more"),
        *("#questions-why.title", "#solutions-01_first.title"),
        *("#02_second.more", "#01_first.title", "#01_first.deep"),
    ]
    assert dead_links({"book.html": page}) == []
    assert [source for source in page.loaded if not source.startswith("data:")] == []


def test_paper_has_no_solution_below_an_exercise_and_no_words_for_pages(course: dict[str, Any]) -> None:
    markup = book.book_html(course, "en")
    assert "swap_ends" in markup and 'class="solution"' not in markup
    assert "Drag. Press Shift." in markup
    alone = Page(book.lesson_html("02_second.ipynb", course["02_second.ipynb"], "en"))
    assert alone.links == [] and alone.language == "en" and "Contents" not in alone.said


@pytest.mark.sweep
@pytest.mark.skipif(no_browser() or sys.platform == "win32", reason="no Chromium here")
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_book_is_printed_with_bookmarks(language: Language) -> None:
    names = ("00_start_here.ipynb", "glossary.ipynb", "solutions/00_start_here.ipynb")
    read = {name: nbformat.read(shipped_lessons() / name, as_version=4) for name in names}
    files = pdf.book_pdf({name: in_language(one, language) for name, one in read.items()}, language)
    ((name, content),) = files.items()
    assert name == f"posenc_lessons.{language}.pdf" and content.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b", content)) > 8
    assert b"/Outlines" in content and b"/Dests" in content
