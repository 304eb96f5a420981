"""In JupyterLab the mouse wheel reaches the last cell of a lesson, and every screen on the way has words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.test_lab import LAPTOP, NOTEBOOK, top_of
from tests.browser.watching import Watch
from tests.support.pages import TOKEN, Lab, show_cell

TURN = 400  # pixels of one turn of the wheel, less than the notebook's height
STILL = 3  # turns without movement that count as the end; JupyterLab may undo the first one after a link
# After ten frames: the place of the notebook, the number of its characters on the screen, and whether its
# last cell is visible.
SCREEN = """async () => {
    for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
    const { outerNode, widgets } = jupyterapp.shell.currentWidget.content;
    const screen = outerNode.getBoundingClientRect();
    const seen = (box) => box.height > 0 && box.bottom > screen.top && box.top < screen.bottom;
    let characters = 0;
    for (const { node } of widgets) {
        if (!node.isConnected || !seen(node.getBoundingClientRect())) continue;
        const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const words = document.createRange();
            words.selectNodeContents(walker.currentNode);
            const { data, parentElement } = walker.currentNode;
            const shown = parentElement.checkVisibility({ contentVisibilityAuto: true });
            if (shown && seen(words.getBoundingClientRect())) characters += data.trim().length;
        }
    }
    const last = widgets.at(-1).node;
    return {
        top: outerNode.scrollTop,
        characters,
        atEnd: last.isConnected && seen(last.getBoundingClientRect()),
    };
}"""


def wheel_to_the_end(page: Page) -> list[dict[str, Any]]:
    """Turn the wheel over the notebook until ``STILL`` turns in a row move nothing; return the screens."""
    room = page.locator(NOTEBOOK).bounding_box()
    assert room is not None and room["height"] > TURN
    page.mouse.move(room["x"] + room["width"] / 2, room["y"] + room["height"] / 2)
    screens = [page.evaluate(SCREEN)]
    while len(screens) <= STILL or screens[-1]["top"] > screens[-1 - STILL]["top"]:
        page.mouse.wheel(0, TURN)
        screens.append(page.evaluate(SCREEN))
    return screens


def expect_words_to_the_last_cell(screens: list[dict[str, Any]]) -> None:
    assert screens[-1]["atEnd"], f"the wheel stopped at {screens[-1]['top']:.0f} pixels, above the last cell"
    assert [f"blank at {each['top']:.0f} pixels" for each in screens if not each["characters"]] == []


def test_the_wheel_reaches_the_end_of_a_lesson_just_opened(lab: Lab, watch: Callable[[], Watch]) -> None:
    page = watch().page
    page.set_viewport_size(LAPTOP)
    page.goto(f"{lab.address}/lab/tree/05_rotary.ipynb?token={TOKEN}&reset")
    page.locator(".jp-Notebook h1").wait_for()
    screens = wheel_to_the_end(page)
    expect_words_to_the_last_cell(screens)


def test_the_wheel_reaches_the_end_after_a_link_opened_the_lesson(
    lab: Lab, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    page.set_viewport_size(LAPTOP)
    lab.open(page, "00_start_here.ipynb")
    cards = page.locator(".posenc-doors").get_by_role("link", name=re.compile(r"^\d "))
    show_cell(page, "four-doors")
    expect(cards.nth(2)).to_have_attribute("href", re.compile("/files/04_relative"))
    cards.nth(2).press("Enter")
    top_of(page, "distance-explorer")
    screens = wheel_to_the_end(page)
    expect_words_to_the_last_cell(screens)
