"""Screenshots for the READMEs: ``python -m tests.browser.screens`` writes images/NAME.LANGUAGE.png"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

from posenc_lessons.explorers import (
    AttentionExplorer,
    GateExplorer,
    RaceExplorer,
    RotationExplorer,
    SinusoidExplorer,
)
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.style import with_palette
from tests.support.pages import Lab, chromium, jupyter_lab, run_all, write_notebook

IMAGES = Path(__file__).parents[2] / "images"
EXPLORERS: tuple[type[Explorer], ...] = (
    SinusoidExplorer,
    RotationExplorer,
    GateExplorer,
    AttentionExplorer,
    RaceExplorer,
)
SWITCH = "from posenc_lessons.course.switch import language_switch\n\nlanguage_switch()"
WIDTH, HEIGHT = 1120, 1180  # of the window; higher for a higher explorer
BUTTONS = {"zh": "中文", "en": "English"}


def screenshot(browser: Browser, lab: Lab, name: str, button: str) -> bytes:
    """The notebook ``name`` in JupyterLab after a press on ``button`` of the language switch, as PNG."""
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    try:
        lab.open(page, f"{name}.ipynb")
        page.evaluate("jupyterapp.commands.execute('application:toggle-left-area')")
        if not run_all(page):
            raise RuntimeError("a cell failed, so there is nothing to photograph")
        page.locator(".posenc-languages").get_by_role("button", name=button).click()
        page.locator("canvas[data-painted]").wait_for()
        page.wait_for_timeout(1500)  # the new language reaches the picture
        box = page.locator(".posenc-explorer").bounding_box()
        if box is not None and (below := box["y"] + box["height"] + 60) > HEIGHT:
            page.set_viewport_size({"width": WIDTH, "height": round(below)})
            page.wait_for_timeout(500)
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    finally:
        page.close()
    buffer = io.BytesIO()
    with_palette(picture).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for kind in EXPLORERS:
            shown = f"from posenc_lessons.explorers import {kind.__name__}\n\n{kind.__name__}()"
            write_notebook(Path(folder, f"{kind.name}.ipynb"), [SWITCH, shown])
        with jupyter_lab(Path(folder)) as lab, chromium() as browser:
            for kind in EXPLORERS:
                for language, button in BUTTONS.items():
                    path = IMAGES / f"{kind.name}.{language}.png"
                    path.write_bytes(screenshot(browser, lab, kind.name, button))
                    print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
