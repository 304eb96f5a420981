"""The explorers' page without a kernel, in a real browser: a reader's actions and their results."""

import math
import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, expect

from posenc_lessons import language
from posenc_lessons.explorers import (
    EXPLORERS,
    DistanceExplorer,
    GateExplorer,
    RotationExplorer,
    ShuffleExplorer,
    SinusoidExplorer,
)
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.cards.card import Mark, as_data
from posenc_lessons.explorers.cards.every import card_of
from posenc_lessons.figures.theme import DARK
from tests.browser.watching import barriers, canvas_pixels
from tests.support.hostile import AS_MARKUP, MARK
from tests.support.site import SETTLED, Visit, place

SET_IN_A_ROW = """(slider, values) => {
    for (const value of values) {
        slider.value = value;
        slider.dispatchEvent(new Event("input"));
    }
}"""

FAST = (RotationExplorer, ShuffleExplorer)  # in the default round
every_explorer = pytest.mark.parametrize(
    "make",
    [make if make in FAST else pytest.param(make, marks=pytest.mark.sweep) for make in EXPLORERS],
    ids=[make.name for make in EXPLORERS],
)


@pytest.fixture(scope="module")
def shared(browser: Browser, page_url: str) -> Iterator[Visit]:
    """Open the tests' page, which has Python."""
    visit = Visit(browser, page_url, permissions=["clipboard-read", "clipboard-write"])
    yield visit.open("lang=en&mode=light")
    visit.close()


@pytest.fixture
def visit(shared: Visit) -> Iterator[Visit]:
    """Return the page in English and light, with every control reset when a test shows an explorer."""
    language.choose("en")
    yield shared
    shared.page.keyboard.press("Escape")  # closes a dialog or a card
    shared.page.mouse.move(0, 0)  # over a picture it would hover when the next one comes
    shared.choose("languages", "en")
    shared.choose("modes", "light")
    shared.settle()


# ---- First the still, then live ----


def test_the_still_is_shown_at_once_and_going_live_changes_nothing(browser: Browser, page_url: str) -> None:
    language.choose("en")
    opened = Visit(browser, page_url).open("explorer=rotation", live=False)
    assert opened.page.locator(SETTLED).count() == 0, "the still comes before Python"
    opened.panel.locator(".present .frame").press("ArrowRight")
    opened.slider("query at m").press("ArrowRight")  # changes made meanwhile are kept
    opened.slider("query at m").press("ArrowLeft")
    twin = RotationExplorer()
    opened.expect_picture_of(twin)
    still = canvas_pixels(opened.canvas)
    opened.panel.locator(".tries button").nth(2).click()
    opened.slider("key at n").press("End")  # after the try, and so is its answer
    opened.let_python_come()
    assert opened.settings() == {"n": "400", "pair": "15"}
    expect(opened.panel.locator(".tip")).to_have_text(RotationExplorer.tries[2].look_for.en)
    opened.button("Reset").click()
    opened.settle()
    opened.expect_words_of(twin)
    live = canvas_pixels(opened.canvas).astype(int)
    np.testing.assert_allclose(live, still, atol=2)  # a curve's last digits are NumPy's now, not PyTorch's
    twin.close()
    opened.close()


# ---- Controls ----


@every_explorer
def test_every_control_works_by_keys_and_pointer_and_the_picture_is_pythons(
    visit: Visit, make: type[Explorer]
) -> None:
    visit.use_every_control(make)


def test_a_number_can_be_typed_and_a_locked_slider_follows(visit: Visit) -> None:
    visit.show(RotationExplorer)
    visit.number("query at m").fill("17")
    visit.settle()
    assert visit.settings() == {"m": "17"}
    expect(visit.slider("query at m")).to_have_value("17")
    visit.number("query at m").fill("9999")
    visit.number("query at m").press("Tab")
    visit.settle()
    expect(visit.number("query at m")).to_have_value("200")
    visit.panel.locator("details").evaluate("details => { details.open = true }")
    visit.number("base").fill("500000")
    visit.settle()
    expect(visit.slider("base")).to_have_attribute("aria-valuetext", re.compile("500,000"))
    visit.expect_same_as(RotationExplorer)
    visit.show(RotationExplorer)
    visit.panel.get_by_label("move together").check()
    visit.settle()
    expect(visit.slider("key at n")).to_be_disabled()
    visit.slider("query at m").press("ArrowRight")
    visit.settle()
    expect(visit.number("key at n")).to_have_value("10")


