"""Jupyter Notebook 7: the switch hides prose there as in JupyterLab, and an explorer works.

Notebook is installed with nbgrader; without it the test is skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, expect

from posenc_lessons import language
from posenc_lessons.explorers import SinusoidExplorer
from tests.browser.watching import LESSONS, SWITCH, Shown, Watch
from tests.support.pages import jupyter_lab, run_all, show_cell

pytest.importorskip("notebook", minversion="7")
pytestmark = pytest.mark.sweep

WANTED = ("setup", "sinusoid-explorer")  # the code cells to keep; the others take time and show nothing new


def test_a_lesson_works_in_notebook_7(browser: Browser, lab_folder: Path, watch: Callable[[], Watch]) -> None:
    lesson = nbformat.read(LESSONS / "02_sinusoidal.ipynb", as_version=4)
    lesson.cells = [cell for cell in lesson.cells if cell.cell_type == "markdown" or cell.id in WANTED]
    nbformat.write(lesson, lab_folder / "short.ipynb")
    watched = watch()
    page = watched.page
    # Another server, because one that has shown a formula in JupyterLab refuses its font in Notebook: it
    # remembers the place of a file by its name only, and both have fonts with the same names.
    with jupyter_lab(lab_folder) as lab:
        lab.open_in_notebook(page, "short.ipynb")
        assert run_all(page)
        watched.errors.clear()  # messages about Notebook's own settings while it starts
        show_cell(page, "setup")
        for name, seen, hidden in (("English", "en", "zh"), ("中文", "zh", "en")):
            page.locator(SWITCH).get_by_role("button", name=name).click()
            expect(page.locator(f".jp-Notebook [lang={hidden}]:visible")).to_have_count(0)
            expect(page.locator(f".jp-Notebook [lang={seen}]:visible").first).to_be_visible()
        language.choose("zh")
        show_cell(page, "sinusoid-explorer")
        explorer = Shown(page.locator(".posenc-explorer"), SinusoidExplorer())
        explorer.expect_picture()
        # Notebook's arrow keys move between cells, and Notebook gets a key before the slider does.
        explorer.slider("position").focus()
        explorer.slider("position").press("ArrowRight")
        explorer.expect_picture(position=explorer.twin.controls["position"].value + 1)
        page.keyboard.press("Control+Shift+ArrowRight")  # no control uses this key, so Notebook may
        expect(page.locator("[data-lm-suppress-shortcuts]")).to_have_count(0)
