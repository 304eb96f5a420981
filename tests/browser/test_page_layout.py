"""The explorers' page on five screens: nothing is cut off, nothing overlaps, no words of a picture touch."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.figures.theme import THEMES
from posenc_lessons.language import LANGUAGES
from tests.support.site import Visit

pytestmark = pytest.mark.sweep

SIZES = [(1366, 641), (1920, 1080), (1024, 768), (900, 700), (390, 844)]
LEAST_TYPE = {1920: 15, 1366: 11}  # CSS pixels: smallest letters in a picture, by the screen's width
LEAST_TICKS = 11  # least size of a tick label on smaller screens, where words in cells may be smaller
# Where words of a picture do overlap: on a phone, names of lines in two languages.
KNOWN_OVERLAPS = {(390, "both"): {"spectrum"}}

# Records every word of the last picture: text, size, whether it names a tick, whether it is turned; its box.
NOTE_WORDS = """
const write = CanvasRenderingContext2D.prototype.fillText;
const clear = CanvasRenderingContext2D.prototype.fillRect;
globalThis.written = [];
CanvasRenderingContext2D.prototype.fillRect = function (x, y, width, height) {
    if (!x && !y && width > 300) globalThis.written = [];
    return clear.call(this, x, y, width, height);
};
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const place = this.getTransform(), ink = this.measureText(text);
    const size = parseFloat(this.font.replace("italic ", "")) * Math.hypot(place.a, place.b);
    const [start, end] = [[-ink.actualBoundingBoxLeft, -ink.actualBoundingBoxAscent],
        [ink.actualBoundingBoxRight, ink.actualBoundingBoxDescent]]
        .map(([across, down]) => place.transformPoint({ x: x + across, y: y + down }));
    const { width, height } = this.canvas;
    const leaves = [start, end].some((at) => at.x < 1 || at.x > width - 1 || at.y < 1 || at.y > height - 1);
    if (text.trim() && this.canvas.isConnected) written.push({ text, leaves, size: size / devicePixelRatio,
        tick: this.textAlign === "right", turned: place.b !== 0,
        box: [start.x, start.y, end.x, end.y].map((side) => side / devicePixelRatio) });
    return write.call(this, text, x, y);
};
"""
OVERLAPS = """() => {
    const words = written.filter(({ turned }) => !turned);
    const both = ({ box: one }, { box: other }, at) =>
        Math.min(one[at + 2], other[at + 2]) - Math.max(one[at], other[at]);
    return words.flatMap((one, i) => words.slice(i + 1)
        .filter((other) => both(one, other, 0) > 1.5 && both(one, other, 1) > 1.5)
        .map((other) => `${one.text} lies on ${other.text}`));
}"""
TROUBLE = Path(__file__).with_name("page_layout.js").read_text(encoding="utf-8")
MENUS = Path(__file__).with_name("cut_choices.js").read_text(encoding="utf-8")
# Layout errors after everything was laid out and painted again.
LAID_OUT = f"""async () => {{
    scrollTo(0, 0);
    dispatchEvent(new Event("resize"));
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    const leaving = written.filter((word) => word.leaves).map(({{ text }}) => `${{text}} leaves the picture`);
    return [...({TROUBLE})(), ...leaving];
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


def smallest(visit: Visit, condition: str) -> float:
    return float(
        visit.page.evaluate(
            f"Math.min(99, ...written.filter(({{ tick }}) => {condition}).map(({{ size }}) => size))"
        )
    )


@pytest.mark.parametrize("mode", THEMES)
@pytest.mark.parametrize("spoken", LANGUAGES)
def test_nothing_is_cut_off_or_covered(visit: Visit, spoken: str, mode: str) -> None:
    page = visit.page
    visit.choose("languages", spoken)
    visit.choose("modes", mode)
    width = page.evaluate("innerWidth")
    # On a phone a name in two languages is too wide beside the buttons, so the second ends in dots.
    cut = [] if spoken == "both" and width < 500 else page.evaluate(CUT_NAMES)
    trouble = {"menu": cut} if cut else {}
    for make in EXPLORERS:
        visit.show_still(make)
        faults = page.evaluate(LAID_OUT)
        if (ticks := smallest(visit, "tick")) < LEAST_TICKS - 0.05:
            faults.append(f"tick labels of {ticks:.1f} px")
        # Large type and two languages must fit into table cells that do not grow.
        grows = spoken != "both" and mode != "projector"
        if grows and (least := smallest(visit, "true")) < LEAST_TYPE.get(width, 0) - 0.05:
            faults.append(f"letters of {least:.1f} px")
        if mode == "light" and make.name not in KNOWN_OVERLAPS.get((width, spoken), set()):
            faults += page.evaluate(OVERLAPS)
        faults += page.evaluate(CUT_CHOICES)
        if faults:
            trouble[make.name] = faults
    assert trouble == {}


def test_on_a_phone_the_picture_stays_visible_beside_every_slider(visit: Visit) -> None:
    page = visit.page
    if page.viewport_size is None or page.viewport_size["width"] > 500:
        pytest.skip("a large screen shows all at once")
    for make in EXPLORERS:
        visit.show_still(make)
        for slider in visit.panel.get_by_role("slider").filter(visible=True).all():
            slider.focus()
            handle, frame = slider.bounding_box(), visit.panel.locator(".present .frame").bounding_box()
            assert handle is not None and frame is not None
            assert frame["y"] >= 0 and frame["y"] + frame["height"] <= handle["y"] + 1, make.name
            assert handle["width"] >= 340
