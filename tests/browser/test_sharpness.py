"""On a screen of two pixels to a CSS pixel the picture is sharp, enlarged for a projector too."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page

from posenc_lessons import language
from posenc_lessons.explorers import GateExplorer, RotationExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.theme import THEMES
from tests.support.pages import new_context

STEEP = 100  # of 255, from one pixel to the next: the edge of a letter that is not blurred


@pytest.fixture
def fine_screen(browser: Browser) -> Iterator[Page]:
    context = new_context(browser, viewport={"width": 1500, "height": 1400}, device_scale_factor=2)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("mode", ["light", "projector"])
@pytest.mark.parametrize("make", [RotationExplorer, GateExplorer], ids=lambda make: make.name)
def test_a_pixel_of_the_canvas_is_a_pixel_of_the_screen(
    make: type[Explorer], mode: str, address: str, fine_screen: Page
) -> None:
    fine_screen.goto(f"{address}&explorer={make.name}&lang=en&mode={mode}")
    language.choose("en")
    still = make(theme=THEMES[mode]).still().pixels(2 * THEMES[mode].enlarged)
    height, width = still.shape[:2]
    canvas = fine_screen.locator(
        f'.posenc-explorer:visible canvas[data-painted][width="{width}"][height="{height}"]'
    )
    canvas.wait_for()
    shown = canvas.evaluate("e => [e.width, e.height, e.clientWidth, e.clientHeight]")
    assert shown == [width, height, width / 2, height / 2], "nothing is made larger or smaller on the way"
    assert steep_edges(on_screen(canvas)) > 0.95 * steep_edges(still[..., :3].mean(axis=2)) > 0


def on_screen(canvas: Locator) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(canvas.screenshot())).convert("L")).astype(float)


def steep_edges(grey: np.ndarray) -> int:
    """How many pixels differ sharply from their left neighbour."""
    return int((np.abs(np.diff(grey, axis=1)) > STEEP).sum())
