"""A browser, the explorers' page, pages of lessons and JupyterLab, for the tests in this folder."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from posenc_lessons.browser import explore
from posenc_lessons.browser.server import Server
from posenc_lessons.serving import LOOPBACK
from tests.browser.lesson_pages import write_pages
from tests.browser.watching import EXPLORERS_CELL, LESSONS, SWITCH_CELL, Watch, require_browser
from tests.support.pace import patience
from tests.support.pages import Lab, Watched, chromium, jupyter_lab, write_notebook
from tests.support.site import plain_server, running

expect.set_options(timeout=1000 * patience())


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start a headless Chromium; without one the tests skip, or fail where POSENC_REQUIRE_BROWSER=1."""
    require_browser()
    with chromium() as running:
        yield running


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    """Open an empty page; at the end it must be free of console errors."""
    watched = Watched(browser)
    yield watched
    watched.close()
    assert watched.errors == []


# ---- Pages without a kernel ----


@pytest.fixture(scope="session")
def page_folder(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the explorers' page into a folder."""
    folder = tmp_path_factory.mktemp("page")
    explore.write(folder)
    return folder


@pytest.fixture(scope="session")
def page_url(page_folder: Path) -> Iterator[str]:
    """Serve the explorers' page."""
    with running(Server(page_folder, LOOPBACK, 0)) as address:
        yield f"{address}/"


@pytest.fixture(scope="session")
def lesson_folder(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write pages of lessons whose cells run."""
    folder = tmp_path_factory.mktemp("lesson_pages")
    write_pages(folder)
    return folder


@pytest.fixture(scope="session")
def lesson_address(lesson_folder: Path) -> Iterator[str]:
    """Serve these pages, for tests of what the browser stores.

    Opened from a disk, one page in a hundred gets a storage that no other page of the same file sees: so does
    a bare page in Chromium 156 with a profile in memory.
    """
    with plain_server(lesson_folder) as address:
        yield address


# ---- JupyterLab ----


@pytest.fixture(scope="session")
def lab_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the lessons, with a small notebook beside them."""
    folder = tmp_path_factory.mktemp("lab") / "course"
    shutil.copytree(LESSONS, folder, ignore=shutil.ignore_patterns(".*"))
    shown = ["sinusoid = SinusoidExplorer()\nsinusoid", "shuffle = ShuffleExplorer()\nshuffle"]
    write_notebook(folder / "explorers.ipynb", [SWITCH_CELL, EXPLORERS_CELL, *shown])
    return folder


@pytest.fixture(scope="session")
def lab_server(browser: Browser, lab_folder: Path) -> Iterator[Lab]:
    """Start JupyterLab on ``lab_folder``; kernels run until the last test has ended."""
    with jupyter_lab(lab_folder) as running:
        yield running


@pytest.fixture
def lab(lab_server: Lab) -> Lab:
    """Return JupyterLab and choose both languages, because an earlier test's choice would remain."""
    lab_server.ask("posenc-lessons/choice", "POST", {"language": "both"})
    return lab_server


@pytest.fixture
def watch(browser: Browser) -> Iterator[Callable[[], Watch]]:
    """Return a function that opens pages; at the end each must be free of console errors."""
    watches: list[Watch] = []

    def open_page() -> Watch:
        watches.append(Watch(browser))
        return watches[-1]

    yield open_page
    for opened in watches:
        opened.close()
    assert [error for opened in watches for error in opened.errors] == []
