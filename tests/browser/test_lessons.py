"""A real lesson in JupyterLab: it runs to its end, its explorer works, and its text follows the switch."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from posenc_lessons import language
from posenc_lessons.explorers import SinusoidExplorer
from tests.browser.watching import SWITCH, Shown, Watch
from tests.support.pages import Lab, run_all


def visible(page: Page, spoken: str) -> int:
    """Return how many blocks of prose and messages in that language a reader can see."""
    return page.locator(f".jp-Notebook [lang={spoken}]:visible").count()


def test_the_sinusoidal_lesson_runs_to_its_end(lab: Lab, watch: Callable[[], Watch]) -> None:
    page = watch().page
    lab.open(page, "02_sinusoidal.ipynb")
    assert run_all(page)
    # JupyterLab keeps only cells near the visible ones in the page.
    page.evaluate("jupyterapp.shell.currentWidget.content.scrollToItem(0)")
    page.locator(SWITCH).get_by_role("button", name="双语").click()
    expect(page.locator(".jp-Notebook [lang=zh]:visible").first).to_be_visible()
    assert visible(page, "zh") > 0 and visible(page, "en") > 0
    page.locator(SWITCH).get_by_role("button", name="English").click()
    expect(page.locator(".jp-Notebook [lang=zh]:visible")).to_have_count(0)
    assert visible(page, "en") > 0
    page.locator(SWITCH).get_by_role("button", name="中文").click()
    expect(page.locator(".jp-Notebook [lang=en]:visible")).to_have_count(0)
    assert visible(page, "zh") > 0

    language.choose("zh")
    explorer = Shown(page.locator(".posenc-explorer").first, SinusoidExplorer())
    explorer.root.scroll_into_view_if_needed()
    explorer.expect_picture()
    explorer.slider("position").focus()
    explorer.slider("position").press("ArrowRight")
    explorer.expect_picture(position=explorer.twin.controls["position"].value + 1)
