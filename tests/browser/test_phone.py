"""The explorers on a phone: a picture has pages, which the reader swipes or chooses by dots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.canvas_data import stage
from posenc_lessons.language import Language, shown_in
from tests.support.pace import wait_until
from tests.support.site import Visit

pytestmark = pytest.mark.sweep

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# The page that a frame shows (a fraction during a movement), and the number of pages beside each other.
PAGES = """frame => {
    const [canvas, box] = [frame.querySelector("canvas"), frame].map(it => it.getBoundingClientRect());
    return [(box.left - canvas.left) / box.width, canvas.width / box.width];
}"""


@pytest.fixture(scope="module")
def still(browser: Browser, page_url: str) -> Iterator[Visit]:
    """Open the page without Python: it has the same boxes."""
    opened = Visit(browser, page_url, **PHONE, reduced_motion="reduce").open("mode=light", live=False)
    yield opened
    opened.close()


def frame_of(panel: Locator) -> Locator:
    return panel.locator(".present .frame")


def expect_page(frame: Locator, at: int) -> None:
    wait_until(
        lambda: abs(frame.evaluate(PAGES)[0] - at) < 0.01, lambda: f"{frame.evaluate(PAGES)}, not {at}"
    )


@pytest.mark.parametrize("spoken", ["zh", "en", "both"])
@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_the_picture_is_whole_on_the_first_screen_with_its_first_control(
    still: Visit, make: type[Explorer], spoken: Language
) -> None:
    still.choose("languages", spoken)
    still.show_still(make)
    frame, first = frame_of(still.panel).bounding_box(), still.panel.locator(".control.first").bounding_box()
    assert frame is not None and first is not None
    assert frame["x"] == 0 and frame["width"] == 390 and frame["height"] <= 0.52 * 844
    assert frame["y"] + frame["height"] <= first["y"] and first["y"] + first["height"] < 620
    assert not still.panel.locator(".screen.more").count(), "nothing of a page is scrolled"
    dots = still.panel.locator(".dots button")
    assert frame_of(still.panel).evaluate(PAGES)[1] == dots.count()
    expect(still.panel.locator(".dots")).to_be_visible(visible=dots.count() > 1)


@pytest.mark.parametrize("spoken", ["zh", "en"])
@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_dots_show_every_page_by_tap_and_keys_and_have_its_titles(
    still: Visit, make: type[Explorer], spoken: Language
) -> None:
    still.choose("languages", spoken)
    still.show_still(make)
    frame, dots = frame_of(still.panel), still.panel.locator(".dots button")
    last = dots.count() - 1
    if make.name == "spectrum":
        assert last == 0, "all of it stands on one page"
        return
    with shown_in(spoken):  # with both languages some titles are shorter
        explorer = make()
        titles = [panel["title"] for panel in stage(explorer.present_scene()[0], spoken)["panels"].values()]
        explorer.close()
    names = dots.evaluate_all("dots => dots.map(dot => dot.getAttribute('aria-label'))")
    assert all(any(title.replace("$", "") in name for name in names) for title in titles), names
    dots.nth(last).tap()
    expect_page(frame, last)
    expect(dots.nth(last)).to_have_attribute("aria-current", "true")
    for key, at in (("ArrowRight", last), ("Home", 0), ("ArrowRight", 1), ("ArrowLeft", 0)):
        still.panel.locator(".dots [aria-current=true]").press(key)  # there is none right of the last
        expect(dots.nth(at)).to_be_focused()
        expect_page(frame, at)
