"""Write pages: a text and the parts around it."""

import re
from dataclasses import dataclass

from posenc_lessons import __version__
from posenc_lessons.export import texts
from posenc_lessons.export.document import document
from posenc_lessons.export.markdown import plain
from posenc_lessons.export.page_address import PageAddress
from posenc_lessons.language import Language

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
        place: the page's addresses. shared: the relative address of the site's root.
        index: the front page's address, or None.
        course: lessons, groups and other places, for the list at the left.
        sections: the page's sections, for the list at the right.
        previous, following: the neighbouring pages.
        entries: the address of search's script, or None.
    """

    place: PageAddress
    shared: str
    index: str | None = None
    course: tuple[Link | Group, ...] = ()
    sections: tuple[Link, ...] = ()
    previous: Link | None = None
    following: Link | None = None
    entries: str | None = None


def page(
    main: str,
    language: Language,
    frame: Frame,
    *,
    about: str = "",
    live: str | None = None,
    wide: bool = False,
    accent: str | None = None,
    kind: str = "",
) -> str:
    """Return a whole page with ``main``, whose heading is the page's title.

    ``about``: the description that search engines may show. ``live``: the address of the script that runs
    cells and explorers. ``wide``: whether it has no lists at its sides. ``accent``: the colour of its door.
    ``kind``: "question" or "models", for its style.
    """
    heading = _HEADING.search(main)
    title = plain(heading[1]) if heading else ""
    return document(
        "page.html.j2",
        title,
        language,
        about=about,
        links=frame.place.head,
        live=live,
        shared=frame.shared,
        main=main,
        frame=frame,
        version=texts.VERSION.format(version=__version__).show(language),
        wide=wide,
        accent=accent,
        kind=kind,
    )
