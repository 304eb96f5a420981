"""A lesson as slides: one idea on each, the lesson's words as the speaker's notes; one file, no network.

Where a lesson is in both languages the slides are too, one at a time, and a key changes them over.
"""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from posenc_lessons.course import sections
from posenc_lessons.export import cell_html, one_language, pages, slide_texts, texts
from posenc_lessons.export.markdown import inline, render
from posenc_lessons.language import Language

One = Literal["zh", "en"]
BOTH: tuple[One, One] = ("zh", "en")
_HEADING = re.compile(r"^#{1,3} +(.*)$", re.MULTILINE)
_TWO_EMPTY = re.compile(r"\n(?: *\n){2,}")  # lines between functions: one will do


@dataclass(frozen=True)
class Slide:
    """HTML: the title, what is shown, what is said."""

    title: str
    shown: str
    notes: str


def decks(notebooks: Mapping[str, Any], language: Language) -> dict[str, bytes]:
    """Slides of every lesson; solutions make none."""
    lessons = {name: notebook for name, notebook in notebooks.items() if "/" not in name}
    return {
        name.replace(".ipynb", ".slides.html"): deck(notebook, language).encode()
        for name, notebook in lessons.items()
    }


def deck(notebook: Any, language: Language) -> str:
    """One page of slides; links to other lessons are plain words here."""
    main = "\n".join(_section(slide, language) for slide in slides(notebook, language))
    return pages.page(pages.title(notebook, language), main, language, extra="dark slides", switch=False)


def slides(notebook: Any, language: Language) -> Iterator[Slide]:
    """The slides of a lesson, each bearing the last heading before it: the core, then the deeper sections."""
    apart = sections.deeper(notebook.cells)
    every = list(_slides(notebook, language))
    for later in (False, True):
        yield from (slide for cell, slide in every if (cell in apart) is later)


def _slides(notebook: Any, language: Language) -> Iterator[tuple[str, Slide]]:
    """All slides in the lesson's order, each with its cell."""
    languages: tuple[One, ...] = BOTH if language == "both" else (language,)
    title = ""
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            sources = {one: one_language.prose_in_language(cell.source, one) for one in languages}
            headings = {one: found[1] for one, text in sources.items() if (found := _HEADING.search(text))}
            if len(headings) == len(sources):
                title = _each({one: inline(words, one, _nowhere) for one, words in headings.items()})
            yield from ((cell.id, slide) for slide in _of_prose(sources, title, first=number == 0))
        elif cell.cell_type == "code" and not cell_html.for_one_reader(cell):
            yield from ((cell.id, slide) for slide in _of_code(cell, title, language))


def _nowhere(address: str) -> str | None:
    """Links out of the course stay; the other lessons are not in this file."""
    return address if re.match(r"[a-z]+:", address) else None


def _of_prose(sources: dict[One, str], title: str, first: bool) -> Iterator[Slide]:
    found = {one: slide_texts.slide_texts(source) for one, source in sources.items()}
    if first:
        words_below = {one: _render([_HEADING.sub("", source)], one) for one, source in sources.items()}
        course = _each({one: texts.COURSE.show(one) for one in sources})
        licence = _each({one: texts.LICENCE.show(one) for one in sources})
        front = f'<h1>{title}</h1><p>{course}</p><p class="licence">{licence}</p>'
        yield Slide("", front, _each(words_below))
    for together in itertools.zip_longest(*found.values()):
        known = {one: idea for one, idea in zip(found, together, strict=True) if idea is not None}
        shown = {one: _render(idea.shown, one) for one, idea in known.items()}
        notes = {one: _render(idea.notes, one) for one, idea in known.items()}
        yield Slide(title, _each(shown), _each(notes))


def _render(parts: list[str], language: One) -> str:
    return render("\n\n".join(parts), language, _nowhere)


def _each(said: dict[One, str]) -> str:
    """What each language says, in a block of its own where there are two."""
    if len(said) == 1 or len(set(said.values())) == 1:
        return next(iter(said.values()))
    inline = not any("<p>" in part or "<div" in part for part in said.values())
    kind = "span" if inline else "div"
    return "".join(f'<{kind} lang="{pages.TAGS[one]}">{part}</{kind}>' for one, part in said.items())


def _of_code(cell: Any, title: str, language: Language) -> Iterator[Slide]:
    """Printed numbers stand below their code; a picture has a slide for itself, its code in the notes."""
    source = cell_html.source(cell)
    on_slide = _TWO_EMPTY.sub("\n\n", source) if sections.teaches(cell) else ""
    outputs = list(cell_html.shown(cell, language, _nowhere))
    pictures = [markup for markup in outputs if "<img" in markup]
    printed = "".join(markup for markup in outputs if "<img" not in markup)
    if printed or (on_slide and not pictures and "def " in cell.source):
        yield Slide(title, on_slide + printed, "" if on_slide else source)
    for picture in pictures:
        yield Slide(title, picture, source)


def _section(slide: Slide, language: Language) -> str:
    """One slide; the page's script divides it where it is too much for the screen."""
    heading = f'<h2>{slide.title}<span class="part"></span></h2>' if slide.title else ""
    kind = "" if slide.title else ' class="first"'
    label = html.escape(re.sub(r"<[^>]+>", "", slide.title)) or "1"
    keys = "" if slide.title else f'<div class="help" aria-hidden="true">{_keys(language)}</div>'
    return (
        f'<section{kind} aria-label="{label}"><div class="stage">{heading}<div class="fit">{slide.shown}'
        f'</div>{keys}<div class="number"></div></div><aside class="notes">{slide.notes}</aside></section>'
    )


def _keys(language: Language) -> str:
    if language != "both":
        return texts.KEYS.show(language)
    return _each({one: f"{texts.KEYS.show(one)} · {texts.OTHER_LANGUAGE.show(one)}" for one in BOTH})
