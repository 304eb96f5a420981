"""Screenshots for the READMEs: ``python -m tests.browser.screens`` writes images/explorer.{zh,en}.png."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

from benchmarks.pages import Lab, chromium, jupyter_lab, run_all, write_notebook

IMAGES = Path(__file__).parents[2] / "images"
CELLS = (
    "from posenc_lessons.course import language\n\nlanguage.switch()",
    "from posenc_lessons.explorers import SinusoidExplorer\n\nSinusoidExplorer()",
)
BUTTONS = {"zh": "中文", "en": "English"}
COLORS = 224  # keeps a screenshot under 60 kB


def screenshot(browser: Browser, lab: Lab, button: str) -> bytes:
    """The sinusoid explorer in JupyterLab after a press on ``button`` of the language switch, as PNG."""
    page = browser.new_page(viewport={"width": 1120, "height": 1120})
    try:
        lab.open(page, "explorer.ipynb")
        page.evaluate("jupyterapp.commands.execute('application:toggle-left-area')")
        if not run_all(page):
            raise RuntimeError("a cell failed, so there is nothing to photograph")
        page.get_by_role("button", name=button).click()
        page.locator("canvas[data-painted]").wait_for()
        page.wait_for_timeout(1500)  # the new language reaches the picture
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    finally:
        page.close()
    buffer = io.BytesIO()
    few = picture.quantize(COLORS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_notebook(Path(folder, "explorer.ipynb"), CELLS)
        with jupyter_lab(Path(folder)) as lab, chromium() as browser:
            for language, button in BUTTONS.items():
                path = IMAGES / f"explorer.{language}.png"
                path.write_bytes(screenshot(browser, lab, button))
                print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