def test_typed_text_stays_text_and_a_complaint_goes_with_its_cause(visit: Visit) -> None:
    visit.show(GateExplorer)
    text = visit.panel.get_by_label("text", exact=True)
    text.fill("")
    expect(visit.alert).to_have_text("The text is empty: type at least one word.")
    text.fill("one word. Two words")
    expect(visit.alert).to_be_empty()
    visit.settle()
    visit.expect_same_as(GateExplorer)
    text.fill(next(iter(AS_MARKUP.values())))
    visit.settle()
    visit.button("Show the code").click()
    expect(visit.page.locator("dialog[open] .listing")).to_contain_text("explorer = GateExplorer(")
    assert visit.page.evaluate(f"globalThis.{MARK} ?? document.getElementById('{MARK}')") is None


# ---- Language, theme, links ----


def test_language_and_theme_change_everything_at_once(visit: Visit) -> None:
    visit.show(RotationExplorer)
    visit.choose("languages", "zh")
    visit.choose("modes", "dark")
    visit.settle()
    language.choose("zh")
    assert visit.page.title() == "位置编码交互图"
    assert (visit.link()["lang"], visit.link()["mode"]) == ("zh", "dark")
    twin = RotationExplorer(theme=DARK)
    visit.expect_words_of(twin)
    visit.expect_picture_of(twin)
    twin.close()
    paper = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == "rgb({}, {}, {})".format(*bytes.fromhex(DARK.paper[1:]))
    visit.panel.locator("details").evaluate("details => { details.open = true }")
    words = visit.page.evaluate(
        "() => [...document.querySelectorAll('button, .name, .tip, .heading')]"
        ".filter(it => it.checkVisibility()).map(it => it.innerText)"
    )
    assert [line for line in words if re.search(r"[a-z]{4,}", line)] == ["English", "底数 base"]
    visit.choose("languages", "both")
    visit.settle()
    expect(visit.slider("查询位置 m · query at m")).to_be_visible()


def test_a_link_restores_everything_and_invalid_parts_are_named(browser: Browser, page_url: str) -> None:
    language.choose("en")
    opened = Visit(browser, page_url, color_scheme="dark", permissions=["clipboard-read", "clipboard-write"])
    opened.open(
        "token=secret&explorer=gate&query=9&key=3&rule=words&width=99999&nonsense=1&lang=en&mode=dark"
    )
    expect(opened.alert).to_contain_text("nonsense=1")
    assert opened.settings() == {"query": "9", "key": "3", "rule": "words", "width": "24"}
    opened.expect_same_as(GateExplorer)
    opened.button("Copy link").click()
    expect(opened.panel.locator(".toast.shown")).to_contain_text("The link is copied")
    copied = opened.page.evaluate("navigator.clipboard.readText()")
    assert copied == opened.page.url and "secret" not in copied
    opened.close()


# ---- Named settings, comparison, other buttons ----


def test_a_reader_who_wants_less_motion_sees_no_change_in_between(visit: Visit) -> None:
    visit.show(SinusoidExplorer)
    visit.page.emulate_media(reduced_motion="reduce")
    before = int(visit.canvas.get_attribute("data-painted") or 0)
    visit.press_try(3)
    assert int(visit.canvas.get_attribute("data-painted") or 0) <= before + 2
    visit.page.emulate_media(reduced_motion="no-preference")


@every_explorer
def test_tries_can_be_followed_in_order(visit: Visit, make: type[Explorer]) -> None:
    visit.follow_tries(make)


