"""The bound book contains everything unfolded, and every page number is right."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import nbformat
import pikepdf
import pytest
from nbformat import v4

from posenc_lessons.course.lessons import lesson_names, shipped_lessons
from posenc_lessons.course.sections import FOLDED
from posenc_lessons.exercises.start_here import SWAP_ENDS
from posenc_lessons.export import book, exporting, mistakes, pdf
from posenc_lessons.export.markdown import plain
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.paper import on_paper
from posenc_lessons.export.printed_pdf import PrintedPdf
from posenc_lessons.language import BilingualRuntimeError, Language
from tests.export.test_pdf import found
from tests.support.exported import PIXEL

SHIPPED = shipped_lessons()
ASKED = """from posenc_lessons.exercises.start_here import check_swap_ends

def swap_ends(words):
    return ...

check_swap_ends(swap_ends)"""


def prose(source: str, name: str, folded: bool = False) -> Any:
    return v4.new_markdown_cell(source, id=name, metadata={FOLDED: True} if folded else {})


def code(source: str, name: str, picture: bool = False, hidden: bool = False) -> Any:
    data = {"image/png": PIXEL, "text/plain": "a picture"} if picture else {"text/plain": "it says so"}
    shown = v4.new_output("display_data", data, metadata={"image/png": {"width": 500}})
    metadata = {"jupyter": {"source_hidden": True}} if hidden else {}
    return v4.new_code_cell(source, id=name, outputs=[shown], metadata=metadata)


def notebook(*cells: Any) -> Any:
    return v4.new_notebook(cells=list(cells))


@pytest.fixture
def course() -> dict[str, Any]:
    """Return two lessons that link to each other, a question and a solution, in English."""
    hint = "<details>\n<summary>Hint 1</summary>\n\nCount **twice**.\n\n</details>"
    return {
        "01_first.ipynb": notebook(
            prose("# 01 First\n\nSee [later](02_second.ipynb#cell-id=more).", "title"),
            code("draw(everything)", "picture", picture=True, hidden=True),
            code("compare(everything)", "compared", hidden=True),
            prose("## 1 · Deeper (deeper)\n\nDown here.", "deep", folded=True),
            prose("## 2 · Bug clinic", "bug-clinic"),
            prose("### Case 1: off by one", "bug-one"),
            prose("## 3 · Exercises", "exercises"),
            prose(f"### Exercise 1: ends\n\nSwap them.\n\n{hint}", "exercise-text"),
            code(ASKED, "exercise-swap-ends"),
        ),
        "02_second.ipynb": notebook(
            prose("# 02 Second\n\nBack to [the first](01_first.ipynb).", "title"),
            prose(f"## 1 · More $x_i$\n\n{'Words enough for a page or more. ' * 300}", "more"),
            code("RotationExplorer()", "explorer", picture=True),
        ),
        "questions/why.ipynb": notebook(prose("# Why?\n\n[Here](../01_first.ipynb#cell-id=deep).", "title")),
        "solutions/01_first.ipynb": notebook(
            prose("# 01 First: solutions", "title"), code("check_swap_ends(solution)", "solved")
        ),
    }


def test_nothing_is_folded_and_only_hidden_code_is_left_out(course: dict[str, Any]) -> None:
    markup, headings = on_paper("01_first.ipynb", course, "en")
    said = plain(markup)
    assert "<details" not in markup and "</details>" not in markup
    assert "Hint 1 Count twice." in said and "Down here." in said and "compare(everything)" in said
    assert "draw(everything)" not in said
    assert [(heading.level, heading.words) for heading in headings][:2] == [
        (1, "01 First"),
        (2, "1 · Deeper (deeper)"),
    ]


def test_an_explorer_says_where_it_moves(course: dict[str, Any]) -> None:
    for lesson, times in (("01_first.ipynb", 0), ("02_second.ipynb", 1)):
        markup, _ = on_paper(lesson, course, "en")
        assert plain(markup).count("run posenc-lessons explore and choose “Rotation”") == times


def test_the_index_names_cases_and_mistakes_with_their_pages(course: dict[str, Any]) -> None:
    made = book.book_html(course, "en")
    index = made[made.index('id="mistakes.title"') :]
    assert "Case 1: off by one<!--page 01_first.bug-one-->" in re.sub("</?(?:a|span)[^>]*>", "", index)
    for place in ("01_first.exercise-swap-ends", "solutions-01_first.solved"):
        assert f"<!--page {place}-->" in index
    assert plain(index).count("the last word came to the front, but the old first word is lost.") == 1


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_link_and_page_number_leads_into_the_book(language: Language) -> None:
    names = [
        "00_start_here",
        "02_sinusoidal",
        "glossary",
        "questions/extrapolation",
        "solutions/02_sinusoidal",
    ]
    notebooks = {
        f"{name}.ipynb": in_language(nbformat.read(SHIPPED / f"{name}.ipynb", as_version=4), language)
        for name in names
    }
    made = book.book_html(notebooks, language)
    known = re.findall(r' id="([^"]*)"', made)
    assert len(known) == len(set(known))
    linked = {*re.findall(r'href="#([^"]*)"', made), *re.findall(r"<!--page (\S+)-->", made)}
    assert len(linked) > 50 and linked <= set(known)


@pytest.mark.parametrize("lesson", lesson_names(SHIPPED))
def test_every_exercise_of_a_lesson_is_in_the_index_with_its_solution(lesson: str) -> None:
    solutions = nbformat.read(SHIPPED / "solutions" / f"{lesson}.ipynb", as_version=4)
    notebook = nbformat.read(SHIPPED / f"{lesson}.ipynb", as_version=4)
    asked = [*mistakes.exercises(notebook, solutions)]
    assert [each.cell for each in asked] == [
        cell.id for cell in notebook.cells if cell.cell_type == "code" and cell.id.startswith("exercise-")
    ]
    assert all(each.solution and len(each.messages) >= 4 for each in asked)
    assert lesson[:2] == "00" or [*mistakes.clinic_cases(notebook)]


def test_every_mistake_is_listed_once_with_its_values_filled_in() -> None:
    told = [*mistakes.messages(SWAP_ENDS)]
    assert len(told) == len({mistake.text for mistake in [*SWAP_ENDS.mistakes, *SWAP_ENDS.examples]})
    assert not any("{" in text.en or "{" in text.zh for text in told)


@dataclass
class Press:
    """A stand-in for printing, which returns the next of the given tables of pages."""

    answers: list[dict[str, int]]
    given: str = ""

    def __call__(self, markup: str) -> Any:
        self.given = markup
        return self

    def pages_by_id(self) -> Mapping[str, int]:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def test_the_book_is_printed_until_its_page_numbers_are_true(course: dict[str, Any]) -> None:
    press = Press([{"01_first.h0": 9}, {"01_first.h0": 10}, {"01_first.h0": 10}])
    book.print_book(course, "en", press)
    assert '<span>01 First</span><span class="at">10</span>' in press.given


def test_page_numbers_that_never_settle_are_an_error(course: dict[str, Any]) -> None:
    with pytest.raises(BilingualRuntimeError, match="still changing"):
        book.print_book(course, "en", Press([{"a": page} for page in range(9)]))


def test_in_both_languages_there_are_two_books(
    course: dict[str, Any], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: dict[str, list[str]] = {}
    monkeypatch.setattr(pdf, "find_browser", lambda: "chromium")
    monkeypatch.setitem(
        exporting.FORMS,
        "book",
        lambda notebooks, language: made.update({language: [*notebooks]}) or {f"{language}.pdf": b""},
    )
    options = exporting.Options("both", "book", ("03_learned",), tmp_path, run=False)
    assert exporting.export(options, SHIPPED, print) == ["en.pdf", "zh.pdf"]
    both = ["03_learned.ipynb", "solutions/03_learned.ipynb"]
    assert made == {"zh": both, "en": both}


@pytest.mark.skipif(not found() or sys.platform == "win32", reason="no Chromium here")
def test_on_paper_every_page_number_is_true_and_every_heading_a_bookmark(course: dict[str, Any]) -> None:
    given = []

    def print_out(markup: str) -> PrintedPdf:
        given.append(markup)
        return pdf.print_page(markup)

    printed = book.print_book(course, "en", print_out)
    places = printed.pages_by_id()
    contents = re.findall(r'<a href="#([^"]*)"><span>.*?</span><span class="at">(\d+)</span></a>', given[-1])
    assert len(contents) > 10
    assert {anchor: int(page) for anchor, page in contents} == {
        anchor: places[anchor] for anchor, _ in contents
    }
    assert places["02_second.h0"] > places["01_first.h0"] == 4  # after cover, advice and contents
    packed = printed.packed()
    assert len(packed) < len(printed.content) and printed.version >= pdf.OLDEST
    with pikepdf.open(io.BytesIO(packed)) as packed_pdf, packed_pdf.open_outline() as outline:
        bookmarks = {title for item in outline.root for title in titles(item)}
    assert {"Contents", "01 First", "Case 1: off by one", "02 Second", "Index of mistakes"} <= bookmarks
    assert PrintedPdf(packed).pages_by_id() == places


def titles(bookmark: Any) -> list[str]:
    return [bookmark.title, *(title for child in bookmark.children for title in titles(child))]
