"""Hostile texts in a real browser: typed into every box, and in every part of a link."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from urllib.parse import quote

import ipywidgets
import pytest
from playwright.sync_api import Locator, Page, expect

from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.links import LONGEST
from tests.browser.watching import Shown, Watch
from tests.support.hostile import AS_CHARACTERS, AS_CODE, AS_FORMULA, AS_MARKUP, AS_PATH, MARK

TEXTS = AS_MARKUP | AS_FORMULA | AS_CODE | AS_CHARACTERS | AS_PATH
WITH_TEXT = [
    make
    for make in EXPLORERS
    if any(isinstance(widget, ipywidgets.Text) for widget in make().controls.values())
]
# As the reader's own keys would do it, for characters too that no key has.
TYPE = """(box, text) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(box, text);
    box.dispatchEvent(new Event("input", { bubbles: true }));
}"""
# What there is on the page besides controls and words: none of it comes from a text.
ELEMENTS = """() => ["script", "img", "svg", "iframe", "object", "style", "link", "form", "math", "base", "a"]
    .map(name => `${name}: ${document.getElementsByTagName(name).length}`).join(", ")"""


def assert_only_text(page: Page, elements: str) -> None:
    assert page.evaluate(f"window.{MARK}") is None, "a script of the text ran"
    assert page.locator(f"#{MARK}").count() == 0
    assert page.evaluate(ELEMENTS) == elements


def settled(page: Page, box: Locator, root: Locator, text: str) -> None:
    """Type ``text`` and wait for what comes of it: a picture with it, or words that say why not."""
    painted = root.locator("canvas").get_attribute("data-painted")
    box.evaluate(TYPE, text)
    page.wait_for_function(
        """([root, painted]) => root.querySelector("canvas").dataset.painted !== painted
            || root.querySelector(".widget-html [role=alert]")?.textContent""",
        arg=[root.element_handle(), painted],
    )


@pytest.mark.parametrize("make", WITH_TEXT, ids=lambda make: make.name)
def test_what_is_typed_on_the_page_stays_text(
    make: type[Explorer], address: str, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    rule = "&rule=chosen" if make.name == "gate" else ""
    page.goto(f"{address}&explorer={make.name}&lang=both{rule}")
    shown = Shown(page.locator(".posenc-explorer:visible"), make())
    heading = page.get_by_role("heading", name=make.title.show(), exact=True)
    expect(heading).to_be_visible()
    shown.canvas.wait_for()
    shown.button("Show the code").click()
    expect(shown.root.locator("pre")).to_be_visible()
    elements = page.evaluate(ELEMENTS)
    for name, widget in shown.twin.controls.items():
        if not isinstance(widget, ipywidgets.Text):
            continue
        box = shown.control(name)
        expect(box).to_be_visible()
        for text in TEXTS.values():
            box.evaluate(TYPE, text)
            page.wait_for_timeout(60)
        assert_only_text(page, elements)
        box.evaluate(TYPE, widget.value)
        expect(shown.alert).to_have_count(0)
        expect(shown.canvas).to_be_visible()
        for kind in ("image", "out of a listing", "right to left"):
            settled(page, box, shown.root, TEXTS[kind])
            assert_only_text(page, elements)
            if shown.canvas.is_visible():
                expect(shown.root.locator("pre")).to_contain_text("b" if kind == "right to left" else MARK)
            box.evaluate(TYPE, widget.value)
            expect(shown.alert).to_have_count(0)
    assert page.title() == "位置编码探索器 · Position-encoding explorer"


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_what_a_link_says_stays_text(make: type[Explorer], address: str, watch: Callable[[], Watch]) -> None:
    page = watch().page
    said = zip(make().controls, cycle(AS_MARKUP.values()), strict=False)
    query = f"explorer={make.name}&lang={quote(AS_MARKUP['image'])}&mode={quote(AS_MARKUP['script'])}"
    for name, text in said:
        if len(query) < LONGEST - 400:
            query += f"&{name}={quote(text)}"
    page.goto(f"{address}&{query}")
    expect(page.get_by_role("alert").filter(has_text=f"img src=x id={MARK}").first).to_be_visible()
    assert page.evaluate(f"window.{MARK}") is None
    assert page.locator(f"#{MARK}").count() == 0
    alerts = page.locator(".posenc-page > .widget-html [role=alert]")
    assert alerts.evaluate_all("all => all.every(one => one.innerHTML.length < 2000)")
    assert alerts.locator("*:not(div)").count() == 0


def test_what_is_typed_in_jupyterlab_stays_text(page: Page, shuffle: Shown) -> None:
    shuffle.button("Show the code").click()
    expect(shuffle.root.locator("pre")).to_be_visible()
    box, elements = shuffle.control("sentence"), page.evaluate(ELEMENTS)
    for text in TEXTS.values():
        settled(page, box, shuffle.root, text)
        assert page.evaluate(f"window.{MARK}") is None
        assert page.locator(f"#{MARK}").count() == 0
    assert page.evaluate(ELEMENTS) == elements
