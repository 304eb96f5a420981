"""Turn a notebook into one HTML page, by itself or in a site."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from posenc_lessons.course.lessons import QUESTIONS
from posenc_lessons.export.cell_html import body, runnable
from posenc_lessons.export.document import Head, Looks, document
from posenc_lessons.export.frame import Frame, Link, framed
from posenc_lessons.export.markdown import LinkTo, plain, render, sides
from posenc_lessons.export.one_language import prose_in_language
from posenc_lessons.export.what_runs import head_note
from posenc_lessons.language import Language

EXPLORER = "data-explorer="  # of a figure whose explorer can be live
CELL = "data-cell="  # of code that can be run
_TITLE = re.compile(r"^# +(.*)$", re.MULTILINE)
_SECTION = re.compile(r"^## +(.*)$", re.MULTILINE)
_PARAGRAPH = re.compile(r"<p>(.*?)</p>", re.DOTALL)
_BEGINNING = re.compile(r".{40,}?(?:[。！？]|[.!?](?= |$))|.*")  # whole sentences, at least 40 characters


def lesson_page(
    notebook: Any,
    language: Language,
    link_to: LinkTo,
    frame: Frame | None = None,
    looks: Looks | None = None,
    live: str | None = None,
    table: str | None = None,
    published: Any = None,
) -> str:
    """Return the page of ``notebook``, which is already in ``language``. ``link_to`` gives links' addresses.

    ``live``: the address of the script that runs cells and explorers; None for stills. ``table``: the address
    of the table that says what runs in the whole course. ``published``: the notebook to download, with the
    words and cells that the page leaves out; ``notebook`` for None.
    """
    frame = frame or Frame()
    main = "\n".join(body(notebook, language, link_to))
    alive = live if EXPLORER in main or CELL in main else None
    note = head_note(notebook, language, alive is not None, table)
    main = main.replace("</h1>", f"</h1>\n{note}", 1)
    if alive and CELL in main:
        name = frame.place.file.removesuffix(".html") if frame.place else ""
        main += runnable(notebook, name, published or notebook)
    return page(
        title(notebook, language),
        main,
        language,
        frame,
        looks,
        live=alive,
        about=description(notebook, language),
    )


def page(
    name: str,
    main: str,
    language: Language,
    frame: Frame,
    looks: Looks | None = None,
    live: str | None = None,
    about: str = "",
    pictures: bool = False,
    wide: bool = False,
) -> str:
    """Return a whole HTML document with ``main``; ``name`` is its title as HTML.

    ``live``: as for ``lesson_page``. ``about``: the description that search engines may show. ``pictures``:
    whether it has pictures from files beside the page. ``wide``: whether it has no lists at its sides.
    """
    bare = html.unescape(re.sub(r"<[^>]+>", "", name))
    links = frame.place.head(bare, about) if frame.place else ""
    attributes = ' data-languages="zh en"' if language == "both" else ""
    head = Head(bare, about, links, live, pictures)
    return document(head, framed(main, frame, language, wide), language, looks or Looks(), attributes)


def section_links(notebook: Any, language: Language) -> tuple[Link, ...]:
    """Return links to the sections of a lesson."""
    return tuple(Link(f"#{cell}", sides(_inline(said), language)) for cell, said in sections(notebook))


def questions(notebooks: Mapping[str, Any]) -> list[str]:
    """Return the names of the questions, in the order of the lessons to which they lead."""
    asked = [name for name in notebooks if name.startswith(f"{QUESTIONS}/")]
    return sorted(asked, key=lambda name: re.findall(r"\.\./(\d\d)_", notebooks[name].cells[-1].source)[:1])


def solutions(notebooks: Mapping[str, Any]) -> list[str]:
    """Return the names of the notebooks with solutions."""
    return [name for name in notebooks if name.startswith("solutions/")]


def title(notebook: Any, language: Language) -> str:
    """Return the lesson's title as HTML."""
    found = _TITLE.search(notebook.cells[0].source) if notebook.cells else None
    return sides(html.escape(found.group(1)), language) if found else ""


def description(notebook: Any, language: Language, whole: bool = False) -> str:
    """Return the first paragraph, or its beginning, as plain text in each language of the page."""
    said = []
    spoken: tuple[Language, ...] = ("zh", "en") if language == "both" else (language,)
    for each in spoken:
        source = prose_in_language(notebook.cells[0].source, each) if notebook.cells else ""
        if found := _PARAGRAPH.search(render(source, each)):
            text = spoken_formulas(plain(found[1]))
            beginning = _BEGINNING.match(text)
            said.append(text if whole or not beginning else beginning[0])
    return " ".join(said)


def spoken_formulas(text: str) -> str:
    """Return ``text`` without the backslashes of the TeX in its formulas."""
    return re.sub(r"\\([A-Za-z]+) ?", r"\1 ", text)


def file_name(name: str) -> str:
    """Return the page of notebook ``name`` (its path within the course)."""
    return name.removesuffix(".ipynb") + ".html"


def sections(notebook: Any) -> Iterator[tuple[str, str]]:
    """Yield the cell and the words of every heading of the second level."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for found in _SECTION.finditer(re.sub(r"```.*?```", "", cell.source, flags=re.DOTALL)):
                yield cell.id, found.group(1)


def _inline(text: str) -> str:
    """Return a heading's words as HTML, without the marks of Markdown."""
    return html.escape(re.sub(r"[`*$]", "", text))
