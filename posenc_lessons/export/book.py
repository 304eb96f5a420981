"""Lay out lessons for paper: a book with a linked table of contents."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from posenc_lessons import __version__
from posenc_lessons.course.lessons import GLOSSARY
from posenc_lessons.export import assets, outline, texts
from posenc_lessons.export.cells import Around, body
from posenc_lessons.export.document import document
from posenc_lessons.export.in_page import on_paper
from posenc_lessons.export.page_address import links_from
from posenc_lessons.figures.four_doors import DOORS, four_doors_figure
from posenc_lessons.language import Language, Text, shown_in


@dataclass(frozen=True)
class Chapter:
    """A notebook in the book: the id of its beginning, its title and cells (HTML), and its sections."""

    anchor: str
    title: Markup
    main: Markup
    sections: tuple[tuple[str, Markup], ...]


Part = tuple[Markup, list[Chapter]]  # a name as HTML, "" for lessons, and the chapters below it


def book_html(notebooks: Mapping[str, Any], language: Language) -> str:
    """Return the book of ``notebooks`` (path within the course → notebook in ``language``) to print.

    It has a cover, contents, lessons, questions, the glossary and solutions, with links between them.
    """
    with shown_in(language):
        picture = four_doors_figure().svg().decode()
    return document(
        "book.html.j2",
        texts.COURSE.show(language),
        language,
        styles=("guess", "style", "book"),
        scripts=(assets.script("book.js"),),
        themes=False,
        parts=[*_parts(notebooks, language)],
        cover=Markup(picture[picture.index("<svg") :]),
        doors=DOORS,
        version=__version__,
    )


def _parts(notebooks: Mapping[str, Any], language: Language) -> Iterator[Part]:
    """Yield the parts of the book, those that have chapters."""
    named: list[tuple[Text | None, list[str]]] = [
        (None, [*filter(outline.is_lesson, notebooks)]),
        (texts.QUESTIONS, outline.questions(notebooks)),
        (None, [name for name in notebooks if name == f"{GLOSSARY}.ipynb"]),
        (texts.SOLUTIONS, outline.solutions(notebooks)),
    ]
    for name, members in named:
        if members:
            chapters = [_chapter(member, notebooks, language) for member in members]
            yield Markup(texts.as_html(name, language) if name else ""), chapters


def _chapter(name: str, notebooks: Mapping[str, Any], language: Language) -> Chapter:
    notebook, prefix = on_paper(notebooks[name]), _prefix(name)

    def address(target: str, cell: str) -> str:
        return f"#{_prefix(target)}{cell or notebooks[target].cells[0].id}"

    around = Around(language, links_from(name, notebooks, address), prefix=prefix, solutions=False)
    sections = outline.sections(notebook)
    return Chapter(
        prefix + notebook.cells[0].id,
        Markup(outline.title(notebook)),
        Markup(body(notebook, around)),
        tuple((prefix + cell, Markup(words)) for cell, words in sections),
    )


def _prefix(name: str) -> str:
    """Return the beginning of a notebook's ids, because other lessons have cells with the same id."""
    return name.removesuffix(".ipynb").replace("/", "-") + "."
