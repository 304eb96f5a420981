"""Make a page of the site from the teacher's guide (TEACHING.md, TEACHING.zh.md), with links to cells."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from posenc_lessons.course.lessons import PACKAGE, in_checkout
from posenc_lessons.export import pages
from posenc_lessons.export.document import Looks
from posenc_lessons.export.frame import Frame, Link
from posenc_lessons.export.markdown import plain, render
from posenc_lessons.language import Language

FILE = "teaching.html"
_NAMES: dict[Language, str] = {"zh": "TEACHING.zh.md", "en": "TEACHING.md", "both": "TEACHING.md"}
_HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>", re.DOTALL)
_CELL = re.compile(r"<code>(\d\d):([\w-]+)</code>")
_PICTURE = re.compile(r"<code>(?:\?|&amp;)(explorer=[^<]+)</code>")
_NOTEBOOK = re.compile(r"notebooks/([\w/]+)\.ipynb(?:#cell-id=([\w-]+))?")
_WITHIN = re.compile(r'href="#([^"]*)"')
_OTHER_GUIDE = re.compile(r"^\[(?:中文|English)\]\(TEACHING[.\w]*\)$", re.MULTILINE)


def guide(language: Language) -> str | None:
    """Return the guide (Markdown); None if the package lacks it."""
    path = _folder() / _NAMES[language]
    return path.read_text(encoding="utf-8") if path.is_file() else None


def teaching_page(
    source: str,
    notebooks: Mapping[str, Any],
    language: Language,
    frame: Frame,
    looks: Looks,
    explorers: str | None,
) -> str:
    """Return the page of the guide ``source``; ``explorers`` is the explorers' page's address, or None."""
    lessons = {name[:2]: pages.file_name(name) for name in notebooks if re.match(r"\d\d_", name)}
    known = {name: {cell.id for cell in notebook.cells} for name, notebook in notebooks.items()}
    anchors: dict[str, str] = {}  # GitHub's anchor of a heading, which the guide's links have → ours
    sections: list[Link] = []

    def link_to(address: str) -> str | None:
        if re.match(r"https?:", address) or address.startswith("#"):
            return address
        found = _NOTEBOOK.fullmatch(address)
        if not found or f"{found[1]}.ipynb" not in notebooks:
            return None  # a file of the repository that the site does not have
        return f"{found[1]}.html" + (f"#{found[2]}" if found[2] else "")

    def heading(found: re.Match[str]) -> str:
        anchor = f"part-{len(anchors)}"  # the same in both languages
        anchors[_on_github(plain(found[2]))] = anchor
        if found[1] == "2":
            sections.append(Link(f"#{anchor}", found[2]))
        return f'<h{found[1]} id="{anchor}">{found[2]}</h{found[1]}>'

    def cell(found: re.Match[str]) -> str:
        page = lessons.get(found[1])
        there = page and found[2] in known[page.replace(".html", ".ipynb")]
        return f'<a href="{page}#{found[2]}">{found[0]}</a>' if there else found[0]

    main = _HEADING.sub(heading, render(_OTHER_GUIDE.sub("", source), language, link_to))
    main = _WITHIN.sub(lambda link: f'href="#{anchors.get(html.unescape(link[1]), "main")}"', main)
    main = _CELL.sub(cell, main)
    if explorers:
        main = _PICTURE.sub(rf'<a href="{explorers}?\1">\g<0></a>', main)
    title = re.search(r"<h1[^>]*>(.*?)</h1>", main)
    name = title[1] if title else ""
    about = plain(found[1]) if (found := re.search(r"<p>(.*?)</p>", main, re.DOTALL)) else ""
    return pages.page(
        name,
        f'<div class="md guide">{main}</div>',
        language,
        replace(frame, sections=tuple(sections)),
        looks,
        about=about,
    )


def _on_github(words: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")


def _folder() -> Path:
    return PACKAGE.parent if in_checkout() else PACKAGE / "guides"
