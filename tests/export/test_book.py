"""Lessons on paper: unfolded, with links between chapters and from the contents, printed by a browser."""

import os
import re
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import v4

from posenc_lessons.course.lessons import shipped_lessons
from posenc_lessons.export import assets, book, exporting, pdf
from posenc_lessons.export.one_language import in_language
from posenc_lessons.language import Language
from tests.support.exported import Page, dead_links


def no_browser() -> bool:
    """Return whether this machine has no browser that prints."""
    try:
        pdf.find_browser()
    except pdf.NoBrowser:
        return True
    return False


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
    assert "src: url(data:font/woff2;base64," in book.book_html(course, "en")


@pytest.mark.parametrize(("words", "brought"), [("<p>门 door</p>", True), ("<p>door</p>", False)])
def test_a_document_with_chinese_brings_a_font_for_it(words: str, brought: bool) -> None:
    faces = assets.font_faces(words)
    assert ('"Posenc Sans SC"; font-weight: 400' in faces) == brought
    assert faces.count('"Posenc Text"; font-weight') == 2  # regular and bold


def test_paper_has_no_solution_below_an_exercise_and_no_words_for_pages(course: dict[str, Any]) -> None:
    markup = book.book_html(course, "en")
    assert "swap_ends" in markup and 'class="solution"' not in markup
    assert "Drag. Press Shift." in markup


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


def test_without_a_browser_it_says_so_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POSENC_CHROMIUM", raising=False)
    monkeypatch.setattr(pdf.shutil, "which", lambda command: None)
    monkeypatch.setattr(pdf, "PATHS", ())
    options = exporting.Options("en", "book", ("02_sinusoidal",), tmp_path / "out")
    with pytest.raises(pdf.NoBrowser, match=r"takes Chromium, Chrome or Edge[\s\S]*没有找到"):
        exporting.export(options, shipped_lessons(), lambda text: pytest.fail("nothing is run"))
    assert list(tmp_path.iterdir()) == []


def test_a_named_browser_that_does_not_exist_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSENC_CHROMIUM", "/nowhere/chromium")
    with pytest.raises(pdf.NoBrowser, match="/nowhere/chromium"):
        pdf.find_browser()


@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")
def test_a_browser_that_prints_nothing_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\necho it broke >&2\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setenv("POSENC_CHROMIUM", str(broken))
    with pytest.raises(pdf.NoBrowser, match=r"it broke[\s\S]*没有生成"):
        pdf.print_page("<p>x</p>")
