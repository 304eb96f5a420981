"""Hostile texts in a real browser: typed into an explorer in JupyterLab they stay text."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.watching import Shown
from tests.support.hostile import AS_CHARACTERS, AS_CODE, AS_FORMULA, AS_MARKUP, AS_PATH, MARK

TEXTS = AS_MARKUP | AS_FORMULA | AS_CODE | AS_CHARACTERS | AS_PATH
# As the reader's own keys would do it, for characters too that no key has.
TYPE = """(box, text) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(box, text);
    box.dispatchEvent(new Event("input", { bubbles: true }));
}"""
# What there is on the page besides controls and words: none of it comes from a text.
ELEMENTS = """() => ["script", "img", "svg", "iframe", "object", "style", "link", "form", "math", "base", "a"]
    .map(name => `${name}: ${document.getElementsByTagName(name).length}`).join(", ")"""


def settled(page: Page, box: Locator, root: Locator, text: str) -> None:
    """Type ``text`` and wait for what comes of it: a picture with it, or words that say why not."""
    painted = root.locator("canvas").get_attribute("data-painted")
    box.evaluate(TYPE, text)
    page.wait_for_function(
        """([root, painted]) => root.querySelector("canvas").dataset.painted !== painted
            || root.querySelector(".widget-html [role=alert]")?.textContent""",
        arg=[root.element_handle(), painted],
    )


def test_what_is_typed_in_jupyterlab_stays_text(page: Page, shuffle: Shown) -> None:
    shuffle.button("Show the code").click()
    expect(shuffle.root.locator("pre")).to_be_visible()
    box, elements = shuffle.control("sentence"), page.evaluate(ELEMENTS)
    for text in TEXTS.values():
        settled(page, box, shuffle.root, text)
        assert page.evaluate(f"window.{MARK}") is None
        assert page.locator(f"#{MARK}").count() == 0
    assert page.evaluate(ELEMENTS) == elements
