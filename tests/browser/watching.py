"""What a reader sees and does: a page that is watched for errors, and an explorer on it."""

from __future__ import annotations

import base64
import io
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator

from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.scene import Heatmap, Labels, Panel, Scene
from tests.support.pace import patience
from tests.support.pages import find_chromium, new_context

LESSONS = Path(__file__).parents[2] / "notebooks"
SHARPNESS = 2  # pixels of canvas and still to a CSS pixel, however large the theme shows them

# Mean difference per channel, of 255. In a title nothing differs, both are Matplotlib's; inside a panel only
# the softness of a line's edge, and the letters of labels, in the reader's own font as tick labels are;
# a table that is larger than the screen is averaged by the browser in one way and by Matplotlib in another.
TITLE, INSIDE, INSIDE_WITH_LABELS, INSIDE_AVERAGED = 0.2, 1.0, 5.0, 13.0
WHOLE, WHOLE_AVERAGED = 5.0, 8.0
TITLE_STRIP = range(32, 8, -1)  # CSS pixels above a panel
EDGE = 3  # device pixels along a panel's sides that the box line may touch


def require_browser() -> None:
    """Skip without a Chromium, or fail where the surroundings promise one."""
    if find_chromium() is not None:
        return
    reason = "no Chromium here: install one, or name it in POSENC_CHROMIUM"
    if os.environ.get("POSENC_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


class Watch:
    """A page of its own, and what its console said went wrong."""

    def __init__(self, browser: Browser) -> None:
        self.context = new_context(browser, viewport={"width": 1400, "height": 1800}, accept_downloads=True)
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("console", lambda said: said.type == "error" and self.errors.append(said.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def tell(self, *lines: str) -> None:
        """Run Python in the kernel of the notebook that JupyterLab shows."""
        status = self.page.evaluate(
            """async code => {
                const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                return (await kernel.requestExecute({ code }).done).content;
            }""",
            "\n".join(lines),
        )
        assert status["status"] == "ok", status

    def close(self) -> None:
        self.context.close()


@dataclass
class Shown:
    """An explorer on a page, and its twin in this process, which says what the page should show."""

    root: Locator
    twin: Explorer

    @property
    def canvas(self) -> Locator:
        return self.root.locator("canvas")

    @property
    def alert(self) -> Locator:
        return self.root.locator(".widget-html [role=alert]")

    def slider(self, name: str) -> Locator:
        """The handle of the slider for that parameter, found as a screen reader would."""
        label = self.twin.controls[name].description
        return self.root.get_by_role("slider", name=label, exact=True)

    def readout(self, name: str) -> Locator:
        """The number beside the slider."""
        whole = self.slider(name).locator("xpath=ancestor::*[contains(@class, 'widget-slider')][1]")
        return whole.locator(".widget-readout")

    def control(self, name: str) -> Locator:
        """The text box, menu or tick box for that parameter."""
        return self.root.get_by_label(self.twin.controls[name].description, exact=True)

    def button(self, words: str) -> Locator:
        return self.root.get_by_role("button", name=words)

    def painted(self) -> int:
        return int(self.canvas.get_attribute("data-painted") or 0)

    def pixels(self) -> np.ndarray:
        """What the canvas holds: [height, width, 3] uint8."""
        return canvas_pixels(self.canvas)

    def expect_picture(self, **parameters: Any) -> None:
        """Wait until the canvas is the still that Python draws at ``parameters`` (others as they started)."""
        self.twin.reset()
        for name, value in parameters.items():
            self.twin.controls[name].value = value
        assert self.twin.message is None
        scene = self.twin.present_scene()[0]
        still = self.twin.still().pixels(SHARPNESS * scene.theme.enlarged)[..., :3]
        deadline = time.monotonic() + patience()
        while off := mismatches(self.pixels(), still, scene):
            if time.monotonic() > deadline:
                raise AssertionError(f"the canvas is not the still: {off}")
            time.sleep(0.05)


def canvas_pixels(canvas: Locator) -> np.ndarray:
    """What ``canvas`` holds: [height, width, 3] uint8."""
    address = canvas.evaluate("canvas => canvas.toDataURL('image/png')")
    return np.array(Image.open(io.BytesIO(base64.b64decode(address.split(",")[1]))).convert("RGB"))


def mismatches(live: np.ndarray, still: np.ndarray, scene: Scene) -> dict[str, float]:
    """The parts of the picture whose mean difference is too large, by name."""
    if live.shape != still.shape:
        return {"size": float(abs(live.size - still.size))}
    difference = np.abs(live.astype(np.int16) - still.astype(np.int16))
    limits = {panel.name: _limit(panel) for panel in scene.panels}
    scale = SHARPNESS * scene.theme.enlarged
    whole_limit = WHOLE_AVERAGED if INSIDE_AVERAGED in limits.values() else WHOLE
    found = {"whole": (float(difference.mean()), whole_limit)}
    for panel in scene.panels:
        left, top, width, height = (round(scale * side) for side in panel.box)
        inside = difference[top + EDGE : top + height - EDGE, left + EDGE : left + width - EDGE]
        found[panel.name] = (float(inside.mean()), limits[panel.name])
        above = difference[top - round(scale * TITLE_STRIP.start) : top - round(scale * TITLE_STRIP.stop)]
        found[f"title of {panel.name}"] = (float(above[:, left : left + width].mean()), TITLE)
    return {name: mean for name, (mean, limit) in found.items() if mean > limit}


def _limit(panel: Panel) -> float:
    _, _, width, height = panel.box
    for layer in panel.layers:
        if isinstance(layer, Heatmap):
            rows, columns = layer.values.shape
            if rows > SHARPNESS * height or columns > SHARPNESS * width:
                return INSIDE_AVERAGED
    return INSIDE_WITH_LABELS if any(isinstance(layer, Labels) for layer in panel.layers) else INSIDE
