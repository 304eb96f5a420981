"""The explorers' page on four screens: everything is visible, nothing is cut off, nothing overlaps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.figures.theme import THEMES
from posenc_lessons.language import LANGUAGES
from tests.support.site import Visit

SIZES = [(1366, 641), (1920, 1080), (1024, 768), (390, 844)]
LEAST_TYPE = {1920: 15, 1366: 11}  # CSS pixels: smallest letters in a picture, by the screen's width
LEAST_TICKS = 11  # least size of a tick label on smaller screens, where words in cells may be smaller

# Records the size of the smallest letters, the size of the smallest numbers beside y axes (only these are
# right-aligned), and words that reach out of a picture.
NOTE_WORDS = """
const write = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const turned = this.getTransform();
    const scale = Math.hypot(turned.a, turned.b) / devicePixelRatio;
    const size = parseFloat(this.font.replace("italic ", "")) * scale;
    globalThis.leastType = Math.min(globalThis.leastType ?? 99, size);
    if (this.textAlign === "right") globalThis.leastTicks = Math.min(globalThis.leastTicks ?? 99, size);
    const { actualBoundingBoxLeft: before, actualBoundingBoxRight: after } = this.measureText(text);
    for (const end of [x - before, x + after]) {
        const at = turned.transformPoint({ x: end, y });
        if (at.x < 1 || at.x > this.canvas.width - 1 || at.y < 1 || at.y > this.canvas.height - 1)
            (globalThis.leaving ??= new Set()).add(text);
    }
    return write.call(this, text, x, y);
};
"""
TROUBLE = Path(__file__).with_name("page_layout.js").read_text(encoding="utf-8")
MENUS = Path(__file__).with_name("cut_choices.js").read_text(encoding="utf-8")
# Layout errors after everything was laid out and painted again, and the smallest sizes.
LAID_OUT = f"""async () => {{
    globalThis.leastType = globalThis.leastTicks = globalThis.leaving = undefined;
    scrollTo(0, 0);
    dispatchEvent(new Event("resize"));
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    const cut = [...globalThis.leaving ?? []].map(words => `${{words}} leaves the picture`);
    return [[...({TROUBLE})(), ...cut], globalThis.leastType ?? 99, globalThis.leastTicks ?? 99];
}}"""
# Options that are too wide for their menu, including folded menus and those for other settings.
CUT_CHOICES = f"""() => {{
    const panel = [...document.querySelectorAll(".panel")].find(it => !it.hidden);
    const folds = [...panel.querySelectorAll("details:not([open]), .control[hidden]")];
    for (const it of folds) it.tagName === "DETAILS" ? it.open = true : it.hidden = false;
    const cut = ({MENUS})([...panel.querySelectorAll("select")]);
    for (const it of folds) it.tagName === "DETAILS" ? it.open = false : it.hidden = true;
    return cut;
}}"""
CUT_NAMES = f"() => ({MENUS})([document.getElementById('menu')].filter(it => it.checkVisibility()))"


@pytest.fixture(scope="module", params=SIZES, ids=lambda size: "x".join(map(str, size)))
def visit(request: pytest.FixtureRequest, browser: Browser, page_url: str) -> Iterator[Visit]:
    """Open the page without Python: it has the same boxes, and changes language and theme at once."""
    width, height = request.param
    opened = Visit(browser, page_url, viewport={"width": width, "height": height}, has_touch=width < 500)
    opened.context.add_init_script(NOTE_WORDS)
    yield opened.open(live=False)
    opened.close()


@pytest.mark.parametrize("mode", THEMES)
@pytest.mark.parametrize("spoken", LANGUAGES)
def test_nothing_is_cut_off_or_covered(visit: Visit, spoken: str, mode: str) -> None:
    page = visit.page
    page.locator(f"#languages button[value={spoken}]").click()
    page.locator(f"#modes button[value={mode}]").click()
    width = page.evaluate("innerWidth")
    # On a phone a name in two languages is too wide beside the buttons, so the second ends in dots.
    cut = [] if spoken == "both" and width < 500 else page.evaluate(CUT_NAMES)
    trouble = {"menu": cut} if cut else {}
    for make in EXPLORERS:
        page.locator(f"#tab-{make.name}").evaluate("tab => tab.click()")
        visit.canvas.wait_for()
        visit.rest()
        found, least, ticks = page.evaluate(LAID_OUT)
        if ticks < LEAST_TICKS - 0.05:
            found.append(f"tick labels of {ticks:.1f} px")
        # Large type and two languages must fit into table cells that do not grow.
        alone = spoken != "both" and mode != "projector"
        if alone and least < LEAST_TYPE.get(width, 0) - 0.05:
            found.append(f"letters of {least:.1f} px")
        found += page.evaluate(CUT_CHOICES)
        if found:
            trouble[make.name] = found
    assert trouble == {}


def test_on_a_phone_the_picture_stays_visible_beside_every_slider(visit: Visit) -> None:
    page = visit.page
    if page.viewport_size is None or page.viewport_size["width"] > 500:
        pytest.skip("a large screen shows all at once")
    for make in EXPLORERS:
        page.locator(f"#tab-{make.name}").evaluate("tab => tab.click()")
        visit.canvas.wait_for()
        visit.rest()
        for slider in visit.panel.get_by_role("slider").filter(visible=True).all():
            slider.focus()
            handle, frame = slider.bounding_box(), visit.panel.locator(".present .frame").bounding_box()
            assert handle is not None and frame is not None
            assert frame["y"] >= 0 and frame["y"] + frame["height"] <= handle["y"] + 1, make.name
            assert handle["width"] >= 340
