"""The explorers on a phone: a picture has pages, which the reader swipes or chooses by name."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.language import Language
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
    names = still.panel.locator(".page-names button")
    assert frame_of(still.panel).evaluate(PAGES)[1] == names.count()
    expect(still.panel.locator(".page-names")).to_be_visible(visible=names.count() > 1)
