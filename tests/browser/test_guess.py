"""A guess in JupyterLab and in an exported page: chosen by keyboard, kept, and answered below."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from posenc_lessons.course.guess import KEPT, LOCKED, Answer, Guess
from posenc_lessons.language import Text
from tests.browser.watching import Watch, choose
from tests.support.pages import Lab, run_all, write_notebook

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
