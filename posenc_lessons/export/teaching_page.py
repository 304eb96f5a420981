"""Make a page of the site from the teacher's guide (TEACHING.md, TEACHING.zh.md).

The guide writes `02:by-hand` for a cell and `?explorer=rotation&m=5` for an explorer's settings; on the page
these are links with words: the heading above the cell, and the explorer's title with the settings.
"""

import html
import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from posenc_lessons.course.lessons import PACKAGE, in_checkout
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.links import follow, read_link
from posenc_lessons.export import outline
from posenc_lessons.export.in_page import for_one_reader, prose_in_page
from posenc_lessons.export.markdown import LinkTo, render
from posenc_lessons.language import Language, shown_in

_NAMES: dict[Language, str] = {"zh": "TEACHING.zh.md", "en": "TEACHING.md"}
_HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>", re.DOTALL)
_CELL = re.compile(r"`(\d\d):([\w-]+)`")
_CELLS = re.compile(rf"{_CELL.pattern}(?:(?:[,、] ?| ){_CELL.pattern})*")
_PICTURE = re.compile(r"`\?(explorer=[^`]+)`")
_TITLES = re.compile(r"^#+ +(?:\d+ · )?(.+)$", re.MULTILINE)
_EXPLORERS = {explorer.name: explorer for explorer in EXPLORERS}


def guide(language: Language) -> str | None:
    """Return the guide (Markdown); None if the package lacks it."""
    folder = PACKAGE.parent if in_checkout() else PACKAGE / "guides"
    path = folder / _NAMES[language]
    return path.read_text(encoding="utf-8") if path.is_file() else None


def teaching_page(
    source: str, language: Language, notebooks: Mapping[str, Any], link_to: LinkTo, explorers: str | None
) -> tuple[str, list[tuple[str, str]]]:
    """Return the guide ``source`` as HTML, and the address and words of each of its sections.

    ``link_to`` gives the address of a notebook's cell; ``explorers`` is the explorers' page's, or None.
    """
    headings = {name: dict(_headings(book)) for name, book in notebooks.items()}
    lessons = {name[:2]: name for name in notebooks if outline.is_lesson(name)}
    parts = itertools.count()
    sections: list[tuple[str, str]] = []

    def heading(match: re.Match[str]) -> str:
        level, words = match.groups()
        anchor = f"part-{next(parts)}"  # the same in both languages
        if level == "2":
            sections.append((f"#{anchor}", words))
        return f'<h{level} id="{anchor}">{words}</h{level}>'

    def cell_links(match: re.Match[str]) -> str:
        """Return links below each other; cells under one heading have one link, to the first of them."""
        links: dict[str, str] = {}
        for number, cell in _CELL.findall(match[0]):
            name = lessons.get(number, "")
            if words := headings.get(name, {}).get(cell):
                links.setdefault(words, f'<a href="{outline.file_name(name)}#{cell}">{number} · {words}</a>')
            else:
                links[cell] = f"<code>{number}:{cell}</code>"
        return "<br>".join(links.values())

    def picture(match: re.Match[str]) -> str:
        words = html.escape(_settings(match[1], language))
        return f'<a href="{explorers}?{html.escape(match[1])}">{words}</a>' if explorers else words

    written = _PICTURE.sub(picture, _CELLS.sub(cell_links, prose_in_page(source)))
    main = _HEADING.sub(heading, render(written, lambda address: link_to(address.removeprefix("notebooks/"))))
    return f'<div class="md guide">{main}</div>', sections


def _headings(notebook: Any) -> Iterator[tuple[str, str]]:
    """Yield each cell of the page, and the heading that it begins with or stands below, as HTML."""
    above = ""
    for cell in notebook.cells:
        titles = _TITLES.findall(cell.source) if cell.cell_type == "markdown" else []
        own = [html.escape(re.sub(r"[`*$]", "", title)).replace("|", "&#124;") for title in titles]
        first, *_, above = [*own, own[-1]] if own else [above, above]
        if not for_one_reader(cell):
            yield cell.id, first


def _settings(query: str, language: Language) -> str:
    """Return an explorer's title and the settings that its link names."""
    link = read_link(query, _EXPLORERS)
    explorer = _EXPLORERS[link.explorer or ""]()
    follow(explorer, link.values)
    with shown_in(language):
        settings = [
            f"{explorer.controls[name].label.show(language)} = {explorer.controls[name].as_data()['text']}"
            for name in link.values
        ]
    explorer.close()
    title = explorer.title.show(language)
    return f"{title}：{'，'.join(settings)}" if language == "zh" else f"{title}: {', '.join(settings)}"
