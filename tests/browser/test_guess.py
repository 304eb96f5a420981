"""A guess in JupyterLab and in an exported page: chosen by keyboard, kept, and answered below."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat import v4
from playwright.sync_api import Browser, Page, expect

from posenc_lessons.course.guess import KEPT, LOCKED, Answer, Guess, answer_html, question_html
from posenc_lessons.course.sections import FOLDED
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.site import site
from posenc_lessons.files import write_all
from posenc_lessons.language import Text
from tests.browser.watching import Watch, choose
from tests.support.pages import Lab, run_all, watched_page, write_notebook
from tests.support.site import plain_server

pytestmark = pytest.mark.sweep

CHOICES = (Text("`d` 个", "`d` of them"), Text("两个", "Two"), Text("没有", "None"))
ASKED = Guess("asked", Text("几个？", "How many?"), CHOICES)
BESIDE = Guess("beside", Text("对吗？", "Is it so?"), (Text("对", "Yes"), Text("不对", "No")))
ANSWER = Answer(2, CHOICES)
FIRST, SECOND = ("d of them", "Two")
SETUP = "from posenc_lessons.course.switch import language_switch\nlanguage_switch()"


def cell(verb: str, about: Guess = ASKED) -> str:
    texts = (about.question, *about.choices) if verb == "guess" else ANSWER.comments
    words = ", ".join(map(repr, texts)) + ("" if verb == "guess" else f", right={ANSWER.right}")
    imports = f"from posenc_lessons.course.guess import {verb}\nfrom posenc_lessons.language import Text"
    return f'{imports}\n{verb}("{about.name}", {words})'


def test_in_jupyterlab_arrow_keys_choose_and_the_settling_cell_answers(
    lab: Lab, lab_folder: Path, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    write_notebook(lab_folder / "guessing.ipynb", [SETUP, cell("guess"), cell("guess", BESIDE)])
    lab.open(page, "guessing.ipynb")
    choose(page, "en")
    assert run_all(page)
    expect(page.get_by_role("radiogroup", name=ASKED.question.en)).to_be_visible()
    page.get_by_role("radio", name=FIRST).press("ArrowDown")
    expect(page.get_by_role("radio", name=SECOND)).to_be_checked()
    expect(page.get_by_role("status").get_by_text(KEPT.en)).to_be_visible()  # the kernel has it on file
    page.get_by_role("radiogroup", name=BESIDE.question.en).get_by_role("radio").first.check()
    expect(page.get_by_role("radio", name=SECOND)).to_be_checked()  # each card has its own group

    write_notebook(lab_folder / "guessing_later.ipynb", [SETUP, cell("guess"), cell("settle")])
    lab.open(page, "guessing_later.ipynb")
    assert run_all(page)
    expect(page.get_by_role("radio", name=SECOND)).to_be_checked()
    expect(page.get_by_text("You guessed B; the answer is C.")).to_be_visible()
    expect(page.get_by_role("status").get_by_text(LOCKED.en)).to_be_visible()


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Serve a page that asks a question and answers it in a folded section."""
    asked, settled = (
        v4.new_code_cell(cell("guess"), id="asks", metadata={"guess": ASKED.name}),
        v4.new_code_cell(
            cell("settle"), id="settles", metadata={"settles": {"guess": ASKED.name, "right": 2}}
        ),
    )
    asked.outputs = [v4.new_output("execute_result", {"text/html": question_html(ASKED)})]
    settled.outputs = [v4.new_output("display_data", {"text/html": answer_html(ASKED, ANSWER, None)})]
    deeper = v4.new_markdown_cell("## 深入 · Deeper", id="deeper", metadata={FOLDED: True})
    cells = [v4.new_markdown_cell("# 01 课 · Lesson", id="title"), asked, deeper, settled]
    lesson: nbformat.NotebookNode = in_language(v4.new_notebook(cells=cells), "en")
    write_all(site({"01_lesson.ipynb": lesson}, "en"), tmp_path)
    with plain_server(tmp_path) as served:
        yield f"{served}/01_lesson.html"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with watched_page(browser) as page:
        yield page


@pytest.mark.parametrize("media", ["link", "paper"])
def test_a_folded_section_opens_for_a_link_and_for_printing(media: str, page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("#settles")).to_be_hidden()
    if media == "link":
        page.goto(f"{address}#settles")
    else:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#settles")).to_be_visible()
