"""Make a page of the site from the teacher's guide (TEACHING.md, TEACHING.zh.md), with links to cells."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

from posenc_lessons.course.lessons import PACKAGE, in_checkout
from posenc_lessons.export import outline
from posenc_lessons.export.in_page import for_one_reader
from posenc_lessons.export.markdown import plain, render
from posenc_lessons.language import Language

_NAMES: dict[Language, str] = {"zh": "TEACHING.zh.md", "en": "TEACHING.md"}
_HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>", re.DOTALL)
_CELL = re.compile(r"<code>(\d\d):([\w-]+)</code>")
_PICTURE = re.compile(r"<code>(?:\?|&amp;)(explorer=[^<]+)</code>")
_NOTEBOOK = re.compile(r"notebooks/([\w/]+)\.ipynb(?:#cell-id=([\w-]+))?")
_WITHIN = re.compile(r'href="#([^"]*)"')
_OTHER_GUIDE = re.compile(r"\[(?:中文|English)\]\(TEACHING[.\w]*\)$", re.MULTILINE)


def guide(language: Language) -> str | None:
    """Return the guide (Markdown); None if the package lacks it."""
    folder = PACKAGE.parent if in_checkout() else PACKAGE / "guides"
    path = folder / _NAMES[language]
    return path.read_text(encoding="utf-8") if path.is_file() else None


def teaching_page(
    source: str, notebooks: Mapping[str, Any], explorers: str | None
) -> tuple[str, list[tuple[str, str]]]:
    """Return the guide ``source`` as HTML, and the address and words of each of its sections.

    ``explorers`` is the explorers' page's address, or None.
    """
    lessons = {name[:2]: outline.file_name(name) for name in notebooks if outline.is_lesson(name)}
    cells = {
        outline.file_name(name): {cell.id for cell in book.cells if not for_one_reader(cell)}
        for name, book in notebooks.items()
    }
    anchors: dict[str, str] = {}  # GitHub's anchor of a heading, which the guide's links have → ours
    sections: list[tuple[str, str]] = []

    def link_to(address: str) -> str | None:
        if re.match(r"https?:", address) or address.startswith("#"):
            return address
        notebook = _NOTEBOOK.fullmatch(address)
        if not notebook or f"{notebook[1]}.html" not in cells:
            return None  # a file of the repository that the site does not have
        return f"{notebook[1]}.html" + (f"#{notebook[2]}" if notebook[2] else "")

    def heading(match: re.Match[str]) -> str:
        level, words = match.groups()
        anchor = f"part-{len(anchors)}"  # the same in both languages
        anchors[_on_github(plain(words))] = anchor
        if level == "2":
            sections.append((f"#{anchor}", words))
        return f'<h{level} id="{anchor}">{words}</h{level}>'

    def cell(match: re.Match[str]) -> str:
        page = lessons.get(match[1])
        return f'<a href="{page}#{match[2]}">{match[0]}</a>' if page and match[2] in cells[page] else match[0]

    main = _HEADING.sub(heading, render(_OTHER_GUIDE.sub("", source), link_to))
    main = _WITHIN.sub(lambda link: f'href="#{anchors.get(html.unescape(link[1]), "main")}"', main)
    main = _CELL.sub(cell, main)
    if explorers:
        main = _PICTURE.sub(rf'<a href="{explorers}?\1">\g<0></a>', main)
    return f'<div class="md guide">{main}</div>', sections


def _on_github(words: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
