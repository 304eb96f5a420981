"""Slides in a real browser: each fits its screen, explorers work in them, and keys have their effect."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect

from posenc_lessons.course.lessons import lesson_names
from posenc_lessons.explorers import RotationExplorer
from posenc_lessons.export import live_explorers
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.slides import deck, decks
from posenc_lessons.files import write_all
from posenc_lessons.language import Language
from tests.browser.lesson_pages import output
from tests.browser.test_fonts import wait_until_drawn
from tests.browser.test_page_layout import NOTE_WORDS
from tests.browser.watching import LESSONS, barriers
from tests.support.pages import watched_page

pytestmark = pytest.mark.sweep

NOW = "section.present:not(.stack)"  # the slide that is shown
LEAST = 20  # CSS pixels of the smallest letters
# For every slide with all its steps: its title, by how much it is too large for its screen, the size of its
# smallest letters outside formulas and code in a line, the share of the screen that its painted picture has,
# and the place of its title.
MEASURE = """async () => {
  const measured = [];
  await Promise.all([...document.images].map((picture) => picture.decode()));
  for (const slide of document.querySelectorAll(".slides section section")) {
    const { h, v } = deck.getIndices(slide);
    deck.slide(h, v, 99);
    const sizes = [...slide.querySelectorAll("*")]
      .filter((part) => part.checkVisibility() && !part.closest("math, aside, figure, :not(pre) > code"))
      .filter((part) => [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
      .map((part) => Math.round(parseFloat(getComputedStyle(part).fontSize) * part.currentCSSZoom));
    const end = slide.getBoundingClientRect().bottom - parseFloat(getComputedStyle(slide).paddingBottom);
    const parts = [...slide.querySelectorAll(":scope > .md")];
    const below = parts.map((part) => part.getBoundingClientRect().bottom - end);
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = slide;
    const { left: arrows } = document.querySelector(".controls .navigate-left").getBoundingClientRect();
    const feet = [...slide.querySelectorAll("p > small:only-child")].flatMap((line) => {
      const { right, height } = line.getBoundingClientRect();
      return [right - arrows, height - 40]; // one line, which ends before the arrows
    });
    const over = Math.max(scrollHeight - clientHeight, scrollWidth - clientWidth, ...below, ...feet);
    const least = (canvas) => Math.min(...sizes, ...(written.get(canvas) ?? []));
    const share = (canvas) => {
      const { width, height } = canvas.getBoundingClientRect(), shape = canvas.width / canvas.height;
      return Math.min(height, width / shape) ** 2 * shape / (innerWidth * innerHeight);
    };
    const canvas = slide.querySelector("canvas"), title = slide.querySelector("h1, h2, h3");
    const { left, top } = title.getBoundingClientRect();
    measured.push([title.textContent, over, least(canvas), canvas && share(canvas), `${left}, ${top}`]);
  }
  return measured;
}"""
TOO_HIGH_ON_PAPER = """() => [...document.querySelectorAll(".reveal section > section")].flatMap((slide) => {
  const end = slide.getBoundingClientRect().bottom - parseFloat(getComputedStyle(slide).paddingBottom) + 2;
  const parts = slide.querySelectorAll(":is(p, li, .code, table, .formula):not(:has(small), aside *)");
  const low = [...parts].filter((part) => part.getBoundingClientRect().bottom > end);
  return low.length ? [slide.innerText.split("\\n")[0]] : [];
})"""
SIZES_IN_PICTURES = """
const { fillText: write, fillRect: clear } = CanvasRenderingContext2D.prototype;
globalThis.written = new Map();
CanvasRenderingContext2D.prototype.fillRect = function (...box) {
  written.set(this.canvas, []); // a picture begins with its paper
  return clear.apply(this, box);
};
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  const { a, b } = this.getTransform();
  const size = parseFloat(this.font.replace("italic ", "")) * Math.hypot(a, b);
  written.get(this.canvas)?.push(size);
  return write.call(this, text, x, y);
};"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with watched_page(browser) as page:
        page.set_viewport_size({"width": 1280, "height": 720})
        yield page


def opened(page: Page, file: Path) -> None:
    page.goto(file.as_uri())
    expect(page.locator(".reveal.ready")).to_be_visible()
    page.evaluate(
        "Promise.all([...document.fonts].map((face) => face.load()))"
    )  # of slides not shown yet, too


@pytest.mark.parametrize("name", lesson_names(LESSONS))
def test_every_slide_fits_is_legible_and_has_a_large_picture_and_its_title_in_one_place(
    name: str, page: Page, tmp_path: Path
) -> None:
    page.add_init_script(SIZES_IN_PICTURES)
    page.emulate_media(reduced_motion="reduce")
    lesson = nbformat.read(LESSONS / f"{name}.ipynb", as_version=4)
    languages: tuple[Language, ...] = ("zh", "en")
    for language in languages:
        file = tmp_path / f"{language}.html"
        file.write_text(deck(in_language(lesson, language), language), encoding="utf-8")
        opened(page, file)
        expect(page.locator(".reveal[data-laid-out]")).to_be_attached()
        measured = page.evaluate(MEASURE)
        assert len(measured) > 5
        assert len({place for *_, place in measured}) == 1, "every title has the same place"
        over = [f"{title}: {pixels} px too much" for title, pixels, *_ in measured if pixels > 1]
        assert over == [], f"{name}, {language}"
        small = [f"{title}: {size} px" for title, _, size, *_ in measured if size < LEAST]
        assert small == [], f"{name}, {language}"
        timid = [f"{title}: {share:.2f}" for title, *_, share, _ in measured if share and share < 0.24]
        assert timid == [], f"{name}, {language}"
        page.emulate_media(media="print", reduced_motion="reduce")
        assert page.evaluate(TOO_HIGH_ON_PAPER) == [], f"{name}, {language}, printed"
        page.emulate_media(media="screen", reduced_motion="reduce")


def test_a_picture_moves_when_its_slide_is_entered_and_numbers_are_bars(page: Page, tmp_path: Path) -> None:
    bars = '# One\n\n<div class="bars">\n\n|a|b|\n|-|-|\n|1|4|\n|2|**1**|\n|3|no|\n|4||\n|5|−1|\n\n</div>'
    cells = [nbformat.v4.new_markdown_cell(bars), nbformat.v4.new_markdown_cell("# Two\n\na\n\nb")]
    for cell in cells:
        cell.metadata["slideshow"] = {"slide_type": "slide"}
    states = ["explorer=rotation", "m=30", "m=60", "m=90"]
    cells[1].metadata["slideshow"] |= {"picture": states, "asks": {"en": "Two?"}}
    file = tmp_path / "moving.html"
    file.write_text(deck(nbformat.v4.new_notebook(cells=cells), "en"), encoding="utf-8")
    opened(page, file)
    shares = "[...document.querySelectorAll('td')].map((cell) => cell.style.getPropertyValue('--share'))"
    assert page.evaluate(shares) == ["", "1", "", "0.25", "", "", "", "", "", ""]
    page.evaluate("deck.slide(1)")
    figure, asks = page.locator(f"{NOW} figure.picture"), page.locator(f"{NOW} .asks")
    for _ in range(3):  # when the slide is entered, at the step of its words, and at one without words
        expect(asks).to_have_css("opacity", "1")
        expect(figure).to_have_attribute("data-playing", "")
        expect(figure).not_to_have_attribute("data-playing", "")
        page.keyboard.press("ArrowRight")
    expect(asks).to_have_css("opacity", "0")  # the claim takes the place of its question
    figure.click()
    expect(figure).to_have_attribute("data-playing", "")
    page.emulate_media(reduced_motion="reduce")
    figure.click()
    expect(figure).not_to_have_attribute("data-playing", "")


@pytest.fixture(scope="module")
def alive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a deck of three slides in each language, the second with an explorer as after a run."""
    out = tmp_path_factory.mktemp("deck")
    explorer = nbformat.v4.new_code_cell("Explorer()", outputs=[output(RotationExplorer(m=7))])
    cells: list[Any] = [nbformat.v4.new_markdown_cell("# 一 · One"), explorer]
    cells.append(nbformat.v4.new_markdown_cell("# 三 · Three\n\nthe last words"))
    for cell, kind in zip(cells, ("slide", "slide", "notes"), strict=True):
        cell.metadata["slideshow"] = {"slide_type": kind}
    cells.append(
        nbformat.v4.new_markdown_cell(
            "# 四 · Four\n\n$a$\n\n- $b$", metadata={"slideshow": {"slide_type": "slide"}}
        )
    )
    lesson = nbformat.v4.new_notebook(cells=cells)
    files = decks({"play.ipynb": in_language(lesson, "zh")}, "zh", live=True, other="en")
    files |= decks({"play.ipynb": in_language(lesson, "en")}, "en", live=True, other="zh")
    write_all({**files, **live_explorers.files()}, out)
    return out / "play.en.slides.html"


def test_an_explorer_is_legible_works_on_its_slide_and_keeps_its_keys(page: Page, alive: Path) -> None:
    page.add_init_script(NOTE_WORDS)
    page.emulate_media(reduced_motion="reduce")  # the first explorer would move by itself
    opened(page, alive)
    page.keyboard.press("ArrowRight")
    figure = page.locator(f"{NOW} figure[data-explorer]")
    expect(figure.locator(".present canvas")).to_have_attribute("data-painted", re.compile(r"\d"))
    assert page.evaluate("written.filter(({ size }) => size < 20)") == []
    slider = figure.get_by_role("slider", name="query at m")
    slider.focus()
    slider.press("ArrowRight")
    expect(slider).to_have_value("8")
    expect(figure).to_be_visible()
    slider.click()  # a lecture goes on with the arrow keys after the pointer has moved something
    expect(slider).not_to_be_focused()
    page.keyboard.press("PageDown")
    expect(page.get_by_role("heading", name="Four")).to_be_visible()


def test_a_slide_may_be_left_before_its_explorer_is_live(page: Page, alive: Path) -> None:
    opened(page, alive)
    page.keyboard.press("ArrowRight")
    page.evaluate("deck.slide(2)")
    expect(page.locator("figure[data-live] [data-beckons]")).to_be_attached()  # a lever, for a hidden picture


def test_keys_show_notes_and_open_the_same_slide_in_the_other_language(page: Page, alive: Path) -> None:
    opened(page, alive)
    expect(page.locator(NOW).get_by_role("heading", name="One")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("n")
    expect(page.locator(".said")).to_contain_text("the last words")
    slide, notes = (page.locator(place).bounding_box() for place in (".reveal", ".said"))
    assert slide is not None and notes is not None
    assert slide["y"] + slide["height"] <= notes["y"] + 1, "notes cover nothing"
    with page.expect_popup() as popup:
        page.keyboard.press("s")
    expect(popup.value.locator("body")).to_contain_text("the last words")
    expect(popup.value.locator(".clock")).to_have_text(re.compile(r"^2 / 3 · \d\d:\d\d · 0 min$"))
    expect(popup.value.locator(".small").get_by_role("heading")).to_have_text(["One", "Four"])
    popup.value.keyboard.press("ArrowRight")
    expect(page.locator(NOW).get_by_role("heading", name="Four")).to_be_visible()
    expect(page.locator(f"{NOW} li")).to_have_css("opacity", "0")
    page.keyboard.press(" ")
    expect(page.locator(f"{NOW} li")).to_have_css("opacity", "1")
    page.keyboard.press("l")
    page.wait_for_url(re.compile(r"/play\.zh\.slides\.html#/2/0/0"))
    expect(page.locator(NOW).get_by_role("heading", name="四")).to_be_visible()
    expect(page.locator(f"{NOW} li")).to_have_css("opacity", "1")  # the steps that were shown
    wait_until_drawn(page)


def test_an_answer_gives_one_reason_at_a_time_and_the_last_page_of_a_print_is_not_empty(
    page: Page, tmp_path: Path
) -> None:
    lesson = nbformat.read(LESSONS / "01_why_position.ipynb", as_version=4)
    file = tmp_path / "print.html"
    file.write_text(deck(in_language(lesson, "en"), "en"), encoding="utf-8")
    opened(page, file)
    h, v = page.evaluate(
        "Object.values(deck.getIndices(document.querySelector('.reasons').closest('section')))"
    )[:2]
    for step, mark in enumerate("✘✘✔"):  # of the right answer at the end
        page.evaluate(f"deck.slide({h}, {v}, {step})")
        reasons = page.locator(f"{NOW} .reasons > span").filter(visible=True)
        expect(reasons).to_have_count(1)
        expect(reasons).to_contain_text(mark)
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))
    assert len(pages) == page.evaluate("deck.getTotalSlides()")


def test_axe_finds_nothing_serious(page: Page, alive: Path) -> None:
    opened(page, alive)
    assert barriers(page) == []
