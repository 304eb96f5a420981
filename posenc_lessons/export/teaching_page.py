"""Make a page of the site from the teacher's guide (TEACHING.md, TEACHING.zh.md).

The guide writes `02:by-hand` for a cell and `?explorer=rotation&m=5` for an explorer's settings; on the page
these are links with words: the heading above the cell, and the explorer's title with the settings.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from posenc_lessons.course.lessons import PACKAGE, in_checkout
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.links import follow, read_link
from posenc_lessons.export import outline
from posenc_lessons.export.in_page import for_one_reader, prose_in_page
from posenc_lessons.export.markdown import plain, render
from posenc_lessons.language import Language, shown_in

_NAMES: dict[Language, str] = {"zh": "TEACHING.zh.md", "en": "TEACHING.md"}
_HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>", re.DOTALL)
_CELL = re.compile(r"`(\d\d):([\w-]+)`")
_CELLS = re.compile(rf"{_CELL.pattern}(?:(?:[,、] ?| ){_CELL.pattern})*")
_PICTURE = re.compile(r"`\?(explorer=[^`]+)`")
_NOTEBOOK = re.compile(r"notebooks/([\w/]+)\.ipynb(?:#cell-id=([\w-]+))?")
_WITHIN = re.compile(r'href="#([^"]*)"')
_EXPLORERS = {explorer.name: explorer for explorer in EXPLORERS}


def guide(language: Language) -> str | None:
    """Return the guide (Markdown); None if the package lacks it."""
    folder = PACKAGE.parent if in_checkout() else PACKAGE / "guides"
    path = folder / _NAMES[language]
    return path.read_text(encoding="utf-8") if path.is_file() else None


def teaching_page(
    source: str, notebooks: Mapping[str, Any], explorers: str | None, language: Language
) -> tuple[str, list[tuple[str, str]]]:
    """Return the guide ``source`` as HTML, and the address and words of each of its sections.

    ``explorers`` is the explorers' page's address, or None.
    """
    lessons = {name[:2]: name for name in notebooks if outline.is_lesson(name)}
    headings = {number: dict(_headings(notebooks[name])) for number, name in lessons.items()}
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

    def cell(number: str, cell: str) -> str:
        words = headings.get(number, {}).get(cell)
        if not words:
            return f"<code>{number}:{cell}</code>"
        page = outline.file_name(lessons[number])
        shown = f"{number} · {words}"
        return f'<a href="{page}#{cell}">{shown}</a>' if cell in cells[page] else shown

    def run_of_cells(match: re.Match[str]) -> str:
        """Return links below each other; cells under one heading have one link, to the first of them."""
        links = {
            headings.get(found[0], {}).get(found[1]): found for found in reversed(_CELL.findall(match[0]))
        }
        return "<br>".join(cell(*found) for found in reversed(links.values()))

    def picture(match: re.Match[str]) -> str:
        words = html.escape(_settings(match[1], language))
        return f'<a href="{explorers}?{html.escape(match[1])}">{words}</a>' if explorers else words

    written = _PICTURE.sub(picture, _CELLS.sub(run_of_cells, prose_in_page(source)))
    main = _HEADING.sub(heading, render(written, link_to))
    main = _WITHIN.sub(lambda link: f'href="#{anchors.get(html.unescape(link[1]), "main")}"', main)
    return f'<div class="md guide">{main}</div>', sections


def _headings(notebook: Any) -> Iterator[tuple[str, str]]:
    """Yield each cell and the heading that it begins with, or else that it stands below, as HTML."""
    above = ""
    for cell in notebook.cells:
        own = (
            re.findall(r"^#+ +(?:\d+ · )?(.+)$", cell.source, re.MULTILINE)
            if cell.cell_type == "markdown"
            else []
        )
        words = [html.escape(re.sub(r"[`*$]", "", heading)).replace("|", "&#124;") for heading in own]
        yield cell.id, words[0] if words else above
        above = words[-1] if words else above


def _settings(query: str, language: Language) -> str:
    """Return an explorer's title and the settings that its link names."""
    link = read_link(query, _EXPLORERS)
    explorer = _EXPLORERS[link.explorer or ""]()
    follow(explorer, link.values)
    with shown_in(language):
        settings = [
            f"{explorer.label(name).show(language)} = {explorer.controls[name].as_data()['text']}"
            for name in link.values
        ]
    explorer.close()
    title = explorer.title.show(language)
    return f"{title}：{'，'.join(settings)}" if language == "zh" else f"{title}: {', '.join(settings)}"


def _on_github(words: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
