"""The explorers as a page of their own: tabs, no code, alive."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from benchmarks.pages import voila
from posenc_lessons.explorers import ShuffleExplorer, SinusoidExplorer
from tests.browser.watching import LESSONS, Shown, Watch


@pytest.fixture(scope="module")
def address(browser: Browser) -> Iterator[str]:
    with voila(LESSONS / "explorer.ipynb") as served:
        yield served


def test_every_explorer_has_a_tab_no_code_shows_and_sliders_move(
    address: str, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    page.goto(address)
    tabs = page.get_by_role("tab")
    shown = {
        type(twin): Shown(
            page.locator(".posenc-explorer", has=page.locator("h3", has_text=twin.title.en)), twin
        )
        for twin in (SinusoidExplorer(), ShuffleExplorer())
    }
    tabs.filter(has_text=SinusoidExplorer.title.en).click(timeout=60_000)
    sinusoid = shown[SinusoidExplorer]
    sinusoid.expect_picture(position=24)
    sinusoid.slider("position").focus()
    sinusoid.slider("position").press("ArrowRight")
    sinusoid.expect_picture(position=25)
    expect(sinusoid.slider("base")).to_have_attribute("aria-valuetext", "10,000.0")
    tabs.filter(has_text=ShuffleExplorer.title.en).click()
    expect(sinusoid.root).to_be_hidden()
    shuffle = shown[ShuffleExplorer]
    shuffle.control("encoding").select_option(index=1)
    shuffle.expect_picture(encoding="sinusoidal")
    assert page.locator(".jp-CodeCell .jp-InputArea, .jp-InputPrompt, pre").count() == 0
    assert "import" not in page.locator("body").inner_text()
