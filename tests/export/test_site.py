"""Pages need nothing else, and links have targets."""

import html
import json
import posixpath
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import nbformat
import pytest

from posenc_lessons.course.glossary import GLOSSARY
from posenc_lessons.course.lessons import QUESTIONS
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.behind_doors import BEHIND
from posenc_lessons.explorers.links import follow, read_link
from posenc_lessons.export import front
from posenc_lessons.export.motifs import motif
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.site import page_links
from posenc_lessons.language import CHINESE, Language
from tests.support.exported import NAMES, SHIPPED, Page, dead_links, exported

FEW = [
    *("00_start_here.ipynb", "01_why_position.ipynb", "glossary.ipynb"),
    *("questions/two_zeros.ipynb", "solutions/00_start_here.ipynb", "solutions/01_why_position.ipynb"),
]


@pytest.fixture(scope="module", params=["few", pytest.param("every", marks=pytest.mark.sweep)])
def names(request: pytest.FixtureRequest) -> list[str]:
    """Return the notebooks of a small site, or all of the course."""
    return NAMES if request.param == "every" else FEW


@pytest.fixture(scope="module")
def english(names: list[str]) -> dict[str, bytes]:
    """Return the notebooks' pages in English, with the outputs that are committed."""
    return exported("en", names)


@pytest.fixture(scope="module")
def pages(english: dict[str, bytes]) -> dict[str, Page]:
    return {name: Page(content.decode()) for name, content in english.items() if name.endswith(".html")}


def read(language: Language, *names: str) -> dict[str, Any]:
    notebooks = {f"{name}.ipynb": nbformat.read(SHIPPED / f"{name}.ipynb", as_version=4) for name in names}
    return {name: in_language(notebook, language) for name, notebook in notebooks.items()}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_card_has_a_picture_minutes_and_goals_and_six_questions_have_answers(language: Language) -> None:
    index = front.front_page(read(language, "05_rotary", "questions/left_padding"), language)
    (card,) = re.findall(r'<ol class="cards">(.*?)</ol>', index, re.DOTALL)
    goals = {"zh": ("大约 50 分钟", "把旋转推导出来"), "en": ("About 50 minutes", "derive the rotation")}
    for one, (minutes, goal) in goals.items():
        assert (minutes in card and goal in card) == (language == one)
    assert card.count("<svg ") == 1 and "<text" not in card
    assert "--door:#BF4F00" in card and "rotary.rotate rotary.rotary_score" in card
    assert {f"{QUESTIONS}/{name}.ipynb" for name in front.ANSWERED} <= {*NAMES} and len(
        {*front.ANSWERED}
    ) == 6
    assert re.search(r'/left_padding.html">.*</h3><p>(不会，只要掩码|No, if the mask)', index)


def test_every_lesson_has_a_drawing_of_its_own_on_its_card() -> None:
    drawings = [motif(f"{lesson:02}_name.ipynb") for lesson in range(12)]
    assert len({*drawings, ""}) == 13
    assert all(ElementTree.fromstring(drawing).tag == "svg" for drawing in drawings)
    assert motif("glossary.ipynb") == ""


@pytest.mark.parametrize("explorers", [None, "explorers/index.html"])
def test_each_door_leads_to_an_explorer_that_is_set_for_it(explorers: str | None) -> None:
    notebooks = read("en", "02_sinusoidal", "04_relative", "05_rotary")
    page = front.front_page(notebooks, "en", explorers=explorers)
    assert ('href="explorers/index.html?lang=en"' in page) == (explorers is not None)
    doors = [html.unescape(door) for door in re.findall(r'<a href="([^"]*)" style="--door', page)]
    if not explorers:
        assert doors == [
            *("02_sinusoidal.html#sinusoid-explorer", "05_rotary.html#rotation-explorer"),
            *["04_relative.html#distance-explorer"] * 2,
        ]
        return
    by_name = {explorer.name: explorer for explorer in EXPLORERS}
    for number, door in enumerate(doors, start=1):
        address, _, query = door.partition("?")
        link = read_link(query, by_name)
        assert address == "explorers/index.html" and link.language == "en" and link.problems == ()
        assert link.explorer == BEHIND[number][0].explorer.name
        explorer = by_name[link.explorer]()
        assert follow(explorer, link.values) == () and explorer.message is None
        explorer.close()
    assert len(set(doors)) == 4


