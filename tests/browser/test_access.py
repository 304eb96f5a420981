"""The explorers' page for everyone: screen reader, keyboard, dark rooms and large ones, small screens."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from posenc_lessons import language
from posenc_lessons.explorers import (
    EXPLORERS,
    DistanceExplorer,
    GateExplorer,
    RotationExplorer,
    SinusoidExplorer,
)
from posenc_lessons.explorers.base import SHOW_CODE, Explorer
from posenc_lessons.figures.draw import TICK_SIZE
from posenc_lessons.figures.rotation import WIDTH as ROTATION_WIDTH
from posenc_lessons.figures.theme import PROJECTOR, THEMES
from posenc_lessons.language import Language
from tests.browser.watching import Shown, Watch
from tests.support.pages import new_context

# Targets of 24 CSS pixels are asked for by WCAG 2.2, which axe checks only when told to.
AXE_OPTIONS = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
OPEN_PANEL = "[role=tabpanel]:not(.lm-mod-hidden)"
FOCUSABLE = (
    "button:enabled, select:enabled, input:enabled:not([type=file]), [tabindex='0'], [contenteditable=true]"
)
FOCUSED = """() => {
    const it = document.activeElement;
    const label = it.getAttribute("aria-label") || it.labels?.[0]?.textContent.trim()
        || it.closest("label")?.textContent.trim() || it.textContent.trim() || it.title || it.placeholder;
    return !it.closest("[role=tabpanel]") ? null : [it.getAttribute("role") || it.tagName, label];
}"""

SCROLLS_SIDEWAYS = """() => [...document.querySelectorAll(":root, body, body *:not(input)")]
    .filter(it => it.scrollWidth > it.clientWidth && it.clientWidth > 0)
    .filter(it => it.scrollWidth > innerWidth || ["auto", "scroll"].includes(getComputedStyle(it).overflowX))
    .map(it => `${it.className}: ${it.scrollWidth} > ${it.clientWidth}`)"""
TOO_SMALL = """focusable => [...document.querySelectorAll(focusable)]
    .filter(it => it.offsetParent && it.closest(".posenc-page"))
    .map(it => [it.className || it.tagName, it.getBoundingClientRect()])
    .filter(([, box]) => Math.round(Math.min(box.width, box.height)) < 24)
    .map(([name, box]) => `${name}: ${box.width} × ${box.height}`)"""


def open_page(page: Page, address: str, query: str) -> None:
    """Wait for the explorer that ``query`` asks for: until the page has read it, the first one is shown."""
    page.goto(f"{address}&{query}")
    asked = parse_qs(query).get("explorer", [EXPLORERS[0].name])[0]
    title = next(make.title for make in EXPLORERS if make.name == asked)
    heading = page.get_by_role("heading", name=re.compile(f"{re.escape(title.zh)}|{re.escape(title.en)}"))
    shown = page.locator(".posenc-explorer:visible", has=heading)
    shown.locator("canvas[data-painted]").wait_for()


def open_tab(page: Page, make: type[Explorer]) -> Locator:
    page.get_by_role("tab", name=make.title.show(), exact=True).click()
    explorer = page.locator(".posenc-explorer", has=page.get_by_role("heading", name=make.title.show()))
    explorer.locator("canvas[data-painted]").wait_for()
    return explorer


def barriers(page: Page, within: str | None = None) -> list[str]:
    """What axe-core finds wrong with the page as it stands, moderate and minor things included."""
    found = Axe().run(page, context=within, options=AXE_OPTIONS).response["violations"]
    return [
        f"{each['impact']} {each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]
    ]


@pytest.mark.parametrize(
    ("mode", "spoken"), [("light", "en"), ("light", "zh"), ("dark", "en"), ("projector", "zh")]
)
def test_axe_finds_nothing_wrong_with_any_explorer(
    address: str, watch: Callable[[], Watch], mode: str, spoken: Language
) -> None:
    page = watch().page
    open_page(page, address, f"explorer={EXPLORERS[0].name}&lang={spoken}&mode={mode}")
    language.choose(spoken)
    for make in EXPLORERS:
        explorer = open_tab(page, make)
        explorer.get_by_role("button", name=SHOW_CODE.show()).click()
        assert barriers(page, OPEN_PANEL) == [], make.name
        if mode != "light" and make in (SinusoidExplorer, RotationExplorer, GateExplorer):
            twin = make()
            twin.theme = THEMES[mode]
            Shown(explorer, twin).expect_picture()
            twin.close()
    assert page.evaluate("document.documentElement.lang") == {"zh": "zh-CN", "en": "en"}[spoken]
    assert page.title() == {"zh": "位置编码探索器", "en": "Position-encoding explorer"}[spoken]
    assert barriers(page) == []
    page.evaluate("document.querySelector('.posenc-page').append(document.createElement('button'))")
    assert any("button-name" in barrier for barrier in barriers(page))  # what it looks at is the page


def test_the_mode_chosen_is_kept_in_the_link(address: str, watch: Callable[[], Watch]) -> None:
    page = watch().page
    open_page(page, address, "explorer=rotation&lang=en")
    modes = page.get_by_role("group", name="Display")
    expect(modes.get_by_role("button", name="light", pressed=True)).to_be_visible()
    modes.get_by_role("button", name="projector").press("Enter")
    expect(modes.get_by_role("button", name="projector", pressed=True)).to_be_visible()
    page.wait_for_url("**/?token=*&explorer=rotation&lang=en&mode=projector")
    linked = watch().page
    linked.goto(page.url)
    modes = linked.get_by_role("group", name="Display")
    expect(modes.get_by_role("button", name="projector", pressed=True)).to_be_visible()


def test_a_projector_shows_large_type_in_controls_readings_and_pictures(
    address: str, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    page.set_viewport_size({"width": 1280, "height": 720})
    open_page(page, address, "explorer=rotation&lang=en&mode=projector")
    explorer = page.locator(".posenc-explorer:visible")
    canvas = explorer.locator("canvas")
    expect(canvas).to_have_js_property("width", round(2 * PROJECTOR.enlarged * ROTATION_WIDTH))
    expect(page.get_by_role("group", name="Display")).to_have_css("font-size", "20px")
    for words in (".widget-label", ".widget-readout", "[aria-live]", "button", "select"):
        expect(explorer.locator(words).filter(visible=True).last).to_have_css("font-size", "20px")
    # Ticks have 14 of 720 rows, a larger share of what is projected than at full size on 1920 × 1080.
    least = 14 / (TICK_SIZE * PROJECTOR.type_scale) * ROTATION_WIDTH
    wide_enough = "([canvas, least]) => canvas.getBoundingClientRect().width >= least"
    page.wait_for_function(wide_enough, arg=[canvas.element_handle(), least])  # once it is laid out
    box = canvas.bounding_box()
    assert box is not None
    assert box["width"] <= 1280 < 2 * ROTATION_WIDTH  # and the canvas has more pixels than the screen


def test_the_keyboard_alone_reaches_every_tab_and_every_control(
    address: str, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    open_page(page, address, "explorer=attention&lang=en")
    language.choose("en")
    page.get_by_role("button", name="Copy link").focus()
    page.keyboard.press("Tab")  # to the open tab, though a link opened it and no key
    expect(page.get_by_role("tab", name="Trained attention")).to_be_focused()
    for make in EXPLORERS[-1:] + EXPLORERS[:-1]:
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        tab = page.get_by_role("tab", name=make.title.show(), exact=True)
        expect(tab).to_have_attribute("aria-selected", "true")
        panel = page.get_by_role("tabpanel", name=make.title.show(), exact=True)
        panel.locator("canvas[data-painted]").wait_for()
        reached = tab_through(page)
        assert len(reached) == panel.locator(FOCUSABLE).filter(visible=True).count(), reached
        assert all(name for _, name in reached), reached
        tab.focus()


def tab_through(page: Page) -> list[tuple[str, str]]:
    """Role and name of all that Tab reaches from here until it leaves the tab's panel."""
    reached: list[tuple[str, str]] = []
    while len(reached) < 100:
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None:
            break
        reached.append(tuple(focused))
    return reached


