"""Pages that need nothing else, and links that lead somewhere."""

from __future__ import annotations

import html
import itertools
import json
import posixpath
import re
from collections.abc import Iterable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import nbformat
import pytest
from nbformat import v4

from posenc_lessons.course.glossary import GLOSSARY
from posenc_lessons.course.guess import answer_html, question_html
from posenc_lessons.course.guesses import find
from posenc_lessons.course.lessons import lesson_files, shipped_lessons
from posenc_lessons.course.sections import FOLDED
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.doors_map import BEHIND
from posenc_lessons.explorers.links import follow, read_link
from posenc_lessons.export.markdown import render
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.outputs import STILLS
from posenc_lessons.export.site import FOLDERS, links_from, site, site_in_both, sitemap
from posenc_lessons.language import CHINESE, Language

SHIPPED = shipped_lessons()
NAMES = [
    path.as_posix()
    for path in lesson_files(SHIPPED)
    if re.match(r"(solutions/)?\d\d_|questions/|glossary", path.as_posix())
]
VOID = {"meta", "link", "input", "img", "br", "hr"}
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


class Page(HTMLParser):
    """What a page links to, loads and calls its parts; complains about tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.others: dict[str, str] = {}  # by language, the pages that say the same
        self.ids: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.inputs: list[dict[str, str | None]] = []
        self.headings: list[str] = []
        self.said = ""
        self.language: str | None = None
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if tag not in VOID and not known.pop("/", None):
            self._open.append(tag)
        if tag == "html":
            self.language = known["lang"]
        if tag == "a":
            self.links.append(known["href"] or "")
            if known.get("rel") == "alternate":
                self.others[known["hreflang"] or ""] = known["href"] or ""
        if "src" in known or tag == "link":
            self.loaded.append(known.get("src") or known.get("href") or "")
        if "id" in known:
            self.ids.append(known["id"] or "")
        if tag == "img":
            self.images.append(known)
        if tag == "input":
            self.inputs.append(known)
        if tag in ("h1", "h2", "h3"):
            self.headings.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, [*attrs, ("/", "yes")])

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, f"</{tag}> closes something else, line {self.getpos()[0]}"

    def handle_data(self, data: str) -> None:
        if not {"script", "style", "pre", "code", "math"} & set(self._open):
            self.said += data


def exported(language: Language, names: list[str]) -> dict[str, bytes]:
    notebooks = {name: in_language(nbformat.read(SHIPPED / name, as_version=4), language) for name in names}
    return site(notebooks, language)


@pytest.mark.parametrize(("language", "brought"), [("zh", True), ("both", True), ("en", False)])
def test_a_page_with_chinese_brings_a_font_for_it(language: Language, brought: bool) -> None:
    (page,) = exported(language, NAMES[:1]).values()
    assert (b"font/woff2" in page) == brought


def dead_links(pages: Mapping[str, Page]) -> list[tuple[str, str]]:
    """Links to a page that is not there, or to a part that its page does not have."""
    dead = []
    for name, page in pages.items():
        for link in page.links:
            address = urlsplit(link)
            if address.scheme:
                continue
            path = unquote(address.path)
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if target not in pages or (address.fragment and address.fragment not in pages[target].ids):
                dead.append((name, link))
    return dead


@pytest.fixture(scope="module")
def english() -> dict[str, bytes]:
    """The whole course in English, with the outputs that are committed."""
    return exported("en", NAMES)


@pytest.fixture(scope="module")
def pages(english: dict[str, bytes]) -> dict[str, Page]:
    return {name: Page(content.decode()) for name, content in english.items() if name.endswith(".html")}


def test_every_notebook_is_a_page(pages: dict[str, Page]) -> None:
    assert set(pages) == {"index.html", *(name.replace(".ipynb", ".html") for name in NAMES)}


def test_the_front_page_shows_every_lesson_in_a_small_picture(english: dict[str, bytes]) -> None:
    pictures = {name: content for name, content in english.items() if name.startswith("pictures/")}
    assert len(pictures) == len([name for name in NAMES if re.match(r"\d\d_", name)])
    assert max(map(len, pictures.values())) < 40_000
    images = Page(english["index.html"].decode()).images
    assert {image["src"] for image in images if image.get("loading") == "lazy"} == set(pictures)


@pytest.mark.parametrize("language", ["zh", "en", "both"])
def test_a_card_says_minutes_and_what_one_can_do_afterwards(language: Language) -> None:
    files = exported(language, ["05_rotary.ipynb", "solutions/05_rotary.ipynb"])
    (card,) = re.findall(r'<ol class="cards">(.*?)</ol>', files["index.html"].decode(), re.DOTALL)
    said = {"zh": ("大约 75 分钟", "从零推出 RoPE"), "en": ("About 75 minutes", "derive RoPE from nothing")}
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


@pytest.fixture(scope="module")
def bilingual() -> dict[str, bytes]:
    """A part of the course as a site in both languages, with an address."""
    names = [name for name in NAMES if re.search("05_|left_padding|glossary", name)]
    read = {name: nbformat.read(SHIPPED / name, as_version=4) for name in names}
    both = {one: {name: in_language(read[name], one) for name in names} for one in FOLDERS}
    return site_in_both(both, address="https://example.org/x/")


def test_every_page_of_a_site_links_to_its_other_language(bilingual: dict[str, bytes]) -> None:
    pages = {name: Page(content.decode()) for name, content in bilingual.items() if name.endswith(".html")}
    assert dead_links(pages) == []
    apart = {name: page for name, page in pages.items() if name != "index.html"}
    assert sorted(apart) == sorted(f"{folder}/{name}" for folder in ("zh", "en") for name in of(apart, "en/"))
    for name, page in apart.items():
        own, other = ("zh-Hans", "en") if name.startswith("zh/") else ("en", "zh-Hans")
        assert page.language == own and list(page.others) == [other]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), page.others[other]))
        assert target[2:] == name[2:] and target != name, name
        assert sorted(page.ids) == sorted(apart[target].ids), "a section is found again in the other language"
    assert {"zh/index.html", "en/index.html"} == set(pages["index.html"].links)


def of(names: Iterable[str], folder: str) -> list[str]:
    return [name.removeprefix(folder) for name in names if name.startswith(folder)]


def test_search_engines_and_chats_are_told_of_both_languages(bilingual: dict[str, bytes]) -> None:
    page = bilingual["en/questions/left_padding.html"].decode()
    there = "https://example.org/x/{}/questions/left_padding.html"
    assert f'<link rel="canonical" href="{there.format("en")}">' in page
    told = dict(re.findall(r'<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">', page))
    assert told == {"zh-Hans": there.format("zh"), "en": there.format("en")}
    said = dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', page))
    assert (
        said["og:title"]
        == "Does left padding change the output with RoPE?"
        == re.findall("<title>(.*)</title>", page)[0]
    )
    assert said["og:description"] == said["description"] and said["og:url"] == there.format("en")
    assert said["og:image"] == "https://example.org/x/social.en.png"
    assert (said["og:locale"], said["og:locale:alternate"]) == ("en_US", "zh_CN")
    assert '<link rel="canonical" href="https://example.org/x/zh/">' in bilingual["zh/index.html"].decode()
    told = dict(re.findall(r'hreflang="([^"]*)" href="(https[^"]*)">', bilingual["index.html"].decode()))
    assert told == {
        "x-default": "https://example.org/x/",
        **{"zh-Hans": "https://example.org/x/zh/", "en": "https://example.org/x/en/"},
    }


def test_a_page_without_an_address_tells_of_none(english: dict[str, bytes]) -> None:
    assert not any(told in english["index.html"] for told in (b'rel="canonical"', b'property="og:'))


def test_no_link_is_dead(pages: dict[str, Page]) -> None:
    assert dead_links(pages) == []


def test_a_dead_link_is_seen() -> None:
    pages = {
        "a.html": Page('<html lang="en"><a href="b.html#x">b</a><a href="#y">y</a><p id="z"></p></html>')
    }
    assert dead_links(pages) == [("a.html", "b.html#x"), ("a.html", "#y")]


def test_nothing_is_loaded_from_elsewhere(pages: dict[str, Page], english: dict[str, bytes]) -> None:
    for name, page in pages.items():
        own = [source for source in page.loaded if not source.startswith("data:")]
        assert set(own) <= set(english) and (own == [] or name == "index.html"), name
        style = re.search(r"<style>(.*?)</style>", english[name].decode(), re.DOTALL)
        assert style and re.findall(r"url\((?!data:)|@import", style[1]) == []


def test_pages_are_small_and_whole(pages: dict[str, Page], english: dict[str, bytes]) -> None:
    for name, page in pages.items():
        assert len(english[name]) < 3_000_000, name
        assert page.language == "en"
        assert page.headings.count("h1") == 1 and page.headings[0] == "h1", name
        assert len(page.ids) == len(set(page.ids)), name
        telling = [image for image in page.images if "loading" not in image]  # a card's heading says it all
        assert all(len(image["alt"] or "") > 10 for image in telling), name
        assert re.findall(r".{9}(?:\*\*|\$\$|\]\(|</?div).{9}", page.said) == [], name


def test_english_pages_have_no_chinese(english: dict[str, bytes]) -> None:
    for name, content in english.items():
        if not name.endswith(".html"):
            continue
        text = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", content.decode(), flags=re.DOTALL)
        assert re.findall(rf".{{9}}{CHINESE.pattern}.{{9}}", text) == [], name


def test_the_way_through_the_course(pages: dict[str, Page]) -> None:
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


@pytest.mark.parametrize("language", ["zh", "en", "both"])
def test_a_page_is_described_by_how_it_begins(language: Language) -> None:
    zh = "不行。要写满四十个字，`x` 的**平方**也算在里面，也就是 $x^2$，还要再添上几个字，这才够了。"
    en = "No. It takes forty characters, `x` > $\\sin p$ and **PE** included."
    blocks = f'<div lang="zh">\n\n{zh}不说。\n\n</div>\n<div lang="en">\n\n{en} Nor this.\n\n</div>'
    cell = v4.new_markdown_cell(f"# 问 · Asked?\n\n{blocks}")
    (page,) = site({"a.ipynb": in_language(v4.new_notebook(cells=[cell]), language)}, language).values()
    (described,) = re.findall('<meta name="description" content="(.*)">', page.decode())
    said = {"zh": zh, "en": en, "both": f"{zh} {en}"}[language]
    assert html.unescape(described) == re.sub(r"[`*$\\]", "", said)


def test_a_sitemap_has_the_whole_address_of_every_page() -> None:
    files = ["index.html", "questions/a b.html", "live/lesson.js", "explorers/index.html"]
    for address in ("https://example.org/x&y", "https://example.org/x&y/"):
        root = ElementTree.fromstring(sitemap(files, address))
        assert [element.text for element in root.iter() if element.tag.endswith("}loc")] == [
            f"https://example.org/x&y/{page}" for page in ("explorers/", "", "questions/a%20b.html")
        ]


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


@pytest.mark.parametrize(("language", "tag"), [("zh", "zh-Hans"), ("both", "zh-Hans")])
def test_other_languages(language: Language, tag: str) -> None:
    files = exported(
        language, ["00_start_here.ipynb", "02_sinusoidal.ipynb", "solutions/02_sinusoidal.ipynb"]
    )
    pages = {name: Page(content.decode()) for name, content in files.items() if name.endswith(".html")}
    assert dead_links(pages) == []
    for name, page in pages.items():
        assert page.language == tag
        assert page.headings.count("h1") == 1
        assert re.findall(r".{9}(?:\*\*|\$\$|\]\().{9}", page.said) == [], name
        assert ("English" in page.said) == (language == "both") or "00" in name


def test_one_lesson_is_one_page_without_links_to_pages_that_are_not_there() -> None:
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


AS_SET = {"explorer": "rotation", "initial": {"m": 7}, "query": "explorer=rotation&n=30"}  # which, and how


def with_stills(place: str = "1", **settings: Any) -> Any:
    stills = [
        {"place": place, "png": PIXEL, "alt": f"picture {n}", "reading": f"n = {n} < 9", "width": 9}
        for n in range(3)
    ]
    cell = nbformat.v4.new_code_cell("Explorer()")
    data = {
        STILLS: {"label": "cursor p", "start": 1, "stills": stills, **AS_SET, **settings},
        "image/png": PIXEL,
        "text/plain": "x",
    }
    cell.outputs = [nbformat.v4.new_output("execute_result", data)]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Play"), cell])


def test_an_explorer_is_its_stills_and_a_slider() -> None:
    markup = site({"play.ipynb": with_stills('"><script>')}, "en")["play.html"].decode()
    assert 'data-place="&quot;&gt;&lt;script&gt;"' in markup and "n = 1 &lt; 9" in markup
    page = Page(markup)
    assert [image["alt"] for image in page.images] == ["picture 0", "picture 1", "picture 2"]
    (slider,) = page.inputs
    assert slider["type"] == "range" and slider["aria-label"] == "cursor p"
    assert (slider["min"], slider["max"], slider["value"]) == ("0", "2", "1")
    frames = re.findall(r'<div class="frame"[^>]*>', markup)
    assert [frame.endswith(" hidden>") for frame in frames] == [True, False, True]


def test_what_only_speaks_of_running_is_left_out() -> None:
    said = ["Run this cell to choose", "… Not yet: fill in", "12"]
    cells = [nbformat.v4.new_code_cell(f"f({n})") for n in range(3)]
    for cell, name, words in zip(cells, ("device", "exercise-x", "y"), said, strict=True):
        cell.id = name
        cell.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": words})]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# T"), *cells])
    markup = site({"t.ipynb": notebook}, "en")["t.html"].decode()
    assert "choose" not in markup.partition("<main")[2].partition("</main>")[0]
    assert "Not yet" not in markup and '<pre tabindex="0">12</pre>' in markup


def test_the_package_carries_style_and_scripts() -> None:
    folder = Path(site.__code__.co_filename).parent / "page"
    assert {"style.css", "page.js", "search.js"} <= {path.name for path in folder.iterdir()}


def test_a_chinese_mark_does_not_begin_a_line() -> None:
    markup = render("看 $k$，再看 `x`。又 **a**，", "zh", lambda address: None)
    assert re.sub(r"<math.*?</math>", "M", markup) == (
        '<p>看 <span class="together">M，</span>再看 <span class="together"><code>x</code>。</span>'
        "又 <strong>a</strong>，</p>\n"
    )


def lesson(*cells: Any) -> str:
    """The page of a lesson of these cells."""
    notebook = v4.new_notebook(cells=[v4.new_markdown_cell("# 01 课 · Lesson", id="title"), *cells])
    return site({"01_lesson.ipynb": notebook}, "both")["01_lesson.html"].decode()


def prose(name: str, source: str, folded: bool = False) -> Any:
    return v4.new_markdown_cell(source, id=name, metadata={FOLDED: True} if folded else {})


def test_deeper_sections_are_folded_each_within_the_one_around_it() -> None:
    page = lesson(
        prose("one", "## 一 · One"),
        prose("two", "## 二（深入） · Two (deeper)\n\ntext of two", folded=True),
        prose("inner", "### 三（深入） · Three (deeper)", folded=True),
        prose("text", "text of three"),
        prose("four", "### 四 · Four"),
        prose("five", "## 五 · Five"),
        prose("last", "## 六（深入） · Six (deeper)", folded=True),
    )
    main = page[page.index('<div class="md" id="one"') : page.index("</main>")]
    Page(page)  # complains about tags that do not match
    marks = re.findall(r'<details class="deeper" id="(\w+)"|<div class="md" id="(\w+)"|(</details>)', main)
    assert ["".join(mark) for mark in marks] == [
        *("one", "two", "inner", "text", "</details>", "four", "</details>", "five", "last", "</details>")
    ]
    assert re.search(r"<summary><h2>.*Two.*</h2></summary>\s*<p>text of two", main)


def test_code_that_jupyterlab_hides_is_folded_and_a_guess_shows_none() -> None:
    hidden = {"jupyter": {"source_hidden": True}}
    asked = v4.new_code_cell('from x import guess\nguess("rope-parameters")', id="asked", metadata=hidden)
    asked.outputs = [v4.new_output("execute_result", {"text/html": question_html(find("rope-parameters"))})]
    settled = v4.new_code_cell('settle("rope-parameters")', id="settled")
    settled.outputs = [
        v4.new_output("display_data", {"text/html": answer_html(find("rope-parameters"), None)})
    ]
    cells = [v4.new_code_cell("taught = 1", id="taught")]
    cells += [v4.new_code_cell("drawn = 1", id="drawn", metadata=hidden), asked, settled]
    cells += [v4.new_code_cell("progress_map()", id="mine")]
    page = lesson(*cells)
    Page(page)
    assert re.findall(r'id="(taught|drawn|asked|settled|mine)"', page) == [
        *("taught", "drawn", "asked", "settled")
    ]
    drawn = page[page.index('id="drawn"') : page.index('id="asked"')]
    assert re.match(r'id="drawn">\s*<details><summary>.*</summary>', drawn)
    assert 'class="source"' not in page[page.index('id="asked"') :]
    assert page.count('class="guessed"') == 2 and page.count("data-when=") == 2
