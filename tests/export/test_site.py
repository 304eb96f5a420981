"""Pages need nothing else, and links have targets."""

from __future__ import annotations

import html
import itertools
import json
import re
from pathlib import Path

import nbformat
import pytest

from posenc_lessons.course.glossary import GLOSSARY
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.doors_map import BEHIND
from posenc_lessons.explorers.links import follow, read_link
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.site import links_from, site
from posenc_lessons.language import CHINESE, Language
from tests.support.exported import NAMES, SHIPPED, Page, dead_links, exported


@pytest.mark.parametrize(("language", "brought"), [("zh", True), ("both", True), ("en", False)])
def test_a_page_with_chinese_brings_a_font_for_it(language: Language, brought: bool) -> None:
    (page,) = exported(language, NAMES[:1]).values()
    assert (b"font/woff2" in page) == brought


@pytest.fixture(scope="module")
def english() -> dict[str, bytes]:
    """Return the whole course in English, with the outputs that are committed."""
    return exported("en", NAMES)


@pytest.fixture(scope="module")
def pages(english: dict[str, bytes]) -> dict[str, Page]:
    return {name: Page(content.decode()) for name, content in english.items() if name.endswith(".html")}


def test_every_notebook_is_a_page(pages: dict[str, Page]) -> None:
    assert set(pages) == {"index.html", *(name.replace(".ipynb", ".html") for name in NAMES)}


@pytest.mark.parametrize("language", ["zh", "en", "both"])
def test_a_card_has_minutes_and_what_a_reader_can_do_afterwards(language: Language) -> None:
    files = exported(language, ["05_rotary.ipynb", "solutions/05_rotary.ipynb"])
    (card,) = re.findall(r'<ol class="cards">(.*?)</ol>', files["index.html"].decode(), re.DOTALL)
    said = {"zh": ("大约 80 分钟", "从零推出 RoPE"), "en": ("About 80 minutes", "derive RoPE from nothing")}
    for one, (minutes, goal) in said.items():
        assert (minutes in card and goal in card) == (language in (one, "both"))
    assert "solutions" not in card
    assert 'href="solutions/05_rotary.html"' in files["index.html"].decode().partition('id="solutions"')[2]


@pytest.mark.parametrize("explorers", [True, False])
def test_each_door_leads_to_an_explorer_that_is_set_for_it(explorers: bool) -> None:
    names = [name for name in NAMES if "/" not in name]
    notebooks = {name: in_language(nbformat.read(SHIPPED / name, as_version=4), "en") for name in names}
    page = site(notebooks, "en", explorers=explorers)["index.html"].decode()
    doors = [html.unescape(found) for found in re.findall(r'<a href="([^"]*)" style="--door', page)]
    if not explorers:
        assert doors == [
            *("02_sinusoidal.html#sinusoid-explorer", "05_rotary.html#rotation-explorer"),
            *["04_relative.html#distance-explorer"] * 2,
        ]
        return
    by_name = {explorer.name: explorer for explorer in EXPLORERS}
    for number, door in enumerate(doors, start=1):
        address, _, query = door.partition("?")
        asked = read_link(query, by_name)
        assert address == "explorers/index.html" and asked.language == "en" and asked.problems == ()
        assert asked.explorer == BEHIND[number][0].explorer.name
        explorer = by_name[asked.explorer]()
        assert follow(explorer, asked.values) == () and explorer.message is None
        explorer.close()
    assert len(set(doors)) == 4


def test_pages_of_a_site_without_an_address_name_none(english: dict[str, bytes]) -> None:
    assert not any(told in english["index.html"] for told in (b'rel="canonical"', b'property="og:'))


def test_no_link_is_dead(pages: dict[str, Page]) -> None:
    assert dead_links(pages) == []


def test_a_dead_link_is_noticed() -> None:
    pages = {
        "a.html": Page('<html lang="en"><a href="b.html#x">b</a><a href="#y">y</a><p id="z"></p></html>')
    }
    assert dead_links(pages) == [("a.html", "b.html#x"), ("a.html", "#y")]


def test_nothing_is_loaded_from_elsewhere(pages: dict[str, Page], english: dict[str, bytes]) -> None:
    for name, page in pages.items():
        assert [source for source in page.loaded if not source.startswith("data:")] == [], name
        style = re.search(r"<style>(.*?)</style>", english[name].decode(), re.DOTALL)
        assert style and re.findall(r"url\((?!data:)|@import", style[1]) == []


