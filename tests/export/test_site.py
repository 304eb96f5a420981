"""Pages that need nothing else, and links that lead somewhere."""

from __future__ import annotations

import html
import itertools
import json
import posixpath
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import nbformat
import pytest
from nbformat import v4

from posenc_lessons.course.folder import lesson_files, shipped_lessons
from posenc_lessons.course.guess import answer_html, question_html
from posenc_lessons.course.guesses import find
from posenc_lessons.course.sections import FOLDED
from posenc_lessons.export.copies import in_language
from posenc_lessons.export.markdown import render
from posenc_lessons.export.outputs import STILLS
from posenc_lessons.export.site import links_from, site, sitemap
from posenc_lessons.language import Language

SHIPPED = shipped_lessons()
NAMES = [
    path.as_posix()
    for path in lesson_files(SHIPPED)
    if re.match(r"(solutions/)?\d\d_|questions/", path.as_posix())
]
VOID = {"meta", "link", "input", "img", "br", "hr"}
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


class Page(HTMLParser):
    """What a page links to, loads and calls its parts; complains about tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
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
    return {name: Page(content.decode()) for name, content in english.items()}


def test_every_notebook_is_a_page(pages: dict[str, Page]) -> None:
    assert set(pages) == {"index.html", *(name.replace(".ipynb", ".html") for name in NAMES)}


def test_no_link_is_dead(pages: dict[str, Page]) -> None:
    assert dead_links(pages) == []


def test_a_dead_link_is_seen() -> None:
    pages = {
        "a.html": Page('<html lang="en"><a href="b.html#x">b</a><a href="#y">y</a><p id="z"></p></html>')
    }
    assert dead_links(pages) == [("a.html", "b.html#x"), ("a.html", "#y")]


def test_nothing_is_loaded_from_elsewhere(pages: dict[str, Page], english: dict[str, bytes]) -> None:
    for name, page in pages.items():
        assert [source for source in page.loaded if not source.startswith("data:")] == [], name
        style = re.search(r"<style>(.*?)</style>", english[name].decode(), re.DOTALL)
        assert style and re.findall(r"url\((?!data:)|@import", style[1]) == []


def test_pages_are_small_and_whole(pages: dict[str, Page], english: dict[str, bytes]) -> None:
    for name, page in pages.items():
        assert len(english[name]) < 3_000_000, name
        assert page.language == "en"
        assert page.headings.count("h1") == 1 and page.headings[0] == "h1", name
        assert len(page.ids) == len(set(page.ids)), name
        assert all(len(image["alt"] or "") > 10 for image in page.images), name
        assert re.findall(r".{9}(?:\*\*|\$\$|\]\(|</?div).{9}", page.said) == [], name


def test_english_pages_have_no_chinese(english: dict[str, bytes]) -> None:
    for name, content in english.items():
        text = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", content.decode(), flags=re.DOTALL)
        assert re.findall(r".{9}[\u3000-\u303f\u3400-\u9fff\uff00-\uffef].{9}", text) == [], name


def test_the_way_through_the_course(pages: dict[str, Page]) -> None:
    lessons = [name for name in pages if re.match(r"\d\d_", name)]
    for before, after in itertools.pairwise(lessons):
        assert after in pages[before].links and before in pages[after].links
    assert "../index.html" in pages["solutions/01_why_position.html"].links
    assert set(lessons) < set(pages["index.html"].links)


def test_the_index_leads_to_questions_in_the_order_of_their_lessons(english: dict[str, bytes]) -> None:
    index = english["index.html"].decode()
    asked = re.findall(r'<li><a href="questions/(\w+)\.html">', index.partition("Questions people ask")[2])
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
    assert {entry["page"].partition("#")[0] for entry in entries} == set(english) - {"index.html"}
    (clinic,) = [entry for entry in entries if "Case 1: a missing colon" in entry["title"]]
    assert clinic["page"].startswith("02_sinusoidal.html#") and clinic["title"].startswith("02 · Sinusoidal")


@pytest.mark.parametrize(("language", "tag"), [("zh", "zh-Hans"), ("both", "zh-Hans")])
def test_other_languages(language: Language, tag: str) -> None:
    files = exported(
        language, ["00_start_here.ipynb", "02_sinusoidal.ipynb", "solutions/02_sinusoidal.ipynb"]
    )
    pages = {name: Page(content.decode()) for name, content in files.items()}
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