def test_no_link_is_dead_and_a_dead_one_is_noticed(pages: dict[str, Page]) -> None:
    assert dead_links(pages) == []
    page = Page('<html lang="en"><a href="b.html#x">b</a><a href="#y">y</a><p id="z"></p></html>')
    assert dead_links({"a.html": page}) == [("a.html", "b.html#x"), ("a.html", "#y")]


def test_pages_are_small_complete_and_have_no_chinese(
    names: list[str], pages: dict[str, Page], english: dict[str, bytes]
) -> None:
    assert set(pages) == {
        *("index.html", "models.html", "teaching.html"),
        *(name.replace(".ipynb", ".html") for name in names),
    }
    for name, page in pages.items():
        source = english[name].decode()
        assert len(english[name]) < 3_000_000, name
        assert page.language == "en"
        assert page.headings.count("h1") == 1 and page.headings[0] == "h1", name
        assert len(page.ids) == len(set(page.ids)), name
        assert all(len(image["alt"] or "") > 10 for image in page.images), name
        assert re.findall(r".{9}(?:\*\*|\$\$|\]\(|</?div).{9}", page.said) == [], name
        files = [posixpath.join(posixpath.dirname(name), file) for file in page.loaded if "data:" not in file]
        assert set(map(posixpath.normpath, files)) <= set(english), name
        text = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", source, flags=re.DOTALL)
        assert re.findall(rf".{{9}}{CHINESE.pattern}.{{9}}", text) == [], name
        assert 'rel="canonical"' not in source


def test_only_a_question_has_its_answer_set_large(english: dict[str, bytes]) -> None:
    large = {name for name, page in english.items() if b'<main id="main" class="question">' in page}
    assert large == {name for name in english if name.startswith("questions/")} != set()


def test_the_search_finds_its_words(english: dict[str, bytes]) -> None:
    found = re.fullmatch(r"posencEntries\((.*)\);\n", english["shared/search.en.js"].decode(), re.DOTALL)
    assert found
    entries = json.loads(found[1])
    assert b'data-entries="../shared/search.en.js"' in english["questions/two_zeros.html"]
    pages = {name for name in english if name.endswith(".html")}
    assert {entry["page"].partition("#")[0] for entry in entries} == pages - {"index.html", "teaching.html"}
    (path,) = [entry for entry in entries if entry["heading"] == "The path"]
    assert path["page"] == "00_start_here.html#path" and path["title"].startswith("00 · Start here")
    terms = [entry for entry in entries if entry["page"] == "glossary.html#glossary"]
    assert len(terms) == len(GLOSSARY)


def test_the_index_leads_to_questions_in_the_order_of_their_lessons() -> None:
    names = ["05_rotary", *(f"{QUESTIONS}/{name}" for name in ("packing", "rotate_half", "sine_and_cosine"))]
    index = front.front_page(read("en", *names), "en")
    asked = re.findall(r'<li><a href="questions/(\w+)\.html">', index)
    assert asked == ["sine_and_cosine", "rotate_half", "packing"] and "All 3 questions" in index


def test_one_exported_lesson_has_no_links_to_missing_pages() -> None:
    files = exported("en", ["01_why_position.ipynb"])
    assert [name for name in files if "shared/" not in name] == ["01_why_position.html"]
    page = Page(files["01_why_position.html"].decode())
    assert [link for link in page.links if not link.startswith(("#", "https://"))] == []


def test_where_links_lead() -> None:
    cell = nbformat.v4.new_markdown_cell("# x", id="there")
    notebook = nbformat.v4.new_notebook(cells=[cell])
    link_to = page_links("solutions/a.ipynb", {"solutions/a.ipynb": notebook, "a.ipynb": notebook})
    assert link_to("../a.ipynb#cell-id=there") == "../a.html#there"
    assert link_to("../a.ipynb#cell-id=gone") == "../a.html"
    assert link_to("a.ipynb") == "#main" and link_to("#there") == "#there"
    assert link_to("../b.ipynb") is None and link_to("https://arxiv.org") == "https://arxiv.org"
