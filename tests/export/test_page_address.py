"""A page's metadata: its other language, its address, its description."""

import html
import posixpath
import re
from collections.abc import Iterable
from xml.etree import ElementTree

import nbformat
import pytest
from nbformat import v4

from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.site import FOLDERS, site, sitemap
from posenc_lessons.language import Language
from tests.support.exported import NAMES, SHIPPED, Page, dead_links


@pytest.fixture(scope="module")
def bilingual() -> dict[str, bytes]:
    """Return a part of the course as a site in both languages, with an address."""
    names = [name for name in NAMES if re.search("05_|left_padding|glossary", name)]
    read = {name: nbformat.read(SHIPPED / name, as_version=4) for name in names}
    both = {one: {name: in_language(read[name], one) for name in names} for one in FOLDERS}
    return site(both, address="https://example.org/x/")


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


def test_the_root_of_a_site_with_one_lesson_leads_to_it() -> None:
    lesson = nbformat.read(SHIPPED / "00_start_here.ipynb", as_version=4)
    both = {one: {"00_start_here.ipynb": in_language(lesson, one)} for one in FOLDERS}
    files = site(both)
    assert set(Page(files["index.html"].decode()).links) == {
        name for name in files if name.endswith("00_start_here.html")
    }


def of(names: Iterable[str], folder: str) -> list[str]:
    return [name.removeprefix(folder) for name in names if name.startswith(folder)]


def test_metadata_names_both_languages(bilingual: dict[str, bytes]) -> None:
    page = bilingual["en/questions/left_padding.html"].decode()
    there = "https://example.org/x/{}/questions/left_padding.html"
    assert f'<link rel="canonical" href="{there.format("en")}">' in page
    told = dict(re.findall(r'<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">', page))
    assert told == {"zh-Hans": there.format("zh"), "en": there.format("en")}
    assert re.findall("<title>(.*)</title>", page) == ["Does left padding change the output with RoPE?"]
    assert '<link rel="canonical" href="https://example.org/x/zh/">' in bilingual["zh/index.html"].decode()
    told = dict(re.findall(r'hreflang="([^"]*)" href="(https[^"]*)">', bilingual["index.html"].decode()))
    assert told == {
        "x-default": "https://example.org/x/",
        **{"zh-Hans": "https://example.org/x/zh/", "en": "https://example.org/x/en/"},
    }


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_pages_description_is_its_beginning(language: Language) -> None:
    zh = "不行。要写满四十个字，`x` 的**平方**也算在里面，也就是 $x^2$，还要再添上几个字，这才够了。"
    en = "No. It takes forty characters, `x` > $\\sin p$ and **PE** included."
    blocks = f'<div lang="zh">\n\n{zh}不说。\n\n</div>\n<div lang="en">\n\n{en} Nor this.\n\n</div>'
    cell = v4.new_markdown_cell(f"# 问 · Asked?\n\n{blocks}")
    page = site({language: {"a.ipynb": in_language(v4.new_notebook(cells=[cell]), language)}})["a.html"]
    (described,) = re.findall('<meta name="description" content="(.*)">', page.decode())
    said = {"zh": zh, "en": en}[language]
    assert html.unescape(described) == re.sub(r"[`*$\\]", "", said)


def test_a_sitemap_has_the_whole_address_of_every_page() -> None:
    files = ["index.html", "questions/a b.html", "live/lesson.js", "explorers/index.html"]
    for address in ("https://example.org/x&y", "https://example.org/x&y/"):
        root = ElementTree.fromstring(sitemap(files, address))
        assert [element.text for element in root.iter() if element.tag.endswith("}loc")] == [
            f"https://example.org/x&y/{page}" for page in ("explorers/", "", "questions/a%20b.html")
        ]
