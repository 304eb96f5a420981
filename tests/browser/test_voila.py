"""The explorers as a page of their own: tabs, no code, alive."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets
from playwright.sync_api import Page, expect

from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS, RotationExplorer
from posenc_lessons.explorers.base import Explorer
from tests.browser.watching import Shown, Watch


def open_tab(page: Page, make: type[Explorer]) -> Shown:
    title = make.title.show()
    page.get_by_role("tab", name=title, exact=True).click()
    return Shown(page.locator(".posenc-explorer", has=page.get_by_role("heading", name=title)), make())


def test_every_explorer_has_a_tab_and_lives_there(address: str, watch: Callable[[], Watch]) -> None:
    page = watch().page
    page.goto(address)
    for make in EXPLORERS:
        shown = open_tab(page, make)
        shown.expect_picture()
        controls = shown.twin.controls.items()
        name, slider = next(item for item in controls if isinstance(item[1], ipywidgets.IntSlider))
        there = slider.value + slider.step
        shown.slider(name).focus()
        shown.slider(name).press("ArrowRight")
        shown.expect_picture(**{name: there})
        expect(page.locator(".posenc-explorer:visible")).to_have_count(1)
    expect(page.get_by_role("tab")).to_have_count(len(EXPLORERS))
    assert page.locator(".jp-CodeCell .jp-InputArea, .jp-InputPrompt, pre").count() == 0
    assert "import" not in page.locator("body").inner_text()


def test_the_page_follows_the_switch(address: str, watch: Callable[[], Watch]) -> None:
    page = watch().page
    page.goto(address)
    page.get_by_role("button", name="English", exact=True).click()
    language.choose("en")
    open_tab(page, EXPLORERS[0]).expect_picture()
    expect(page.get_by_text("拖动滑块")).to_be_hidden()
    expect(page.get_by_text("drag a slider")).to_be_visible()


def test_a_link_opens_what_it_was_copied_from(address: str, watch: Callable[[], Watch]) -> None:
    page = watch().page
    page.goto(f"{address}&explorer=rotation&m=5&lang=en")
    language.choose("en")
    shown = Shown(page.locator(".posenc-explorer:visible"), RotationExplorer(m=5))
    shown.expect_picture(m=5)
    shown.slider("m").focus()
    shown.slider("m").press("ArrowRight")
    shown.expect_picture(m=6)
    page.wait_for_url("**/?token=*&explorer=rotation&lang=en&m=6")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    page = watch().page
    page.goto(copied)
    Shown(page.locator(".posenc-explorer:visible"), RotationExplorer(m=6)).expect_picture(m=6)


def test_a_link_with_markup_in_it_is_told_as_text(address: str, watch: Callable[[], Watch]) -> None:
    page = watch().page
    page.goto(f"{address}&explorer=<img src=x onerror=document.title='taken'>&lang=en")
    expect(page.get_by_role("alert").filter(has_text="<img src=x")).to_be_visible()
    assert page.title() != "taken"
