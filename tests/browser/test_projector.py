"""On a projector's screen sliders, picture and what the explorer says of it stand together."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from posenc_lessons import language
from posenc_lessons.explorers import (
    EXPLORERS,
    DistanceExplorer,
    RotationExplorer,
    ShuffleExplorer,
    SinusoidExplorer,
)
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.theme import PROJECTOR
from posenc_lessons.language import Language
from tests.browser.watching import Watch

TOGETHER = (".widget-gridbox", "canvas", "[aria-live]")
FIT_A_SMALL_SCREEN = (ShuffleExplorer, SinusoidExplorer, DistanceExplorer, RotationExplorer)
FULL = "([canvas, width]) => Math.abs(canvas.clientWidth - width) <= 0.005 * width"  # words differ by a pixel

CUT_OFF = """() => [...document.querySelectorAll(".posenc-explorer .widget-gridbox")]
    .filter(it => it.offsetParent)
    .flatMap(grid => [...grid.querySelectorAll("*")].map(it => [it, grid]))
    .map(([it, grid]) => [it.className, it.getBoundingClientRect(), grid.getBoundingClientRect()])
    .filter(([, box, grid]) => box.width && box.right > grid.right + 1)
    .map(([name, box, grid]) => `${name}: ${box.right} > ${grid.right}`)"""


def projected(page: Page, address: str, spoken: Language, width: int, height: int) -> None:
    language.choose(spoken)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{address}&lang={spoken}&mode=projector")
    pressed = page.locator('.posenc-modes button[aria-pressed="true"]')
    expect(pressed).to_contain_text({"zh": "投影", "en": "projector"}[spoken])


def opened(page: Page, make: type[Explorer]) -> Locator:
    page.get_by_role("tab", name=make.title.show(), exact=True).click()
    explorer = page.locator(".posenc-explorer", has=page.get_by_role("heading", name=make.title.show()))
    explorer.locator("canvas[data-painted]").wait_for()
    return explorer


def ordinary_width(make: type[Explorer]) -> float:
    made = make()
    width = made.present_scene()[0].width
    made.close()
    return width


@pytest.mark.parametrize("spoken", ["zh", "en"])
def test_a_large_screen_has_all_of_every_explorer_at_its_full_size(
    address: str, watch: Callable[[], Watch], spoken: Language
) -> None:
    page = watch().page
    projected(page, address, spoken, 1920, 1080)
    for make in EXPLORERS:
        explorer = opened(page, make)
        full = round(PROJECTOR.enlarged * ordinary_width(make))
        canvas = explorer.locator("canvas").element_handle()
        page.wait_for_function(FULL, arg=[canvas, full])  # once it is laid out
        for part in TOGETHER:
            expect(explorer.locator(part)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("spoken", ["zh", "en"])
def test_on_a_small_screen_the_picture_takes_the_height_that_is_left(
    address: str, watch: Callable[[], Watch], spoken: Language
) -> None:
    page = watch().page
    projected(page, address, spoken, 1280, 800)
    for make in EXPLORERS:
        explorer = opened(page, make)
        canvas = explorer.locator("canvas")
        if make in FIT_A_SMALL_SCREEN:
            for part in TOGETHER:
                expect(explorer.locator(part)).to_be_in_viewport(ratio=1)
        ordinary = ordinary_width(make)
        assert ordinary <= canvas.evaluate("e => e.clientWidth") <= PROJECTOR.enlarged * ordinary, make.name
        assert page.evaluate(CUT_OFF) == [], make.name


def test_what_an_audience_does_not_see_is_still_read_aloud(address: str, watch: Callable[[], Watch]) -> None:
    page = watch().page
    projected(page, address, "en", 1920, 1080)
    explorer = opened(page, RotationExplorer)
    aloud = page.locator("body").aria_snapshot()
    for said in ("Position-encoding explorer", "Pick a tab", "No mouse needed", 'heading "Rotation"'):
        assert said in aloud
    expect(page.get_by_role("group", name="Display")).to_be_visible()
    one_device = explorer.locator("select:has(option:only-child)")
    expect(one_device).to_have_count(1 if len(RotationExplorer().controls["device"].options) == 1 else 0)
    expect(one_device.filter(visible=True)).to_have_count(0)
    page.get_by_role("button", name="light", exact=True).click()
    expect(explorer.get_by_label("device")).to_be_visible()
    expect(page.get_by_text("No mouse needed")).to_be_in_viewport(ratio=1)
