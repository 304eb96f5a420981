"""Every kind of layer looks on the canvas as Matplotlib draws it."""

from __future__ import annotations

from collections.abc import Callable

from posenc_lessons.figures.draw import draw
from tests.browser.every_layer import every_layer
from tests.browser.watching import Watch, canvas_pixels, mismatches, still_for
from tests.support.pages import Lab, run_all


def test_a_scene_with_every_layer_is_its_still(lab: Lab, watch: Callable[[], Watch]) -> None:
    page = watch().page
    lab.open(page, "layers.ipynb")
    assert run_all(page)
    canvas = page.locator("canvas[data-painted]")
    canvas.wait_for()
    live = canvas_pixels(canvas)
    assert mismatches(live, still_for(draw(every_layer(), "en"), live), every_layer()) == {}
