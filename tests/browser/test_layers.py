"""Canvases in JupyterLab are sharp in any theme, and every kind of layer matches its still."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from posenc_lessons.figures.draw import draw
from tests.browser.every_layer import every_layer
from tests.browser.watching import SHARPNESS, Watch, canvas_pixels, mismatches, still_for
from tests.support.pages import Lab, run_all


def test_canvases_have_the_screens_pixels_and_match_their_stills(
    lab: Lab, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    lab.open(page, "themes.ipynb")
    assert run_all(page)
    canvases = page.locator("canvas[data-painted]")
    expect(canvases).to_have_count(3)
    for canvas in canvases.all():
        *painted, wide, high = canvas.evaluate(
            "e => [e.width, e.height, e.getBoundingClientRect().width, e.getBoundingClientRect().height]"
        )
        assert painted == pytest.approx([SHARPNESS * wide, SHARPNESS * high], abs=0.1)
    live = canvas_pixels(canvases.last)
    assert mismatches(live, still_for(draw(every_layer(), "both"), live), every_layer()) == {}