def test_a_kept_picture_stands_below_the_present_one(visit: Visit) -> None:
    visit.show(ShuffleExplorer)
    reading, described = visit.reading.inner_text(), visit.canvas.get_attribute("aria-label") or ""
    visit.button("Compare").click()
    expect(visit.panel.locator(".kept .which")).to_have_text("Kept picture: change a setting to compare")
    visit.panel.get_by_label("arrangement", exact=True).select_option("shuffled, way 4")
    visit.panel.get_by_label("encoding", exact=True).select_option("sinusoidal")
    visit.settle()
    kept = visit.panel.locator(".kept canvas[data-painted]")
    expect(kept).to_have_attribute("aria-label", described)
    assert visit.canvas.get_attribute("aria-label") != described
    expect(visit.panel.locator(".kept .reading")).to_have_text(reading)
    above, below = visit.canvas.bounding_box(), kept.bounding_box()
    assert above is not None and below is not None
    assert above["y"] + above["height"] <= below["y"] and above["width"] == below["width"]
    expect(visit.panel.locator(".kept .which")).to_be_in_viewport()  # so a reader knows that it is there
    visit.panel.locator(".pictures").press("End")
    expect(visit.panel.locator(".kept .reading")).to_be_in_viewport()
    assert barriers(visit.page) == []
    visit.button("End comparison").click()
    expect(kept).to_be_hidden()


def test_the_code_is_shown_copied_and_closed_and_the_picture_saved(visit: Visit) -> None:
    visit.show(RotationExplorer)
    visit.button("Show the code").press("Enter")
    twin = RotationExplorer()
    expect(visit.page.locator("dialog[open] .listing")).to_have_text(twin.present_code(), use_inner_text=True)
    visit.button("Copy").click()
    expect(visit.panel.locator(".toast")).to_have_text("Copied.")
    assert visit.page.evaluate("navigator.clipboard.readText()") == twin.present_code()
    visit.page.keyboard.press("Escape")
    expect(visit.button("Show the code")).to_be_focused()
    with visit.page.expect_download() as coming:
        visit.button("Save PNG").click()
    assert coming.value.suggested_filename == "rotation.png"
    twin.close()


# ---- The pointer on the picture ----


def drag(visit: Visit, make: type[Explorer], panel: str, *places: tuple[float, float]) -> None:
    mouse = visit.page.mouse
    mouse.move(*place(visit, make, panel, *places[0]))
    expect(visit.canvas).to_have_css("cursor", "grab")
    mouse.down()
    visit.settle()
    for at in places[1:]:
        mouse.move(*place(visit, make, panel, *at))
        expect(visit.canvas).to_have_css("cursor", "grabbing")
        visit.settle()
    mouse.up()


def test_the_pointer_turns_an_arrow_moves_a_word_and_chooses_a_cell(visit: Visit) -> None:
    visit.show(RotationExplorer)
    twin = RotationExplorer()
    arrow = twin.compute(twin.parameters())["turned_key"]
    twin.close()
    angle, rate = math.atan2(arrow[1], arrow[0]), 10000.0 ** (-6 / 32)
    aims = [angle + turns * rate for turns in (0, 4, 8, 12)]
    drag(visit, RotationExplorer, "plane", *[(0.7 * math.cos(aim), 0.7 * math.sin(aim)) for aim in aims])
    assert visit.settings() == {"n": str(9 + 12)}
    visit.expect_same_as(RotationExplorer)
    visit.show(ShuffleExplorer)
    drag(visit, ShuffleExplorer, "cards", (200.0, 0.0), (200.0, 1.0), (200.0, 2.0))
    assert set(visit.settings()) == {"arrangement", "order"}
    visit.expect_same_as(ShuffleExplorer)
    visit.show(DistanceExplorer)
    visit.page.mouse.click(*place(visit, DistanceExplorer, "matrix", 6, 1))
    visit.settle()
    assert visit.settings() == {"query": "1", "key": "6"}


# ---- Where a number comes from ----


def card(visit: Visit) -> Locator:
    return visit.page.locator(".card:is(:popover-open, .below)")


def expect_card(visit: Visit, explorer: Explorer, mark: Mark) -> None:
    """Expect the card that Python has for this mark, inside the window and not over the mark."""
    expected = card_of(explorer, mark)
    assert expected is not None
    data = as_data(expected)
    expect(card(visit).locator(".head").first).to_have_text(data["title"].split(" · ")[0].replace("$", ""))
    expect(card(visit).locator(".value")).to_have_count(len(data["lines"]))
    expect(visit.panel.locator(".unseen")).to_contain_text(re.sub(r"[$_^{}]", "", data["lines"][-1][2]))
    size = visit.page.viewport_size
    boxes = card(visit).bounding_box(), visit.panel.locator(".lit.mark").bounding_box()
    assert size is not None and boxes[0] is not None and boxes[1] is not None
    (left, top, right, bottom), (x0, y0, x1, y1) = (
        (box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]) for box in boxes if box
    )
    assert left >= 0 and top >= 0 and right <= size["width"] and bottom <= size["height"]
    assert right <= x0 or x1 <= left or bottom <= y0 or y1 <= top