def test_what_has_only_an_icon_or_a_colour_says_it_in_words(address: str, watch: Callable[[], Watch]) -> None:
    page = watch().page
    open_page(page, address, "explorer=rotation&lang=en")
    expect(page.get_by_role("button", name="English", pressed=True)).to_be_visible()
    expect(page.get_by_role("button", name="中文", pressed=False)).to_be_visible()
    expect(page.get_by_role("button", name="light", pressed=True)).to_be_visible()
    explorer = page.locator(".posenc-explorer:visible")
    code = explorer.get_by_role("button", name="Show the code")
    expect(code).to_have_attribute("aria-pressed", "false")
    code.press("Enter")
    expect(code).to_have_attribute("aria-pressed", "true")
    explorer.get_by_role("button", name="Play", exact=True).press("Enter")
    explorer.get_by_role("button", name="Pause", exact=True).press("Enter")
    expect(explorer.get_by_role("button", name="Play", exact=True)).to_be_visible()
    key = explorer.get_by_role("slider", name="key at n")
    expect(key).to_have_attribute("aria-disabled", "false")
    explorer.get_by_label("move together").check()
    expect(key).to_have_attribute("aria-disabled", "true")
    picture = explorer.get_by_role("img")
    expect(picture).to_have_accessible_description(
        "What pointing at the picture does, the controls above do too."
    )
    page.get_by_role("button", name="中文").press("Enter")
    expect(page.get_by_role("button", name="中文", pressed=True)).to_be_visible()
    expect(explorer.get_by_role("button", name="播放", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("width", "height", "mode"),
    [(1024, 768, "projector"), (768, 1024, "light")],
)
def test_small_screens_and_fingers_have_room(
    browser: Browser, address: str, width: int, height: int, mode: str
) -> None:
    size = {"width": width, "height": height}
    context = new_context(browser, viewport=size, has_touch=True, is_mobile=True)
    page = context.new_page()
    open_page(page, address, f"explorer={EXPLORERS[0].name}&lang=en&mode={mode}")
    language.choose("en")
    for make in EXPLORERS:
        explorer = open_tab(page, make)
        box = explorer.locator("canvas").bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width
        assert page.evaluate(SCROLLS_SIDEWAYS) == [], make.name
        assert page.evaluate(TOO_SMALL, FOCUSABLE) == [], make.name
    context.close()


def test_a_tap_hits_the_cell_below_the_finger_on_a_picture_that_was_scaled_down(
    browser: Browser, address: str
) -> None:
    context = new_context(browser, viewport={"width": 768, "height": 1024}, has_touch=True, is_mobile=True)
    page = context.new_page()
    open_page(page, address, "explorer=distance&lang=en")
    language.choose("en")
    twin = DistanceExplorer()
    shown = Shown(page.locator(".posenc-explorer:visible"), twin)
    shown.expect_picture()
    scene = twin.present_scene()[0]
    box = shown.canvas.bounding_box()
    assert box is not None and box["width"] < scene.width
    left, top, wide, high = next(panel.box for panel in scene.panels if panel.name == "matrix")
    scale, cells = box["width"] / scene.width, 8

    def tap(row: int, column: int) -> None:
        x, y = left + (column + 0.5) / cells * wide, top + (row + 0.5) / cells * high
        page.touchscreen.tap(box["x"] + scale * x, box["y"] + scale * y)

    tap(row=6, column=1)
    shown.expect_picture(query=6, key=1)
    tap(row=0, column=7)
    shown.expect_picture(query=0, key=7)
    twin.close()
    context.close()
