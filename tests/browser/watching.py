"""A page that is watched for errors, and an explorer on it as a reader sees it."""

import base64
import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from PIL import Image, ImageFilter
from playwright.sync_api import Browser, Locator, Page, expect

from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.scene import Heatmap, Labels, Panel, Points, Scene
from posenc_lessons.figures.style import DPI, Picture
from posenc_lessons.language import NAMES, Language
from tests.support.pace import wait_until
from tests.support.pages import Watched, find_chromium

LESSONS = Path(__file__).parents[2] / "notebooks"
SWITCH_CELL = """\
from posenc_lessons import language
from posenc_lessons.course.switch import language_switch

language_switch()"""
EXPLORERS_CELL = "from posenc_lessons.explorers import ShuffleExplorer, SinusoidExplorer"
SWITCH = ".posenc-switch"  # the buttons of a lesson's first cell
TOOLBAR = ".jp-NotebookPanel:not(.lm-mod-hidden) .posenc-languages"
# A reader's work as a lesson's page exports it; a test compares it with a real export.
EXPORTED: dict[str, Any] = {"guessed": {}, "settled": [], "solved": [], "drafts": []}
SHARPNESS = 2  # pixels of the screen, canvas and still for each CSS pixel

# Mean difference per channel, of 255, inside a panel. Two programs draw edges of lines and letters slightly
# differently, and average a table larger than the screen in different ways.
INSIDE, INSIDE_WITH_LABELS, INSIDE_AVERAGED = 1.0, 5.0, 13.0
ALONG_DOTS = 15  # added for each CSS pixel of dots' edges: a low panel may have a hundred dots
EDGE = 3  # device pixels along a panel's sides that the box line may touch
# Words outside the panels: two programs draw and space their letters, so both pictures are blurred. Words in
# the same font then differ by up to 27 of 255, and formulas, which have other spaces in a still, by up to 57.
# A missing grey digit of an axis gives a difference of 36, a missing title one of 90 or more.
BLUR = 2.5  # CSS pixels in type of the ordinary size
WORDS, FORMULAS = 32, 75


