"""The first lesson of the site, opened from a disk on a phone's screen, can be done from top to bottom."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.whole_lesson import SCREENS, answers, do_lesson, export
from tests.support.pages import watched_page

LESSON = "00_start_here"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with watched_page(browser, **SCREENS["phone"]) as page:
        yield page


def test_a_lesson_can_be_done_from_top_to_bottom(page: Page, tmp_path: Path) -> None:
    solved = answers(LESSON)
    export([LESSON], tmp_path)
    file = tmp_path / "zh" / f"{LESSON}.html"
    assert do_lesson(page, file, solved, touched=True) >= 1 + len(solved)
