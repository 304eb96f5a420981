"""The web site in a real browser, from a disk and from a server: doors, search, languages."""

import itertools
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect

from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.site import FOLDERS, site
from posenc_lessons.files import write_all
from posenc_lessons.language import Language
from tests.browser.watching import LESSONS, barriers
from tests.support.exported import NAMES, exported
from tests.support.pages import new_context, wait_until_laid_out, watched_page
from tests.support.site import SETTLED, plain_server

pytestmark = pytest.mark.sweep

FEW = ("00_start_here", "05_rotary", "glossary", "questions/rotate_half", "solutions/00_start_here")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a few pages in each language, with the committed outputs and links to an explorers' page."""
    out = tmp_path_factory.mktemp("site")
    read = {f"{name}.ipynb": nbformat.read(LESSONS / f"{name}.ipynb", as_version=4) for name in FEW}
    both = {one: {name: in_language(found, one) for name, found in read.items()} for one in FOLDERS}
    write_all(site(both, explorers=True), out)
    return out


@pytest.fixture(scope="module")
def explorers(folder: Path, page_folder: Path) -> None:
    """Write the explorers' page to its place."""
    shutil.copytree(page_folder, folder / "explorers", copy_function=os.link)


@pytest.fixture
def served(folder: Path) -> Iterator[str]:
    """Serve the site; return its address, with a slash at its end."""
    with plain_server(folder) as address:
        yield f"{address}/"


