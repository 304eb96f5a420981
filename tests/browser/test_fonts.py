"""A page of JupyterLab gets the Chinese font only on a machine without one, and only once."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from posenc_lessons.figures.fonts import FAMILY, WEB_FONT
from tests.browser.watching import EXPLORERS_CELL, SWITCH_CELL, Watch
from tests.support.pace import wait_until
from tests.support.pages import Lab, new_context, run_all, write_notebook

pytestmark = pytest.mark.sweep

# Lists elements whose Chinese is drawn as boxes. Chinese characters are as wide as high; boxes are narrower.
BOXES = """() => {
    const boxes = [], nodes = [];
    const gather = (root) => {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
        while (walker.nextNode()) {
            const node = walker.currentNode;
            if (node.nodeType === Node.TEXT_NODE) nodes.push(node);
            else if (node.shadowRoot) gather(node.shadowRoot);
        }
    };
    gather(document.body);
    for (const node of nodes) {
        const element = node.parentElement;
        const place = node.data.search(/[\\u4e00-\\u9fff]/);
        if (place < 0 || !element?.checkVisibility()) continue;
        const range = document.createRange();
        range.setStart(node, place);
        range.setEnd(node, place + 1);
        const wide = range.getBoundingClientRect().width;
        const size = parseFloat(getComputedStyle(element).fontSize) * element.currentCSSZoom;
        if (wide && Math.abs(wide - size) > 0.05 * size) boxes.push(`${node.data}: ${wide} of ${size}`);
    }
    return boxes;
}"""
ARRIVED = (
    "family => [...document.fonts].some(face => face.family.includes(family) && face.status === 'loaded')"
)


def fonts_coming(page: Page) -> list[str]:
    """Record where ``page`` gets the font: from its server, or a kernel, whose other messages are smaller."""
    sources: list[str] = []

    def look(message: str | bytes) -> None:
        if len(message) >= WEB_FONT.stat().st_size:
            sources.append("kernel")

    def note(answer: Response) -> None:
        if answer.ok and answer.url.endswith(WEB_FONT.name):
            sources.append("server")

    page.on("websocket", lambda socket: socket.on("framereceived", look))
    page.on("response", note)
    return sources


def wait_until_drawn(page: Page) -> None:
    """Wait until the font has loaded and the page uses it."""
    page.wait_for_function(ARRIVED, arg=FAMILY)
    wait_until(lambda: not page.evaluate(BOXES), lambda: page.evaluate(BOXES))


def test_a_lesson_shows_no_boxes_before_anything_runs(lab: Lab, watch: Callable[[], Watch]) -> None:
    page = watch().page
    fonts = fonts_coming(page)
    lab.open(page, "01_why_position.ipynb")
    page.evaluate("jupyterapp.commands.execute('toc:show-panel')")
    expect(page.locator(".jp-tocItem-content").first).to_be_visible()
    wait_until_drawn(page)
    assert fonts == ["server"]


@pytest.mark.parametrize("source", ["server", "kernel"])
def test_the_font_comes_once_for_all_explorers(
    source: str, browser: Browser, lab: Lab, lab_folder: Path
) -> None:
    """Without the lessons' server extension the kernel sends it."""
    # A kernel that another test has used would send its widgets too, in a message as large as the font.
    cells = [SWITCH_CELL, EXPLORERS_CELL, "SinusoidExplorer()", "ShuffleExplorer()"]
    write_notebook(lab_folder / f"font_{source}.ipynb", cells)
    page = new_context(browser).new_page()
    if source == "kernel":
        page.route("**/posenc-lessons/font.js", lambda route: route.fulfill(status=404))
    fonts = fonts_coming(page)
    lab.open(page, f"font_{source}.ipynb")
    assert run_all(page)
    expect(page.locator(".present canvas[data-painted]")).to_have_count(2)
    wait_until_drawn(page)
    assert fonts == [source]
    page.context.close()
