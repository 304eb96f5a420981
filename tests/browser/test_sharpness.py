"""On a screen of two pixels to a CSS pixel the picture is sharp, enlarged for a projector too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.pages import Lab, new_context, run_all


@pytest.fixture
def fine_screen(browser: Browser) -> Iterator[Page]:
    context = new_context(browser, viewport={"width": 1500, "height": 1400}, device_scale_factor=2)
    yield context.new_page()
    context.close()


def test_a_pixel_of_the_canvas_is_a_pixel_of_the_screen(lab: Lab, fine_screen: Page) -> None:
    lab.open(fine_screen, "themes.ipynb")
    assert run_all(fine_screen)
    canvases = fine_screen.locator("canvas[data-painted]")
    expect(canvases).to_have_count(2)
    for canvas in canvases.all():
        width, height, wide, high = canvas.evaluate(
            "e => [e.width, e.height, e.getBoundingClientRect().width, e.getBoundingClientRect().height]"
        )
        assert (width, height) == (pytest.approx(2 * wide, abs=0.1), pytest.approx(2 * high, abs=0.1))