@pytest.fixture(params=["disk", "server"])
def address(request: pytest.FixtureRequest, folder: Path) -> str:
    """Return the site's address on a disk or on a server, with a slash at its end."""
    if request.param == "disk":
        return f"{folder.as_uri()}/"
    served: str = request.getfixturevalue("served")
    return served


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open an empty page for an English reader; an error in its console fails the test."""
    with watched_page(browser, locale="en-GB") as page:
        yield page


@pytest.mark.parametrize("language", FOLDERS)
def test_the_front_page_of_the_whole_course_is_below_three_screens(
    language: Language, page: Page, tmp_path: Path
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    write_all(exported(language, NAMES), tmp_path)
    page.goto((tmp_path / "index.html").as_uri())
    expect(page.locator(".cards > li")).to_have_count(12)
    page.evaluate("document.fonts.ready.then(() => null)")
    assert page.evaluate("document.documentElement.scrollHeight") < 3 * 768


@pytest.mark.usefixtures("explorers")
def test_a_door_of_the_front_page_leads_by_keyboard_to_its_live_explorer(page: Page, address: str) -> None:
    page.goto(f"{address}en/index.html")
    door = page.get_by_role("navigation", name="four doors").get_by_role("link", name="the scores")
    door.focus()
    door.press("Enter")
    expect(page.locator(SETTLED)).to_be_attached()
    expect(page.locator("#tab-distance")).to_have_attribute("aria-selected", "true")
    expect(page.locator("main")).to_contain_text("ALiBi bias =")


@pytest.mark.parametrize(("locale", "folder_opened"), [("zh-CN", "zh"), ("en-GB", "en"), ("de-DE", "en")])
def test_the_site_opens_in_the_readers_language(
    locale: str, folder_opened: str, folder: Path, browser: Browser
) -> None:
    context = new_context(browser, locale=locale)
    page = context.new_page()
    page.goto((folder / "index.html").as_uri())
    page.wait_for_url(f"**/{folder_opened}/index.html")
    context.close()


def test_without_scripts_the_reader_chooses_a_language_and_pages_are_complete(
    folder: Path, browser: Browser
) -> None:
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
    page.locator("#many-pairs").evaluate("heading => heading.scrollIntoView()")
    expect(page.locator(".sections [aria-current]")).to_have_attribute("href", "#many-pairs")
    page.locator("header").get_by_role("link", name="中文").click()
    page.wait_for_url("**/zh/05_rotary.html#many-pairs")


@pytest.mark.parametrize(
    ("start", "query", "mark", "first", "page_of"),
    [
        ("en/index", "rotating", "rotat", "05 · Rotary", "en/05_rotary"),
        ("zh/questions/rotate_half", "旋转", "旋转", "05 · 旋转位置编码", "zh/05_rotary"),
    ],
)
def test_the_search_of_any_page_shows_the_sentence_and_leads_there_by_keyboard(
    start: str, query: str, mark: str, first: str, page_of: str, page: Page, address: str
) -> None:
    page.goto(f"{address}{start}.html")
    page.keyboard.press("/")
    box = page.get_by_role("combobox", name=re.compile("Search|搜索"))
    expect(box).to_be_focused()
    page.keyboard.type(query)
    expect(page.locator(".found").get_by_role("status")).to_have_text(re.compile(r"^\d+ (found|处)$"))
    best = page.get_by_role("option").first
    expect(best).to_have_text(re.compile(first))
    expect(best.locator("mark").first).to_have_text(re.compile(mark))
    page.keyboard.press("ArrowDown")
    expect(best).to_have_attribute("aria-selected", "true")
    expect(box).to_have_attribute("aria-activedescendant", "found-0")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{page_of}.html")


def test_the_lists_beside_a_lesson_mark_the_present_section(page: Page, folder: Path) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    page.clock.install()
    page.goto((folder / "en" / "05_rotary.html").as_uri())
    wait_until_laid_out(page)
    lessons = page.get_by_role("navigation", name="Lessons")
    expect(lessons.locator("[aria-current=page]")).to_have_text("05 · Rotary (RoPE)")
    page.locator("#pairings").scroll_into_view_if_needed()
    page.evaluate("document.getElementById('pairings').scrollIntoView()")
    sections = page.get_by_role("navigation", name="On this page")
    expect(sections.locator("[aria-current=location]")).to_have_text(re.compile("Two pairings"))
    # A section that the reader jumped over is not done; one at whose end the reader stayed is.
    expect(sections.locator(".done")).to_have_count(0)
    page.evaluate(
        "scrollBy(0, document.getElementById('bug-clinic').getBoundingClientRect().top - innerHeight / 2)"
    )
    page.clock.run_for(60_000)
    expect(sections.locator(".done")).to_have_text("7 · Two pairings")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(sections).to_be_hidden()
    page.get_by_role("button", name="On this page").click()
    sections.get_by_role("link", name="Two pairings").click()
    expect(sections).to_be_hidden()
    expect(page.locator("#pairings")).to_be_in_viewport()


def shown_names(page: Page) -> list[str]:
    """Return the names of the models that are shown."""
    return page.locator(".models tbody tr:visible th code").all_inner_texts()


def test_models_are_filtered_by_menus_and_name_and_sorted_by_columns(page: Page, address: str) -> None:
    page.goto(f"{address}en/models.html")
    every = shown_names(page)
    assert len(every) > 200
    page.get_by_role("combobox", name="Pairing").select_option("interleaved")
    interleaved = shown_names(page)
    assert "cohere2" in interleaved and "llama" not in interleaved
    expect(page.locator(".choose output")).to_have_text(f"{len(interleaved)} of {len(every)} model types")
    page.get_by_role("searchbox", name="Find a model").fill("cohere2")
    assert set(shown_names(page)) == {name for name in interleaved if "cohere2" in name}
    clear = page.get_by_role("button", name="Clear the choice")
    clear.click()
    expect(clear).to_be_hidden()
    assert shown_names(page) == every
    page.get_by_role("button", name="What “Base” means").click()
    expect(page.get_by_text("Two bases: kinds of layers")).to_be_visible()
    head = page.get_by_role("columnheader", name="Base")
    column = page.locator(".models tbody tr:visible td[data-order]")
    for way in ("ascending", "descending"):
        head.get_by_role("button", name="Base", exact=True).click()
        expect(head).to_have_attribute("aria-sort", way)
        bases = [float(base) for base in column.evaluate_all("cells => cells.map(c => c.dataset.order)")]
        assert bases == sorted(bases, reverse=way == "descending") and bases[0] != bases[-1]


# Pictures, except explorers' stills, whose letters of 12 px are below 11 px.
SMALL = """() => [...document.querySelectorAll(".code:not([data-explores]) > .shown > img[width]")]
    .filter((it) => it.checkVisibility() && it.getBoundingClientRect().width < 0.9 * it.getAttribute("width"))
    .map((it) => it.alt)"""
PAGES = (
    *("index", "00_start_here", "05_rotary", "glossary", "questions/rotate_half", "solutions/00_start_here"),
    *("teaching", "models"),
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_every_window_and_axe_finds_nothing(
    name: str, scheme: str, folder: Path, browser: Browser
) -> None:
    context = new_context(browser, color_scheme=scheme)
    page = context.new_page()
    for language, width in itertools.product(FOLDERS, (390, 1366, 1920) if scheme == "light" else (1366,)):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto((folder / language / f"{name}.html").as_uri())
        wait_until_laid_out(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (language, width)
        assert page.evaluate(SMALL) == [], (language, width)
        assert width == 1920 or barriers(page) == [], (language, width)
    context.close()
