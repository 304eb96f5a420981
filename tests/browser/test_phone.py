"""The explorers on a phone: a picture has pages, which the reader swipes or chooses by dots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from posenc_lessons.explorers import EXPLORERS, GateExplorer, RotationExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.canvas_data import stage
from posenc_lessons.language import Language, shown_in
from tests.support.pace import wait_until
from tests.support.site import Visit

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# The left edges and widths of the picture and of the frame that shows one of its pages.
PLACE = """frame => {
    const [canvas, box] = [frame.querySelector("canvas"), frame].map(it => it.getBoundingClientRect());
    return [box.left - canvas.left, box.width, canvas.width];
}"""


@pytest.fixture(scope="module")
def still(browser: Browser, page_url: str) -> Iterator[Visit]:
    """Open the page without Python: it has the same boxes."""
    opened = Visit(browser, page_url, **PHONE, reduced_motion="reduce").open("mode=light", live=False)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def live(browser: Browser, page_url: str) -> Iterator[Visit]:
    opened = Visit(browser, page_url, **PHONE).open("explorer=rotation&lang=en&mode=light")
    yield opened
    opened.close()


def frame_of(panel: Locator) -> Locator:
    return panel.locator(".present .frame")


def page_at(frame: Locator) -> float:
    """Return the page that the frame shows; a fraction during a movement."""
    left, width, _ = frame.evaluate(PLACE)
    return float(left / width)


def expect_page(frame: Locator, at: int) -> None:
    wait_until(lambda: abs(page_at(frame) - at) < 0.01, lambda: f"page {page_at(frame)}, not {at}")


def swipe(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Move a finger from ``start`` to ``end`` in small steps, and lift it."""
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: dict[str, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    at: Callable[[float], dict[str, float]] = lambda share: {  # noqa: E731
        side: a + share * (b - a) for side, a, b in zip("xy", start, end, strict=True)
    }
    send("touchStart", at(0))
    for step in range(1, 11):
        send("touchMove", at(step / 10))
    send("touchEnd")


def choose(visit: Visit, name: str) -> None:
    """Choose the explorer ``name`` in the menu, and scroll to the top of the page."""
    visit.page.locator("#menu").select_option(value=name)
    visit.panel.and_(visit.page.locator(f"#panel-{name}[data-live]")).wait_for()
    visit.page.evaluate("scrollTo(0, 0)")
    visit.settle()


def open_still(visit: Visit, make: type[Explorer], spoken: Language) -> Locator:
    visit.page.locator(f"#languages button[value={spoken}]").click()
    visit.page.locator(f"#tab-{make.name}").evaluate("tab => tab.click()")
    visit.page.evaluate("scrollTo(0, 0)")
    visit.canvas.wait_for()
    visit.rest()
    return visit.panel


@pytest.mark.parametrize("spoken", ["zh", "en", "both"])
@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_the_picture_is_whole_on_the_first_screen_with_its_first_control(
    still: Visit, make: type[Explorer], spoken: Language
) -> None:
    panel = open_still(still, make, spoken)
    frame, first = frame_of(panel).bounding_box(), panel.locator(".control.first").bounding_box()
    assert frame is not None and first is not None
    assert frame["x"] == 0 and frame["width"] == 390 and frame["height"] <= 0.52 * 844
    assert frame["y"] + frame["height"] <= first["y"] and first["y"] + first["height"] < 620
    assert not panel.locator(".screen.more").count(), "nothing of a page is scrolled"
    if make.plays and make.name != "race":  # the recorded race has been run
        label = make().label(make.plays).show(spoken)
        expect(panel.locator(".control.first").get_by_role("slider", name=label, exact=True)).to_have_count(1)
    _, width, canvas = frame_of(panel).evaluate(PLACE)
    dots = panel.locator(".dots button")
    assert canvas == width * dots.count()
    expect(panel.locator(".dots")).to_be_visible(visible=dots.count() > 1)


@pytest.mark.parametrize("spoken", ["zh", "en"])
@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_dots_show_every_page_by_tap_and_keys_and_have_its_titles(
    still: Visit, make: type[Explorer], spoken: Language
) -> None:
    panel = open_still(still, make, spoken)
    frame, dots = frame_of(panel), panel.locator(".dots button")
    last = dots.count() - 1
    if make.name == "spectrum":
        assert last == 0, "all of it stands on one page"
        return
    assert last > 0
    with shown_in(spoken):  # with both languages some titles are shorter
        explorer = make()
        panels = stage(explorer.present_scene()[0], spoken)["panels"].values()
        explorer.close()
    names = [dots.nth(at).get_attribute("aria-label") or "" for at in range(last + 1)]
    assert all(str(at + 1) in name and str(last + 1) in name for at, name in enumerate(names))
    for title in (each["title"].replace("$", "") for each in panels):
        assert any(title in name for name in names), f"{title} is not among {names}"
    dots.nth(last).tap()
    expect_page(frame, last)
    expect(dots.nth(last)).to_have_attribute("aria-current", "true")
    dots.nth(last).press("ArrowRight")  # there is no other
    expect_page(frame, last)
    dots.nth(last).press("Home")
    expect(dots.nth(0)).to_be_focused()
    expect_page(frame, 0)
    dots.nth(0).press("ArrowRight")
    expect(dots.nth(1)).to_be_focused()
    expect_page(frame, 1)
    dots.nth(1).press("ArrowLeft")
    expect(panel.locator(".dots [aria-current=true]")).to_have_count(1)
    expect_page(frame, 0)


def test_a_finger_swipes_pages_and_scrolls_elsewhere(still: Visit) -> None:
    panel = open_still(still, GateExplorer, "en")
    frame = frame_of(panel)
    swipe(still.page, (320, 200), (60, 200))
    expect_page(frame, 1)
    expect(panel.locator(".dots button").nth(1)).to_have_attribute("aria-current", "true")
    swipe(still.page, (60, 200), (320, 200))
    expect_page(frame, 0)
    swipe(still.page, (200, 400), (200, 80))
    wait_until(lambda: still.page.evaluate("scrollY") > 200, lambda: "the page does not scroll")
    expect_page(frame, 0)
    still.page.evaluate("scrollTo(0, 0)")


def test_dragging_an_arrow_does_not_swipe(live: Visit) -> None:
    choose(live, "rotation")
    frame, box = frame_of(live.panel), live.canvas.bounding_box()
    assert box is not None
    middle = box["x"] + 195, box["y"] + 210
    swipe(live.page, (middle[0] + 90, middle[1] + 60), (middle[0] - 90, middle[1] + 60))
    live.settle()
    assert {"m", "n"} & set(live.settings()), "an arrow was turned"
    assert page_at(frame) == 0 and live.page.evaluate("scrollY") == 0
    live.button("Reset").click()
    live.settle()


def test_keys_and_taps_reach_numbers_on_the_next_page(live: Visit) -> None:
    choose(live, "rotation")
    frame, card = frame_of(live.panel), live.page.locator(".card:popover-open")
    live.page.evaluate("scrollTo(0, 0)")
    frame.focus()
    for key in ("ArrowRight", "]"):
        frame.press(key)
    expect(card).to_have_count(1)
    expect_page(frame, 1)
    frame.press("Escape")
    lit = live.panel.locator(".lit.mark")
    for at in (0, 1):
        frame.press("]")
        expect_page(frame, at)
    expect(card).to_have_count(1)
    where = lit.bounding_box()
    assert where is not None and 0 <= where["x"] < 390
    frame.press("Escape")
    x, y = where["x"] + where["width"] / 2, where["y"] + where["height"] / 2
    live.page.touchscreen.tap(x, y)
    expect(card).to_have_count(1)
    there = lit.bounding_box()
    assert there is not None and abs(there["x"] - where["x"]) < 40
    swipe(live.page, (60, 70), (320, 70))  # at the titles, where nothing can be dragged
    expect_page(frame, 0)
    expect(card).to_have_count(0)


def test_the_kept_picture_shows_the_same_page(live: Visit) -> None:
    choose(live, "gate")
    live.button("Compare").click()
    live.settle()
    live.panel.locator(".tries button").nth(1).click()
    live.settle()
    kept = live.panel.locator(".kept .frame")
    expect(kept).to_have_count(1)
    live.panel.locator(".dots button").nth(1).tap()
    for frame in (frame_of(live.panel), kept):
        expect_page(frame, 1)
    live.button("End comparison").click()
    live.settle()
    expect_page(frame_of(live.panel), 1)
    live.panel.locator(".dots button").nth(0).tap()
    expect_page(frame_of(live.panel), 0)


def test_another_tab_fades_in_over_the_present_page(live: Visit) -> None:
    choose(live, "gate")
    live.panel.locator(".dots button").nth(1).tap()
    expect_page(frame_of(live.panel), 1)
    choose(live, "rotation")
    expect_page(frame_of(live.panel), 0)
    choose(live, "gate")
    expect_page(frame_of(live.panel), 1)


def test_a_wide_window_has_no_pages(still: Visit) -> None:
    panel = open_still(still, RotationExplorer, "en")
    expect(panel.locator(".dots")).to_be_visible()
    still.page.set_viewport_size({"width": 1366, "height": 641})
    expect(panel.locator(".dots")).to_be_hidden()
    expect(panel.locator(".stop")).to_have_count(0)
    still.page.set_viewport_size(PHONE["viewport"])
    expect(panel.locator(".dots button")).to_have_count(2)
