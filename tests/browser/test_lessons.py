"""A real lesson in JupyterLab: it runs to its end, its explorer works, and its text follows the switch."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from posenc_lessons import language
from posenc_lessons.explorers import SinusoidExplorer
from tests.browser.watching import SWITCH, Shown, Watch
from tests.support.pages import Lab, run_all, show_cell


def expect_only(page: Page, *spoken: str) -> None:
    """Wait until a reader sees blocks of prose in the languages ``spoken`` and in no other."""
    for each in ("zh", "en"):
        blocks = page.locator(f".jp-Notebook [lang={each}]:visible")
        if each in spoken:
            expect(blocks.first).to_be_visible()
        else:
            expect(blocks).to_have_count(0)


def test_the_sinusoidal_lesson_runs_to_its_end(lab: Lab, watch: Callable[[], Watch]) -> None:
    page = watch().page
    lab.open(page, "02_sinusoidal.ipynb")
    assert run_all(page)
    # JupyterLab keeps only cells near the visible ones in the page.
    show_cell(page, "setup")
    page.locator(SWITCH).get_by_role("button", name="双语").click()
    expect_only(page, "zh", "en")
    page.locator(SWITCH).get_by_role("button", name="English").click()
    expect_only(page, "en")
    page.locator(SWITCH).get_by_role("button", name="中文").click()
    expect_only(page, "zh")

    language.choose("zh")
    show_cell(page, "sinusoid-explorer")
    explorer = Shown(page.locator(".posenc-explorer").first, SinusoidExplorer())
    explorer.expect_picture()
    explorer.slider("position").focus()
    explorer.slider("position").press("ArrowRight")
    explorer.expect_picture(position=explorer.twin.controls["position"].value + 1)