def require_browser() -> None:
    """Skip without a Chromium, or fail if POSENC_REQUIRE_BROWSER=1 requires one."""
    if find_chromium() is not None:
        return
    reason = "no Chromium here: install one, or name it in POSENC_CHROMIUM"
    if os.environ.get("POSENC_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


# What fades in has a pale colour until it has come.
STANDS = """() => document.getAnimations().every(({ timeline, playState }) =>
    timeline !== document.timeline || playState !== "running")"""


def barriers(page: Page, within: str | None = None, **options: Any) -> list[str]:
    """Return the accessibility errors that axe finds on ``page``, or ``within`` one part of it."""
    page.wait_for_function(STANDS)
    wanted = {"resultTypes": ["violations"], "preload": False, **options}  # it cannot fetch styles of a disk
    found = Axe().run(page, context=within, options=wanted)
    rules = found.response["violations"]
    return [
        f"{rule['id']}: {node['target']} {node['html'][:120]}" for rule in rules for node in rule["nodes"]
    ]


class Watch(Watched):
    """A page of JupyterLab on a large screen of high resolution."""

    def __init__(self, browser: Browser) -> None:
        super().__init__(browser, viewport={"width": 1800, "height": 1800}, device_scale_factor=SHARPNESS)

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


def choose(page: Page, spoken: Language) -> None:
    """Press the button of that language in JupyterLab's toolbar."""
    page.locator(TOOLBAR).get_by_role("button", name=NAMES[spoken]).click()
    pressed = page.locator(TOOLBAR).get_by_role("button", name=NAMES[spoken], pressed=True)
    expect(pressed).to_be_visible()


@dataclass
class Shown:
    """An explorer on a page, and its twin in this process, which gives what the page should show."""

    root: Locator
    twin: Explorer

    @property
    def canvas(self) -> Locator:
        return self.root.locator(".present canvas")

    @property
    def alert(self) -> Locator:
        return self.root.locator(".panel [role=alert]")

    def slider(self, name: str) -> Locator:
        """Return the slider for that parameter, found as a screen reader would."""
        return self.root.get_by_role("slider", name=self.twin.controls[name].label.show(), exact=True)

    def number(self, name: str) -> Locator:
        """Return the box with the number beside the slider."""
        return self.root.get_by_role("spinbutton", name=self.twin.controls[name].label.show(), exact=True)

    def control(self, name: str) -> Locator:
        """Return the text box, menu or tick box for that parameter."""
        return self.root.get_by_label(self.twin.controls[name].label.show(), exact=True)

    def button(self, words: str) -> Locator:
        return self.root.get_by_role("button", name=words)

    def painted(self) -> int:
        return int(self.canvas.get_attribute("data-painted") or 0)

    def pixels(self) -> np.ndarray:
        """Return what the canvas holds: [height, width, 3] uint8."""
        return canvas_pixels(self.canvas)

    def saved(self) -> np.ndarray:
        """Return the picture at its natural size, as the reader would save it, without moving the focus."""
        with self.root.page.expect_download() as coming:
            self.button("PNG").evaluate("button => button.click()")
        return np.array(Image.open(coming.value.path()).convert("RGB"))

    def expect_picture(self, **parameters: Any) -> None:
        """Wait until the picture equals Python's still at ``parameters``, with other controls reset."""
        self.twin.reset()
        for name, value in parameters.items():
            self.twin.controls[name].value = value
        assert self.twin.message is None
        scene, picture = self.twin.present_scene()[0], self.twin.still()
        stills: dict[int, np.ndarray] = {}  # one for each width, because Matplotlib takes half a second

        def off() -> dict[str, float]:
            live = self.saved()
            if live.shape[1] not in stills:
                stills[live.shape[1]] = still_for(picture, live)
            return mismatches(live, stills[live.shape[1]], scene)

        self.canvas.and_(self.root.page.locator("[data-painted]")).wait_for()
        wait_until(lambda: not off(), lambda: f"the picture is not the still: {off()}", every=0.05)


def still_for(picture: Picture, live: np.ndarray) -> np.ndarray:
    """Draw ``picture`` as large as the canvas: [height, width, 3] uint8."""
    return picture.pixels(live.shape[1] / (picture.get_figwidth() * DPI))[..., :3]


def canvas_pixels(canvas: Locator) -> np.ndarray:
    """Return the pixels of ``canvas``: [height, width, 3] uint8."""
    address = canvas.evaluate("canvas => canvas.toDataURL('image/png')")
    return np.array(Image.open(io.BytesIO(base64.b64decode(address.split(",")[1]))).convert("RGB"))


def mismatches(live: np.ndarray, still: np.ndarray, scene: Scene) -> dict[str, float]:
    """Return the names of the picture's parts that differ too much."""
    height, width = min(len(live), len(still)), live.shape[1]
    if (
        max(len(live), len(still)) > height + 1 or still.shape[1] != width
    ):  # one of the two rounds the height down
        return {"size": float(abs(live.size - still.size))}
    live, still, scale = live[:height], still[:height], width / scene.width
    difference = np.abs(live.astype(np.int16) - still.astype(np.int16))
    found = {"words": (_difference_of_words(live, still, scene, scale), 1.0)}
    for panel in scene.panels:
        left, top, wide, high = (round(scale * side) for side in panel.box)
        inside = difference[top + EDGE : top + high - EDGE, left + EDGE : left + wide - EDGE]
        found[panel.name] = (float(inside.mean()), _limit(panel))
    return {name: value for name, (value, limit) in found.items() if value > limit}


def _difference_of_words(live: np.ndarray, still: np.ndarray, scene: Scene, scale: float) -> float:
    """Return the largest difference outside the panels, both pictures blurred; 1 is the limit."""
    labels = [label for panel in scene.panels for label in (panel.title, panel.x.label, panel.y.label)]
    allowed = FORMULAS if any("$" in label.zh for label in labels) else WORDS
    blurred = []
    for pixels in (live, still):
        words = Image.fromarray(pixels).convert("L")
        for panel in scene.panels:
            left, top, wide, high = (round(scale * side) for side in panel.box)
            words.paste(scene.theme.paper, (left - EDGE, top - EDGE, left + wide + EDGE, top + high + EDGE))
        softened = words.filter(ImageFilter.GaussianBlur(BLUR * scale * scene.theme.type_scale))
        blurred.append(np.asarray(softened).astype(np.int16))
    return float(np.abs(blurred[0] - blurred[1]).max()) / allowed


def _limit(panel: Panel) -> float:
    _, _, width, height = panel.box
    for layer in panel.layers:
        if isinstance(layer, Heatmap):
            rows, columns = layer.values.shape
            if rows > SHARPNESS * height or columns > SHARPNESS * width:
                return INSIDE_AVERAGED
    edges = sum(np.pi * layer.size * len(layer.x) for layer in panel.layers if isinstance(layer, Points))
    labels = any(isinstance(layer, Labels) for layer in panel.layers)
    return (INSIDE_WITH_LABELS if labels else INSIDE) + ALONG_DOTS * float(edges) / (width * height)
