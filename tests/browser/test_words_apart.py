"""No words of a picture overlap, in both languages at once and with a kept state for comparison."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from posenc_lessons.explorers import EXPLORERS
from tests.support.pages import PAINTED
from tests.support.site import Visit

SIZES = [(1366, 641), (390, 844)]
# Where words do overlap: on a phone, names of lines in two languages.
KNOWN = {(390, False): {"spectrum"}, (390, True): {"spectrum"}}
# Records each horizontal word of the last picture: text, left, top, right, bottom in CSS pixels.
NOTE_BOXES = """
const write = CanvasRenderingContext2D.prototype.fillText;
const clear = CanvasRenderingContext2D.prototype.fillRect;
globalThis.written = [];
CanvasRenderingContext2D.prototype.fillRect = function (x, y, width, height) {
    if (!x && !y && width > 300) globalThis.written = [];
    return clear.call(this, x, y, width, height);
};
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const turned = this.getTransform();
    if (!turned.b && turned.a > 0 && text.trim() && this.canvas.isConnected) {
        const ink = this.measureText(text);
        const [start, end] = [[-ink.actualBoundingBoxLeft, -ink.actualBoundingBoxAscent],
            [ink.actualBoundingBoxRight, ink.actualBoundingBoxDescent]]
            .map(([across, down]) => turned.transformPoint({ x: x + across, y: y + down }));
        written.push([text, start.x, start.y, end.x, end.y].map((it, at) => at ? it / devicePixelRatio : it));
    }
    return write.call(this, text, x, y);
};
"""
OVERLAPS = """() => {
    const found = [];
    for (const [i, one] of written.entries())
        for (const other of written.slice(i + 1)) {
            const across = Math.min(one[3], other[3]) - Math.max(one[1], other[1]);
            const down = Math.min(one[4], other[4]) - Math.max(one[2], other[2]);
            if (across > 1.5 && down > 1.5) found.push(`${one[0]} lies on ${other[0]}`);
        }
    return found;
}"""


@pytest.fixture(scope="module", params=SIZES, ids=lambda size: "x".join(map(str, size)))
def visit(request: pytest.FixtureRequest, browser: Browser, page_url: str) -> Iterator[Visit]:
    """Open the page without Python: it paints the same, and can compare."""
    width, height = request.param
    opened = Visit(browser, page_url, viewport={"width": width, "height": height}, reduced_motion="reduce")
    opened.context.add_init_script(NOTE_BOXES)
    yield opened.open("lang=both&mode=light", live=False)
    opened.close()


@pytest.mark.parametrize("compared", [False, True], ids=["alone", "compared"])
def test_no_words_overlap(visit: Visit, compared: bool) -> None:
    trouble = {}
    for make in EXPLORERS:
        visit.page.locator(f"#tab-{make.name}").evaluate("tab => tab.click()")
        visit.canvas.wait_for()
        compare = visit.panel.locator("button[value=compare]")
        if compared:
            compare.evaluate("button => button.click()")
        visit.page.evaluate("() => dispatchEvent(new Event('resize'))")
        visit.page.evaluate(PAINTED)
        found = visit.page.evaluate(OVERLAPS)
        if compared:
            compare.evaluate("button => button.click()")
        if found:
            trouble[make.name] = found
    width = visit.page.evaluate("innerWidth")
    assert set(trouble) == KNOWN.get((width, compared), set()), trouble


def test_a_title_and_the_legend_beside_it_do_not_overlap_in_a_narrow_window(
    browser: Browser, page_url: str
) -> None:
    opened = Visit(browser, page_url, viewport={"width": 900, "height": 700}, reduced_motion="reduce")
    opened.context.add_init_script(NOTE_BOXES)
    opened.open("explorer=race&race=quick&step=100&lang=en")
    assert any("after 1000 steps" in text for text, *_ in opened.page.evaluate("written"))
    assert opened.page.evaluate(OVERLAPS) == []
    opened.close()
