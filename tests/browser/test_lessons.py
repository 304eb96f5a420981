"""A real lesson in JupyterLab: it runs through, its explorer lives, its prose follows the switch."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from benchmarks.pages import Lab, run_all
from posenc_lessons.explorers import SinusoidExplorer
from tests.browser.watching import Watch

HAN = re.compile("[\u4e00-\u9fff]")


def test_the_sinusoidal_lesson(lab: Lab, watch: Callable[[], Watch]) -> None:
    page = watch().page
    lab.open(page, "02_sinusoidal.ipynb")
    assert run_all(page)
    root = page.locator(".posenc-explorer", has_text=SinusoidExplorer.title.en).first
    root.scroll_into_view_if_needed()
    start = root.get_by_role("slider").last.get_attribute("aria-valuenow")
    handle = root.get_by_role("slider").last
    painted = int(root.locator("canvas").get_attribute("data-painted") or 0)
    handle.focus()
    handle.press("ArrowRight")
    expect(handle).not_to_have_attribute("aria-valuenow", start or "")
    expect(root.locator("canvas")).not_to_have_attribute("data-painted", str(painted))
