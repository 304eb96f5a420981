"""Accessibility of the explorers' page: what axe finds, what a keyboard reaches, what has a name."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from posenc_lessons.explorers import EXPLORERS, GateExplorer, RaceExplorer, RotationExplorer
from posenc_lessons.explorers.base import Explorer
from tests.browser.watching import barriers
from tests.support.site import Visit

pytestmark = pytest.mark.sweep

# WCAG 2.2 requires targets of 24 CSS pixels, which axe checks only on request.
TARGETS = {"target-size": {"enabled": True}}
FOCUSABLE = "button:enabled, select:enabled, input:enabled, summary, [tabindex='0']"
FOCUSED = """() => {
    const it = document.activeElement;
    const named = it.getAttribute("aria-labelledby");
    const label = it.getAttribute("aria-label") || (named && document.getElementById(named).textContent)
        || it.textContent;
    return it.closest("[role=tabpanel]") ? [it.getAttribute("role") || it.type || it.tagName, label] : null;
}"""


@pytest.fixture(scope="module")
def still(browser: Browser, page_url: str) -> Iterator[Visit]:
    """Open the page without Python: it has the same elements, and changes language and theme at once."""
    visit = Visit(browser, page_url).open("lang=en&mode=light", live=False)
    yield visit
    visit.close()


def show(visit: Visit, make: type[Explorer], spoken: str = "en", mode: str = "light") -> None:
    """Show this explorer in this language and theme."""
    visit.choose("languages", spoken)
    visit.choose("modes", mode)
    visit.show_still(make)


@pytest.mark.parametrize(
    ("spoken", "mode", "explorers"),
    [
        ("en", "light", EXPLORERS),
        # Together they have every kind of control; colours and words are the same for all.
        ("zh", "dark", (RotationExplorer, GateExplorer, RaceExplorer)),
        ("both", "projector", (RotationExplorer, GateExplorer, RaceExplorer)),
    ],
)
def test_axe_finds_nothing_wrong_with_any_explorer(
    still: Visit, spoken: str, mode: str, explorers: tuple[type[Explorer], ...]
) -> None:
    for make in explorers:
        show(still, make, spoken, mode)
        still.panel.locator(".tries button").first.click()
        assert barriers(still.page, rules=TARGETS) == [], make.name


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_tab_reaches_every_control_and_each_has_a_name(still: Visit, make: type[Explorer]) -> None:
    show(still, make)
    page = still.page
    page.locator(f"#tab-{make.name}").focus()
    for _ in range(6):  # language and theme
        page.keyboard.press("Tab")
    reached: list[tuple[str, str]] = []
    while len(reached) < 60:
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None:
            break
        reached.append(tuple(focused))
    assert len(reached) == still.panel.locator(FOCUSABLE).filter(visible=True).count(), reached
    assert all(name.strip() for _, name in reached), reached
