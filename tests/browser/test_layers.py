"""Canvases in JupyterLab are sharp in any theme, and every kind of layer matches its still."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from posenc_lessons.figures.draw import draw
from tests.browser.every_layer import every_layer
from tests.browser.watching import SHARPNESS, Watch, canvas_pixels, mismatches, still_for
from tests.support.pace import wait_until
from tests.support.pages import Lab, run_all

# The pixels of each canvas and its CSS pixels, both across and down.
SIZES = """all => all.map(it => {
    const { width, height } = it.getBoundingClientRect();
    return [it.width, it.height, width, height];
})"""


def are_sharp(canvases: Locator) -> bool:
    return all(
        painted == pytest.approx([SHARPNESS * wide, SHARPNESS * high], abs=0.1)
        for *painted, wide, high in canvases.evaluate_all(SIZES)
    )


def test_canvases_have_the_screens_pixels_and_match_their_stills(
    lab: Lab, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    lab.open(page, "themes.ipynb")
    assert run_all(page)
    canvases = page.locator("canvas[data-painted]")
    expect(canvases).to_have_count(3)
    scene, still = every_layer(), draw(every_layer(), "both")

    def off() -> dict[str, float]:
        live = canvas_pixels(canvases.last)
        return mismatches(live, still_for(still, live), scene)

    # The font and the size of a picture's room may come later; the picture is then painted again.
    wait_until(lambda: are_sharp(canvases), lambda: canvases.evaluate_all(SIZES))
    wait_until(lambda: not off(), off, every=0.1)