def test_a_card_follows_the_mouse_and_a_moving_slider(visit: Visit) -> None:
    visit.show(DistanceExplorer)
    explorer = DistanceExplorer()
    for row, column in ((4, 2), (0, 7)):
        visit.page.mouse.move(*place(visit, DistanceExplorer, "matrix", column, row))
        expect_card(visit, explorer, Mark("matrix", "values", row, column))
    visit.page.keyboard.press("Escape")
    expect(card(visit)).to_have_count(0)
    visit.page.mouse.move(*place(visit, DistanceExplorer, "matrix", 3, 3))
    expect(card(visit)).to_have_count(1)
    visit.page.mouse.move(2, 2)
    expect(card(visit)).to_have_count(0)
    expect(visit.panel.locator(".unseen")).to_be_empty()
    explorer.close()
    visit.show(RotationExplorer)
    explorer = RotationExplorer()
    visit.page.mouse.move(*place(visit, RotationExplorer, "dials", 3.25, -0.31))  # the hand of pair 3
    expect_card(visit, explorer, Mark("dials", "query", 0, 3))
    visit.slider("query at m").evaluate(SET_IN_A_ROW, [40])
    explorer.controls["m"].value = 40
    expect_card(visit, explorer, Mark("dials", "query", 0, 3))
    explorer.close()


def test_keys_move_between_numbers_and_panels(visit: Visit) -> None:
    visit.show(DistanceExplorer)
    explorer, frame = DistanceExplorer(), visit.panel.locator(".present .frame")
    frame.focus()
    for keys, mark in (
        (("ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"), Mark("matrix", "values", 2, 1)),
        (("ArrowLeft", "ArrowLeft"), Mark("matrix", "values", 2, 0)),  # there is no mark further left
        (("]",), Mark("profile", "profile", 0, 0)),
        (("]",), Mark("matrix", "values", 0, 0)),
    ):
        for key in keys:
            visit.page.keyboard.press(key)
        expect_card(visit, explorer, mark)
    visit.page.keyboard.press("Tab")
    expect(card(visit)).to_have_count(0)
    explorer.close()


# ---- On a phone ----


def test_on_a_phone_taps_ask_and_fingers_drag_without_scrolling(browser: Browser, page_url: str) -> None:
    language.choose("en")
    phone = Visit(browser, page_url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone.open("explorer=distance&lang=en")
    frame = phone.panel.locator(".present .frame").bounding_box()
    assert frame is not None and 0 <= frame["y"] <= 60 and frame["height"] > 200
    cell = frame["x"] + 0.4 * frame["width"], frame["y"] + 150
    described = phone.canvas.get_attribute("aria-label") or ""
    phone.page.touchscreen.tap(*cell)
    expect(card(phone)).to_have_count(1)
    expect(phone.canvas).not_to_have_attribute("aria-label", described)
    phone.settle()
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert set(phone.settings()) <= {"query", "key"} and phone.settings()
    phone.page.touchscreen.tap(*cell)  # a second tap closes it
    expect(card(phone)).to_have_count(0)
    phone.page.get_by_role("combobox", name="Choose an explorer").select_option("Rotation")
    phone.page.locator("#panel-rotation[data-live]").wait_for()
    phone.settle()
    box = phone.canvas.bounding_box()
    assert box is not None
    middle = box["x"] + 195, box["y"] + 210
    phone.swipe((middle[0] + 90, middle[1] + 60), (middle[0] - 90, middle[1] + 60))
    phone.settle()
    assert {"m", "n"} & set(phone.settings()), "an arrow was turned"
    assert (
        phone.page.evaluate("scrollY") == 0
        and phone.panel.locator(".present .frame").evaluate("it => it.scrollLeft") == 0
    )
    phone.swipe((320, 70), (60, 70))  # at the titles, where nothing can be dragged
    expect(phone.panel.locator(".page-names button").nth(1)).to_have_attribute("aria-current", "true")
    phone.close()
