"""Slides in a real browser: nothing is cut off, by keyboard, in the dark and on paper."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import v4
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.outputs import STILLS
from posenc_lessons.export.slides import deck
from posenc_lessons.language import Language
from tests.browser.watching import LESSONS, barriers
from tests.support.exported import AS_SET
from tests.support.pages import watched_page

MEASURE = Path(__file__).with_name("slides.js").read_text(encoding="utf-8")
SMALL = {"width": 1366, "height": 768}  # a laptop's and most projectors' screen
NOW = "section.now .number"


def too_much() -> nbformat.NotebookNode:
    """A lesson whose every slide is too much for one screen."""
    drawn = io.BytesIO()
    Image.new("L", (900, 1400), 200).save(drawn, "png")
    png = base64.b64encode(drawn.getvalue()).decode()
    stills = [
        {"place": f"p = {n}", "png": png, "alt": f"at {n}", "reading": "reading " * 10 * n, "width": 450}
        for n in range(3)
    ]
    functions = "\n\n\n".join(
        f"def f{n}(x):\n    y = x + {n}\n    return y  # {'long ' * 30}" for n in range(20)
    )
    rows = "".join(f"<tr><td>{n}</td><td>{'words ' * 9}</td></tr>" for n in range(40))
    table = f"<table><thead><tr><th>n</th><th>said</th></tr></thead><tbody>{rows}</tbody></table>"
    outputs = {
        "code": [v4.new_output("stream", text="\n".join(f"line {n} {'=' * 5 * n}" for n in range(60)))],
        "table": [v4.new_output("display_data", {"text/html": table, "text/plain": "table"})],
        "explorer": [
            v4.new_output(
                "display_data",
                {STILLS: {"label": "cursor", "start": 1, "stills": stills, **AS_SET}, "image/png": png},
            )
        ],
    }
    cells: list[Any] = [v4.new_markdown_cell("# 玩 · Play")]
    for name, shown in outputs.items():
        source = functions if name == "code" else "show()"
        cells += [v4.new_markdown_cell(f"## 节 · {name}"), v4.new_code_cell(source, id=name, outputs=shown)]
    items = "\n".join(f"{n}. item {n}, {'with words ' * 5}" for n in range(1, 31))
    return v4.new_notebook(cells=[*cells, v4.new_markdown_cell(f"## 单 · A list\n\n{items}")])


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page on a small screen; an error in it fails the test."""
    with watched_page(browser, viewport=SMALL, offline=True) as page:
        yield page


def open_deck(page: Page, folder: Path, notebook: Any, language: Language) -> None:
    """Show the slides of ``notebook``, which is in ``language`` already."""
    file = folder / f"{language}.slides.html"
    file.write_text(deck(notebook, language), encoding="utf-8")
    page.goto(file.as_uri())
    expect(page.locator(NOW)).to_contain_text("1 / ")


def lesson(name: str, language: Language) -> Any:
    """The lesson as committed, in one language or in both."""
    return in_language(nbformat.read(LESSONS / f"{name}.ipynb", as_version=4), language)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", ["05_rotary", "07_transformer"])
def test_nothing_is_cut_off(name: str, language: Language, page: Page, tmp_path: Path) -> None:
    open_deck(page, tmp_path, lesson(name, language), language)
    assert page.evaluate(MEASURE) == []


def test_what_is_too_much_for_a_slide_becomes_several(page: Page, tmp_path: Path) -> None:
    open_deck(page, tmp_path, too_much(), "en")
    assert page.evaluate(MEASURE) == []
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator("section.now h2")).to_contain_text(re.compile(r"code1 / \d+"))


def test_slides_turn_by_keyboard(page: Page, tmp_path: Path) -> None:
    open_deck(page, tmp_path, lesson("02_sinusoidal", "both"), "both")
    now = page.locator("section.now")
    expect(now.locator("h1")).to_contain_text("Sinusoidal positions")
    expect(now.locator("[lang=zh-Hans]").first).to_be_hidden()  # one language at a time: the browser's
    page.keyboard.press("l")
    expect(now.locator("h1")).to_contain_text("正弦位置编码")
    expect(now.locator("[lang=en]").first).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.locator(NOW)).to_contain_text("2 / ")
    expect(now.locator("aside")).to_be_hidden()
    page.keyboard.press("n")
    expect(now.locator("aside")).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.press("End")
    expect(page.locator(NOW)).to_have_text(re.compile(r"^(\d+) / \1$"))
    assert page.url.partition("#")[2] == str(page.locator("section").count())


def test_notes_in_a_window_of_their_own(page: Page, tmp_path: Path) -> None:
    open_deck(page, tmp_path, lesson("02_sinusoidal", "en"), "en")
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    notes = opened.value
    expect(notes.locator("body")).to_contain_text("work out a small table")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(notes.locator("body")).to_contain_text("token")
    notes.keyboard.press("Home")
    expect(page.locator(NOW)).to_contain_text("1 / ")


def test_in_the_dark_everything_is_legible(page: Page, tmp_path: Path) -> None:
    page.emulate_media(color_scheme="dark")
    open_deck(page, tmp_path, too_much(), "en")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    assert barriers(page) == []


def test_every_slide_is_a_page_of_paper(page: Page, tmp_path: Path) -> None:
    open_deck(page, tmp_path, too_much(), "en")
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type /Page\b", printed)) == page.locator("section").count()
