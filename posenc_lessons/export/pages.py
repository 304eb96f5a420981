"""Write pages: a lesson's, and any other with the same parts around its text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from posenc_lessons.export import outline
from posenc_lessons.export.assets import ENTRY, script
from posenc_lessons.export.cells import EXPLORER, Around, body, runnable
from posenc_lessons.export.document import document
from posenc_lessons.export.markdown import LinkTo, plain
from posenc_lessons.export.page_address import PageAddress, link_to_other_language
from posenc_lessons.export.what_runs import head_note
from posenc_lessons.language import Language

CELL = "data-cell="  # of code that can be run
_HEADING = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)


@dataclass(frozen=True)
class Link:
    """A link: its address on the page, its words as HTML, and whether it leads to the page itself."""

    address: str
    words: str
    current: bool = False


@dataclass(frozen=True)
class Group:
    """A part of the course that is folded in the list of lessons, such as the questions; a name as HTML."""

    name: str
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Frame:
    """The parts around the text of a page.

    Attributes:
        index: the front page's address, or None.
        course: lessons, groups and other places, for the list at the left.
        sections: the page's sections, for the list at the right.
        previous, following: the neighbouring pages.
        entries: the address of search's script; "" if its entries are in the page, None for no search.
        root: the relative address of this language's folder.
        version: a sentence for the foot, as HTML.
        place: the page's addresses. shared: the relative address of the site's root, or None.
    """

    index: str | None = None
    course: tuple[Link | Group, ...] = ()
    sections: tuple[Link, ...] = ()
    previous: Link | None = None
    following: Link | None = None
    entries: str | None = None
    root: str = ""
    version: str = ""
    place: PageAddress | None = None
    shared: str | None = None

    @property
    def other_language(self) -> str:
        """Return the link to the page in the other language, as HTML."""
        return link_to_other_language(self.place) if self.place else ""


def page(
    main: str,
    language: Language,
    frame: Frame,
    *,
    about: str = "",
    live: str | None = None,
    wide: bool = False,
) -> str:
    """Return a whole page with ``main``, whose heading is the page's title.

    ``about``: the description that search engines may show. ``live``: the address of the script that runs
    cells and explorers. ``wide``: whether it has no lists at its sides.
    """
    heading = _HEADING.search(main)
    title = plain(heading[1]) if heading else ""
    links = frame.place.head(title, about) if frame.place else ""
    return document(
        "page.html.j2",
        title,
        language,
        about=about,
        links=links,
        live=live,
        shared=frame.shared,
        scripts=(script(ENTRY),),
        main=main,
        frame=frame,
        wide=wide,
    )


def lesson_page(
    name: str,
    notebook: Any,
    published: Any,
    language: Language,
    link_to: LinkTo,
    frame: Frame,
    live: str | None = None,
    table: str | None = None,
) -> str:
    """Return the page of ``notebook``, which is already in ``language``. ``link_to`` gives links' addresses.

    ``name`` is its path within the course; ``published`` the notebook to download, with the words and cells
    that the page leaves out. ``live``: the address of the script that runs cells and explorers; None for
    stills. ``table``: the address of the table that says what runs in the whole course.
    """
    main = body(notebook, Around(language, link_to))
    alive = live if EXPLORER in main or CELL in main else None
    note = head_note(notebook, language, alive is not None, table)
    main = main.replace("</h1>", f"</h1>\n{note}", 1)
    if alive and CELL in main:
        main += runnable(notebook, name.removesuffix(".ipynb"), published)
    sections = tuple(Link(f"#{cell}", words) for cell, words in outline.sections(notebook, language))
    return page(
        main,
        language,
        replace(frame, sections=sections),
        about=outline.description(notebook, language),
        live=alive,
    )
