"""Where a number comes from, in a real browser: by mouse, touch and keys, in a page and in JupyterLab."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from posenc_lessons import language
from posenc_lessons.explorers import DistanceExplorer, RotationExplorer
from posenc_lessons.explorers.cards.card import Mark, as_data
from posenc_lessons.explorers.cards.every import card_of
from tests.browser.watching import Shown
from tests.support.site import Visit, place

# Presses keys as quickly as possible, and returns the questions that Python was asked.
BURST = """frame => {
    window.numbers = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
        if (message.call === "number") window.numbers.push(message.args);
        return post.call(this, message, ...rest);
    };
    for (let i = 0; i < 30; i++) frame.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
}"""


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    language.choose("en")
    yield
    language.choose("both")


@pytest.fixture(scope="module")
def visit(browser: Browser, page_url: str) -> Iterator[Visit]:
    opened = Visit(browser, page_url).open("explorer=distance&lang=en")
    yield opened
    opened.close()


def card(visit: Visit) -> Locator:
    return visit.page.locator(".card:popover-open")


def box_of(element: Locator) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom on the screen."""
    box = element.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


def expect_beside(visit: Visit) -> None:
    """Expect the card to be inside the window and not over the mark."""
    size = visit.page.viewport_size
    assert size is not None
    left, top, right, bottom = box_of(card(visit))
    assert left >= 0 and top >= 0 and right <= size["width"] and bottom <= size["height"]
    x0, y0, x1, y1 = box_of(visit.panel.locator(".lit.mark"))
    assert left >= x1 or right <= x0 or top >= y1 or bottom <= y0


def expect_card(visit: Visit, explorer: DistanceExplorer | RotationExplorer, mark: Mark) -> None:
    """Expect the card of ``mark``, and the same words for a screen reader."""
    made = card_of(explorer, mark)
    assert made is not None
    said = as_data(made)
    expect(card(visit).locator(".value")).to_have_text([line[2] for line in said["lines"]])
    expect(card(visit).locator(".place")).to_have_text([words.replace("$", "") for words in said["places"]])
    status = visit.panel.locator(".unseen")
    expect(status).to_have_attribute("role", "status")
    for words in (said["title"], said["lines"][-1][2]):
        expect(status).to_contain_text(words.replace("$", ""))
    expect_beside(visit)


def test_a_mouse_on_a_cell_shows_a_card_until_it_leaves(visit: Visit) -> None:
    visit.show("distance")
    explorer = DistanceExplorer()
    visit.page.mouse.move(*place(visit, DistanceExplorer, "matrix", 2, 4))
    expect_card(visit, explorer, Mark("matrix", "values", 4, 2))
    row, column = (box_of(visit.panel.locator(f".lit.{name}")) for name in ("row", "column"))
    marked = box_of(visit.panel.locator(".lit.mark"))
    assert row[1::2] == pytest.approx(marked[1::2], abs=1) and row[2] - row[0] > 300, "the whole row is lit"
    assert column[::2] == pytest.approx(marked[::2], abs=1) and column[3] - column[1] > 300
    visit.page.mouse.move(*place(visit, DistanceExplorer, "matrix", 7, 0))
    expect_card(visit, explorer, Mark("matrix", "values", 0, 7))
    visit.page.keyboard.press("Escape")
    expect(card(visit)).to_have_count(0)
    visit.page.mouse.move(*place(visit, DistanceExplorer, "matrix", 3, 3))
    expect(card(visit)).to_have_count(1)
    visit.page.mouse.move(2, 2)
    expect(card(visit)).to_have_count(0)
    expect(visit.panel.locator(".unseen")).to_be_empty()
    explorer.close()


def test_keys_move_between_numbers_and_panels(visit: Visit) -> None:
    visit.show("distance")
    explorer, frame, keys = DistanceExplorer(), visit.panel.locator(".present .frame"), visit.page.keyboard
    frame.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"):
        keys.press(key)
    expect_card(visit, explorer, Mark("matrix", "values", 2, 1))
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")  # there is no mark further left
    expect_card(visit, explorer, Mark("matrix", "values", 2, 0))
    keys.press("]")
    expect_card(visit, explorer, Mark("profile", "profile", 0, 0))
    keys.press("]")
    expect_card(visit, explorer, Mark("matrix", "values", 0, 0))
    keys.press("Escape")
    expect(card(visit)).to_have_count(0)
    expect(frame).to_be_focused()
    keys.press("Enter")
    expect(card(visit)).to_have_count(1)
    keys.press("Tab")
    expect(card(visit)).to_have_count(0)
    explorer.close()


def test_of_many_quick_questions_few_are_asked_and_the_newest_is_answered(visit: Visit) -> None:
    visit.show("rotation")
    frame = visit.panel.locator(".present .frame")
    frame.focus()
    visit.page.keyboard.press("]")
    visit.page.keyboard.press("]")
    expect(card(visit)).to_have_count(1)
    visit.settle()  # both questions are answered, so the first of the next ones is asked at once
    frame.evaluate(BURST)
    visit.settle()
    numbers = visit.page.evaluate("numbers")
    assert len(numbers) == 2 and numbers[-1][0] == numbers[0][0] and numbers[-1][3] > numbers[0][3] + 5
    visit.page.keyboard.press("Escape")


def test_an_open_card_follows_a_moving_slider(visit: Visit) -> None:
    visit.show("rotation")
    visit.page.mouse.move(*place(visit, RotationExplorer, "products", 3, 0))
    explorer = RotationExplorer()
    expect_card(visit, explorer, Mark("products", "dots", 0, 3))
    slider = visit.slider("query at m")
    slider.evaluate("slider => { slider.value = 40; slider.dispatchEvent(new Event('input')); }")
    explorer.controls["m"].value = 40
    expect_card(visit, explorer, Mark("products", "dots", 0, 3))
    visit.button("Reset").click()
    explorer.close()


def test_a_tap_on_a_phone_shows_a_card(browser: Browser, page_url: str) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    opened = Visit(browser, page_url, **phone).open("explorer=distance&lang=en")
    box = opened.canvas.bounding_box()
    assert box is not None
    cell = box["x"] + 0.4 * box["width"], box["y"] + 0.2 * box["height"]
    opened.page.touchscreen.tap(*cell)
    expect(card(opened)).to_have_count(1)
    expect_beside(opened)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390
    opened.page.touchscreen.tap(*cell)  # a second tap closes it
    expect(card(opened)).to_have_count(0)
    opened.page.touchscreen.tap(*cell)
    expect(card(opened)).to_have_count(1)
    opened.page.touchscreen.tap(200, 830)  # a tap elsewhere
    expect(card(opened)).to_have_count(0)
    opened.close()


def test_a_still_has_no_card_and_no_hint(browser: Browser, page_url: str) -> None:
    opened = Visit(browser, page_url).open("explorer=distance&lang=en", live=False)
    opened.page.mouse.move(*place(opened, DistanceExplorer, "matrix", 2, 4))
    opened.panel.locator(".present .frame").press("ArrowRight")
    expect(opened.panel.locator("p.ask")).to_be_hidden()
    expect(opened.panel.locator(".lit.mark")).to_be_hidden()
    opened.close()


def test_in_jupyterlab_the_kernel_answers(sinusoid: Shown) -> None:
    language.choose("both")
    frame, open_card = sinusoid.root.locator(".present .frame"), sinusoid.root.locator(".card:popover-open")
    frame.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown"):
        frame.press(key)
    expect(open_card.locator(".value").last).to_have_text("= 0.909")  # sin 2: row 2, column 0
    frame.press("Escape")
    expect(open_card).to_have_count(0)
