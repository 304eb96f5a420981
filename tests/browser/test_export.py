"""Exported pages in a real browser, opened as files: nothing is asked of the network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from posenc_lessons.export.copies import in_language
from posenc_lessons.export.outputs import STILLS
from posenc_lessons.export.site import site
from posenc_lessons.export.slides import decks
from posenc_lessons.files import write_all
from tests.browser.watching import LESSONS
from tests.export.test_site import PIXEL
from tests.support.pages import new_context

NAMES = ("00_start_here", "02_sinusoidal")


def play() -> nbformat.NotebookNode:
    """A lesson whose explorer was saved at three places."""
    stills = [
        {"place": f"p = {n}", "png": PIXEL, "alt": f"at {n}", "reading": f"reading {n}", "width": 9}
        for n in range(3)
    ]
    cell = nbformat.v4.new_code_cell("Explorer()")
    data = {STILLS: {"label": "cursor", "start": 1, "stills": stills}, "text/plain": "x"}
    cell.outputs = [nbformat.v4.new_output("execute_result", data)]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# 玩 · Play"), cell])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two lessons and a small one in both languages, as the committed outputs show them."""
    out = tmp_path_factory.mktemp("export")
    notebooks = {f"{name}.ipynb": nbformat.read(LESSONS / f"{name}.ipynb", as_version=4) for name in NAMES}
    notebooks["09_play.ipynb"] = play()
    copied = {name: in_language(found, "both") for name, found in notebooks.items()}
    write_all({**site(copied, "both"), **decks(copied, "both")}, out)
    return out


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page; whatever it asks of the network, and every error in its console, fails the test."""
    context = new_context(browser)
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    context.route(lambda address: not address.startswith(("file:", "data:")), refuse)
    opened = context.new_page()
    opened.on("console", lambda message: asked.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: asked.append(str(error)))
    yield opened
    context.close()
    assert asked == []


def test_a_lesson_is_drawn_whole(page: Page, folder: Path) -> None:
    page.goto((folder / "02_sinusoidal.html").as_uri())
    expect(page.locator("h1")).to_have_text("02 · 正弦位置编码 · Sinusoidal positions")
    assert page.evaluate("[...document.images].every((image) => image.complete && image.naturalWidth > 0)")
    assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('16px \"Posenc Math\"'))")
    tall = page.evaluate(
        "(() => { const two = [...document.querySelectorAll('mtable')].find((m) => m.rows?.length !== 0);"
        "const bracket = two.parentElement.querySelector('mo'); return [bracket, two].map((e) =>"
        "e.getBoundingClientRect().height); })()"
    )
    assert tall[0] > 0.6 * tall[1], "brackets grow with what they hold"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing hangs out sideways"


@pytest.mark.parametrize("name", ["00_start_here", "02_sinusoidal", "index"])
def test_on_a_telephone_nothing_hangs_out(name: str, page: Page, folder: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto((folder / f"{name}.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_one_language_is_hidden(page: Page, folder: Path) -> None:
    page.goto((folder / "00_start_here.html").as_uri())
    chinese, english = page.locator('main [lang="zh-Hans"]').first, page.locator('main [lang="en"]').first
    page.get_by_label("English", exact=True).check()
    expect(chinese).to_be_hidden()
    expect(english).to_be_visible()
    page.get_by_label("中文", exact=True).check()
    expect(chinese).to_be_visible()
    expect(english).to_be_hidden()


def test_the_slider_moves_by_keyboard(page: Page, folder: Path) -> None:
    page.goto((folder / "09_play.html").as_uri())
    slider = page.get_by_role("slider", name="cursor")
    expect(slider).to_have_attribute("aria-valuetext", "p = 1")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("reading 2")).to_be_visible()
    expect(page.get_by_text("reading 1")).to_be_hidden()
    expect(page.get_by_role("img", name="at 2")).to_be_visible()
    expect(slider).to_have_attribute("aria-valuetext", "p = 2")


def test_without_scripts_the_picture_is_there(browser: Browser, folder: Path) -> None:
    context = new_context(browser, java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / "09_play.html").as_uri())
    expect(page.get_by_text("reading 1")).to_be_visible()
    expect(page.locator(".slide")).to_be_hidden()
    context.close()


def test_search_and_the_way_on(page: Page, folder: Path) -> None:
    page.goto((folder / "index.html").as_uri())
    page.get_by_role("searchbox").fill("missing colon")
    expect(page.get_by_role("status")).to_contain_text("1 found")
    page.get_by_role("link", name="missing colon").click()
    assert page.url.startswith((folder / "02_sinusoidal.html").as_uri() + "#")
    page.locator("header").get_by_role("link", name="→").click()
    expect(page.locator("h1")).to_have_text("玩 · Play")


def test_slides_turn_by_keyboard(page: Page, folder: Path) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto((folder / "02_sinusoidal.slides.html").as_uri())
    now = page.locator("section.now")
    expect(page.locator(".number")).to_contain_text("1 / ")
    expect(now.locator("h1")).to_contain_text("Sinusoidal positions")
    expect(now.locator("[lang=zh-Hans]").first).to_be_hidden()  # one language at a time: the browser's
    page.keyboard.press("l")
    expect(now.locator("h1")).to_contain_text("正弦位置编码")
    expect(now.locator("[lang=en]").first).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".number")).to_contain_text("2 / ")
    expect(now.locator("aside")).to_be_hidden()
    page.keyboard.press("n")
    expect(now.locator("aside")).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.press("End")
    assert page.url.partition("#")[2] == str(page.locator("section").count())


def test_every_slide_fits_on_the_screen(page: Page, folder: Path) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto((folder / "02_sinusoidal.slides.html").as_uri())
    expect(page.locator(".number")).to_contain_text("1 / ")
    sticking_out = page.evaluate(
        """() => {
          const found = [];
          for (let place = 1; place <= document.querySelectorAll("section").length; place += 1) {
            show(place - 1);
            const box = document.querySelector("section.now .fit").getBoundingClientRect();
            if (box.bottom > innerHeight || box.right > innerWidth + 1) found.push(place);
          }
          return found;
        }"""
    )
    assert sticking_out == []


def test_notes_in_a_window_of_their_own(page: Page, folder: Path) -> None:
    page.goto((folder / "02_sinusoidal.slides.html").as_uri())
    expect(page.locator(".number")).to_contain_text("1 / ")
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    notes = opened.value
    expect(notes.locator("body")).to_contain_text("work out a small table")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(notes.locator("body")).to_contain_text("token")
    notes.keyboard.press("Home")
    expect(page.locator(".number")).to_contain_text("1 / ")


@pytest.mark.parametrize("name", ["index", "00_start_here", "09_play", "00_start_here.slides"])
def test_axe_finds_nothing_serious(name: str, page: Page, folder: Path) -> None:
    page.goto((folder / f"{name}.html").as_uri())
    # It does not see that a formula in the head of a table is something to read.
    options = {"rules": {"empty-table-header": {"enabled": False}}}
    assert [found["id"] for found in Axe().run(page, options=options).response["violations"]] == []
