"""The web site in two languages in a real browser, from a disk and from a server: doors, search, switch."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect

from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.site import FOLDERS, site, site_in_both
from posenc_lessons.files import write_all
from tests.browser.watching import LESSONS, barriers
from tests.support.pages import new_context, watched_page
from tests.support.site import SETTLED, plain_server

NAMES = ("00_start_here", "05_rotary", "glossary", "questions/rotate_half", "solutions/00_start_here")
SIZES = ((390, 844), (1366, 768), (1920, 1080))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few pages of each language as committed outputs show them, which lead to an explorers' page."""
    out = tmp_path_factory.mktemp("site")
    read = {f"{name}.ipynb": nbformat.read(LESSONS / f"{name}.ipynb", as_version=4) for name in NAMES}
    both = {one: {name: in_language(found, one) for name, found in read.items()} for one in FOLDERS}
    write_all(site_in_both(both, explorers=True), out)
    return out


@pytest.fixture(scope="module")
def explorers(folder: Path, page_folder: Path) -> None:
    """The explorers' page, in its place."""
    shutil.copytree(page_folder, folder / "explorers", copy_function=os.link)


@pytest.fixture(params=["disk", "server"])
def address(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    """Where the site is, with a slash at its end."""
    if request.param == "disk":
        yield f"{folder.as_uri()}/"
        return
    with plain_server(folder) as address:
        yield f"{address}/"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page of an English reader's; an error in its console fails the test."""
    with watched_page(browser, locale="en-GB") as page:
        yield page


@pytest.mark.usefixtures("explorers")
def test_from_the_front_page_a_door_leads_by_keyboard_to_its_explorer_live(page: Page, address: str) -> None:
    page.goto(f"{address}en/index.html")
    door = page.get_by_role("navigation", name="The four doors").get_by_role("link", name="the scores")
    door.focus()
    door.press("Enter")
    expect(page.locator(SETTLED)).to_be_attached()
    expect(page.locator("#tab-distance")).to_have_attribute("aria-selected", "true")
    expect(page.locator("main")).to_contain_text("Shaw adds")  # all three side by side


@pytest.mark.parametrize(("locale", "folder_opened"), [("zh-CN", "zh"), ("en-GB", "en"), ("de-DE", "en")])
def test_the_site_opens_in_the_readers_language(
    locale: str, folder_opened: str, folder: Path, browser: Browser
) -> None:
    context = new_context(browser, locale=locale)
    page = context.new_page()
    page.goto((folder / "index.html").as_uri())
    page.wait_for_url(f"**/{folder_opened}/index.html")
    context.close()


def test_without_scripts_the_reader_chooses_and_the_pages_are_whole(folder: Path, browser: Browser) -> None:
    context = new_context(browser, java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / "index.html").as_uri())
    page.get_by_role("link", name="English").click()
    expect(page.locator(".cards > li")).to_have_count(2)
    page.get_by_role("link", name="中文").first.click()
    expect(page.locator("h1")).to_have_text("Transformer 怎样知道顺序")
    context.close()


def test_the_other_language_opens_at_the_same_section(page: Page, folder: Path) -> None:
    page.goto(f"{(folder / 'en' / '05_rotary.html').as_uri()}#pairings")
    page.locator("header").get_by_role("link", name="中文").click()
    page.wait_for_url("**/zh/05_rotary.html#pairings")
    expect(page.locator("#pairings")).to_be_in_viewport()
    page.locator("header").get_by_role("link", name="English").click()
    page.wait_for_url("**/en/05_rotary.html#pairings")


@pytest.mark.parametrize(
    ("language", "query", "mark", "first", "page_of"),
    [
        ("en", "rotating", "rotates", "05 · Rotary", "05_rotary"),
        ("zh", "旋转", "旋转", "05 · 旋转位置编码", "05_rotary"),
    ],
)
def test_the_search_shows_the_sentence_and_leads_there(
    language: str, query: str, mark: str, first: str, page_of: str, page: Page, folder: Path
) -> None:
    page.goto((folder / language / "index.html").as_uri())
    page.get_by_role("searchbox").fill(query)
    expect(page.get_by_role("status")).to_have_text(re.compile(r"^\d+ (found|处)$"))
    best = page.locator(".search li").first
    expect(best.locator("mark").first).to_have_text(mark)
    best.get_by_role("link", name=first).click()
    page.wait_for_url(f"**/{language}/{page_of}.html")


def test_pictures_of_the_lessons_come_as_they_are_scrolled_to(page: Page, address: str) -> None:
    page.goto(f"{address}en/index.html")
    pictures = page.locator(".cards img")
    expect(pictures).to_have_count(2)
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        picture.evaluate("image => image.decode()")  # fails where it does not come
        assert picture.evaluate("image => image.naturalWidth") > 300


@pytest.mark.parametrize("name", ["index", "00_start_here", "glossary", "questions/rotate_half"])
def test_nothing_hangs_out_sideways_at_any_width(name: str, page: Page, folder: Path) -> None:
    for language in FOLDERS:
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.goto((folder / language / f"{name}.html").as_uri())
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (language, width)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index", "questions/rotate_half", "solutions/00_start_here"])
def test_axe_finds_nothing(name: str, scheme: str, folder: Path, browser: Browser) -> None:
    context = new_context(browser, color_scheme=scheme, viewport={"width": 1366, "height": 768})
    page = context.new_page()
    for language in FOLDERS:
        page.goto((folder / language / f"{name}.html").as_uri())
        assert barriers(page) == [], language
    context.close()


def test_a_page_in_both_languages_opens_in_the_one_that_its_address_names(page: Page, tmp_path: Path) -> None:
    lesson = nbformat.read(LESSONS / "00_start_here.ipynb", as_version=4)
    write_all(site({"00_start_here.ipynb": in_language(lesson, "both")}, "both"), tmp_path)
    for language, shown in (("zh", "中文"), ("en", "English"), ("fr", "双语 · both")):
        page.goto(f"{(tmp_path / '00_start_here.html').as_uri()}?lang={language}")
        expect(page.get_by_label(shown, exact=True)).to_be_checked()