def test_pages_are_small_and_complete(pages: dict[str, Page], english: dict[str, bytes]) -> None:
    for name, page in pages.items():
        assert len(english[name]) < 3_000_000, name
        assert page.language == "en"
        assert page.headings.count("h1") == 1 and page.headings[0] == "h1", name
        assert len(page.ids) == len(set(page.ids)), name
        assert all(len(image["alt"] or "") > 10 for image in page.images), name
        assert re.findall(r".{9}(?:\*\*|\$\$|\]\(|</?div).{9}", page.said) == [], name


def test_english_pages_have_no_chinese(english: dict[str, bytes]) -> None:
    for name, content in english.items():
        if not name.endswith(".html"):
            continue
        text = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", content.decode(), flags=re.DOTALL)
        assert re.findall(rf".{{9}}{CHINESE.pattern}.{{9}}", text) == [], name


def test_lessons_link_to_the_previous_and_the_next(pages: dict[str, Page]) -> None:
    lessons = [name for name in pages if re.match(r"\d\d_", name)]
    for before, after in itertools.pairwise(lessons):
        assert after in pages[before].links and before in pages[after].links
    assert "../index.html" in pages["solutions/01_why_position.html"].links
    assert set(lessons) < set(pages["index.html"].links)


def test_the_index_leads_to_questions_in_the_order_of_their_lessons(english: dict[str, bytes]) -> None:
    index = english["index.html"].decode()
    asked = re.findall(r'<li><a href="questions/(\w+)\.html">', index)
    assert len(asked) == sum(name.startswith("questions/") for name in NAMES)
    assert asked.index("sine_and_cosine") < asked.index("rotate_half") < asked.index("packing")


@pytest.mark.parametrize("there", [False, True])
def test_the_index_leads_to_the_explorers_page_where_there_is_one(there: bool) -> None:
    made = {f"{name}.ipynb": nbformat.v4.new_notebook(cells=[]) for name in ("01_one", "02_two")}
    for name, notebook in made.items():
        notebook.cells.append(nbformat.v4.new_markdown_cell(f"# {name}"))
    index = Page(site(made, "en", explorers=there)["index.html"].decode())
    assert ("explorers/index.html?lang=en" in index.links) == there


def test_the_search_finds_its_words(english: dict[str, bytes]) -> None:
    found = re.search(r'id="entries">(.*?)</script>', english["index.html"].decode(), re.DOTALL)
    assert found
    entries = json.loads(found[1])
    pages = {name for name in english if name.endswith(".html")}
    assert {entry["page"].partition("#")[0] for entry in entries} == pages - {"index.html"}
    (clinic,) = [entry for entry in entries if "Case 1: a missing colon" in entry["heading"]]
    assert clinic["page"].startswith("02_sinusoidal.html#") and clinic["title"].startswith("02 · Sinusoidal")
    terms = [entry for entry in entries if entry["page"] == "glossary.html#glossary"]
    assert len(terms) == len(GLOSSARY)


@pytest.mark.parametrize("language", ["zh", "both"])
def test_chinese_and_bilingual_pages(language: Language) -> None:
    files = exported(
        language, ["00_start_here.ipynb", "02_sinusoidal.ipynb", "solutions/02_sinusoidal.ipynb"]
    )
    pages = {name: Page(content.decode()) for name, content in files.items() if name.endswith(".html")}
    assert dead_links(pages) == []
    for name, page in pages.items():
        assert page.language == "zh-Hans"
        assert page.headings.count("h1") == 1
        assert re.findall(r".{9}(?:\*\*|\$\$|\]\().{9}", page.said) == [], name
        assert ("English" in page.said) == (language == "both") or "00" in name


def test_one_exported_lesson_has_no_links_to_missing_pages() -> None:
    files = exported("en", ["02_sinusoidal.ipynb"])
    assert list(files) == ["02_sinusoidal.html"]
    page = Page(files["02_sinusoidal.html"].decode())
    assert [link for link in page.links if not link.startswith(("#", "https://"))] == []


def test_where_links_lead() -> None:
    cell = nbformat.v4.new_markdown_cell("# x")
    cell.id = "there"
    notebook = nbformat.v4.new_notebook(cells=[cell])
    link_to = links_from("solutions/a.ipynb", {"solutions/a.ipynb": notebook, "a.ipynb": notebook})
    assert link_to("../a.ipynb#cell-id=there") == "../a.html#there"
    assert link_to("../a.ipynb#cell-id=gone") == "../a.html"
    assert link_to("a.ipynb") == "#main" and link_to("#there") == "#there"
    assert link_to("../b.ipynb") is None and link_to("https://arxiv.org") == "https://arxiv.org"


def test_the_package_includes_style_and_scripts() -> None:
    folder = Path(site.__code__.co_filename).parent / "page"
    assert {"style.css", "site.css", "site.js", "search.js"} <= {path.name for path in folder.iterdir()}
