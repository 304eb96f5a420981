"""Chinese on a machine without a Chinese font: the page gets one, once, and only there."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.figures.fonts import FAMILY, FONT, WEB_FONT
from tests.browser.watching import SWITCH, Watch
from tests.support.pace import patience
from tests.support.pages import FONTS, Lab, launched, new_context, run_all

# Han characters are as wide as high; the boxes that stand for missing ones are narrower. Of each element with
# Chinese in it: its text, and how wide its first Chinese character is.
BOXES = """() => {
    const boxes = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode, element = node.parentElement;
        const place = node.data.search(/[\\u4e00-\\u9fff]/);
        if (place < 0 || !element.checkVisibility()) continue;
        const range = document.createRange();
        range.setStart(node, place);
        range.setEnd(node, place + 1);
        const wide = range.getBoundingClientRect().width;
        const size = parseFloat(getComputedStyle(element).fontSize);
        if (wide && Math.abs(wide - size) > 0.05 * size) boxes.push(`${node.data}: ${wide} of ${size}`);
    }
    return boxes;
}"""
ARRIVED = (
    "family => [...document.fonts].some(face => face.family.includes(family) && face.status === 'loaded')"
)


def large_messages(page: Page) -> list[int]:
    """Gathers the sizes of what comes to ``page`` and is as large as the font."""
    sizes: list[int] = []

    def look(message: str | bytes) -> None:
        if len(message) >= WEB_FONT.stat().st_size:
            sizes.append(len(message))

    page.on("websocket", lambda socket: socket.on("framereceived", look))
    return sizes


def wait_until_drawn(page: Page) -> None:
    """Until the font is there and the page uses it."""
    page.wait_for_function(ARRIVED, arg=FAMILY)
    deadline = time.monotonic() + patience()
    while boxes := page.evaluate(BOXES):
        assert time.monotonic() < deadline, boxes
        page.wait_for_timeout(50)


def open_explorers(lab: Lab, page: Page) -> None:
    lab.open(page, "explorer.ipynb")
    assert run_all(page)
    page.locator(".posenc-explorer canvas[data-painted]").wait_for()


def test_the_font_comes_once_a_page_and_no_word_on_it_is_a_box(lab: Lab, watch: Callable[[], Watch]) -> None:
    page = watch().page
    fonts = large_messages(page)
    open_explorers(lab, page)
    for make in EXPLORERS[1:3]:
        page.get_by_role("tab", name=make.title.show("both"), exact=True).click()
        page.locator(".posenc-explorer:visible canvas[data-painted]").wait_for()
    wait_until_drawn(page)
    assert len(fonts) == 1


def test_headings_and_prose_of_a_lesson_are_no_boxes_either(page: Page) -> None:
    expect(page.locator(SWITCH).get_by_role("button", name="中文")).to_be_visible()
    wait_until_drawn(page)


def test_a_machine_with_a_chinese_font_uses_its_own(browser: Browser, lab: Lab, tmp_path: Path) -> None:
    """Its own is the course's font as an installed one: no other is on every machine."""
    (tmp_path / FONT.name).symlink_to(FONT)
    own = FONTS.read_text(encoding="utf-8").partition("<selectfont>")[0]
    with_chinese = tmp_path / "fonts.conf"
    with_chinese.write_text(f"{own}<dir>{tmp_path}</dir></fontconfig>", encoding="utf-8")
    with launched(browser.browser_type, with_chinese) as other:
        page = new_context(other).new_page()
        fonts = large_messages(page)
        open_explorers(lab, page)
        page.wait_for_load_state("networkidle")
        assert page.evaluate(BOXES) == []
        assert not page.evaluate(ARRIVED, FAMILY) and fonts == []
