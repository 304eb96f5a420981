"""Make a lesson's slides, by nbconvert and reveal.js, in one file.

The metadata ``slideshow`` of a cell says what it is on the slides, in the form of nbconvert and JupyterLab:
``{"slide_type": "slide"}``, or ``subslide``, ``fragment``, ``-``, ``notes``, ``skip``. Beside it,
``"text": {"zh": …, "en": …}`` is Markdown written for the projector. On the slide it replaces the cell's
prose, or stands above the output of its code. Pages and notebooks ignore it.

Prose without this metadata goes to the speaker's notes. Code without it, and deeper sections, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nbconvert.exporters import SlidesExporter
from nbformat import v4

from posenc_lessons.course import sections
from posenc_lessons.export import cell_html, one_language, pages, texts
from posenc_lessons.export.document import Head, Looks, document
from posenc_lessons.export.frame import switch
from posenc_lessons.export.markdown import plain, render
from posenc_lessons.export.page_address import TAGS
from posenc_lessons.export.site import LIVE
from posenc_lessons.language import BilingualError, Language

SLIDES = ("slide", "subslide")  # the kinds of cell that begin a slide
_HEADING = re.compile(r"<h[1-3]>.*?</h[1-3]>", re.DOTALL)


def decks(notebooks: Mapping[str, Any], language: Language, live: bool = False) -> dict[str, bytes]:
    """Return the slides of every lesson by file name; ``live``: whether explorers run, as in pages."""
    return {
        name.replace(".ipynb", ".slides.html"): deck(notebook, language, live).encode()
        for name, notebook in notebooks.items()
        if "/" not in name
    }


class NoSlides(BilingualError):
    """The error for a lesson without a slide."""


def deck(notebook: Any, language: Language, live: bool = False) -> str:
    """Return one page with the slides of ``notebook``; links to other lessons are plain words in it.

    Raises NoSlides.
    """
    cells = list(_cells(notebook, language))
    if not any(cell.metadata.slideshow.slide_type in SLIDES for cell in cells):
        name = plain(pages.title(notebook, language))
        raise NoSlides(
            f"《{name}》没有幻灯片：没有一个格子的元数据 slideshow 说它是 slide",
            f"“{name}” has no slides: no cell's metadata slideshow says that it is a slide",
        )
    exporter = SlidesExporter(template_name="deck", extra_template_basedirs=[str(Path(__file__).parent)])
    main, _ = exporter.from_notebook_node(v4.new_notebook(cells=cells))
    name = pages.title(notebook, language)
    alive = LIVE if live and pages.EXPLORER in main else None
    offered = f"<header>{switch()}</header>\n" if language == "both" else ""
    return document(
        Head(plain(name), live=alive),
        f'{offered}<main id="main">\n{main}{_keys(language)}\n</main>',
        language,
        Looks(("style", "reveal.min", "deck"), ("reveal.min.js",), "deck.js", themes=False),
        ' data-languages="zh en"' if language == "both" else "",
    )


def _cells(notebook: Any, language: Language) -> Iterator[Any]:
    """Yield a cell for every piece of a slide, its HTML in its metadata."""
    spoken: tuple[Language, ...] = ("zh", "en") if language == "both" else (language,)
    apart = sections.deeper(notebook.cells)
    headings: dict[Language, str] = {}
    for number, cell in enumerate(notebook.cells):
        known = cell.metadata.get("slideshow", {})
        untagged = "notes" if cell.cell_type == "markdown" and cell.id not in apart else "skip"
        kind = known.get("slide_type", untagged)
        if kind == "skip":
            continue
        prose = {one: one_language.prose_in_language(cell.source, one) for one in spoken}
        written = _rendered({one: known["text"][one] for one in spoken} if "text" in known else prose)
        if cell.cell_type == "code":
            written, notes = _of_code(cell, written if "text" in known else {}, language)
        else:
            notes = _each(_rendered(prose)) if "text" in known else ""
        found = {one: heading[0] for one, part in written.items() if (heading := _HEADING.search(part))}
        if kind not in ("notes", "fragment"):
            headings = found or headings
        above = "" if found or kind not in SLIDES else _each(headings)
        yield _piece(kind, above + _each(written) + (_imprint(language) if number == 0 else ""))
        if notes:
            yield _piece("notes", notes)


def _of_code(cell: Any, written: dict[Language, str], language: Language) -> tuple[dict[Language, str], str]:
    """Return the content of the slide, and the notes; the code of a picture is not shown."""
    source = cell_html.source(cell) if sections.teaches(cell) else ""
    outputs = "".join(cell_html.shown(cell, language, _nowhere))
    picture = "<img" in outputs
    below = ("" if picture else source) + outputs
    return {**written, "both": below}, source if picture else ""


def _rendered(sources: Mapping[Language, str]) -> dict[Language, str]:
    return {one: render(source, one, _nowhere) for one, source in sources.items()}


def _each(parts: Mapping[Language, str]) -> str:
    """Return the HTML with a block for each language; parts for both languages have no block."""
    return "".join(
        part if one == "both" else f'<div class="text" lang="{TAGS[one]}">{part}</div>'
        for one, part in parts.items()
    )


def _nowhere(address: str) -> str | None:
    """Return the address of a link on slides; None for other lessons, which are not in this file."""
    return address if re.match(r"[a-z]+:", address) else None


def _piece(kind: str, markup: str) -> Any:
    return v4.new_markdown_cell("", metadata={"slideshow": {"slide_type": kind}, "html": markup})


def _imprint(language: Language) -> str:
    said = (texts.as_html(text, language) for text in (texts.COURSE, texts.LICENCE))
    return f'<p class="imprint">{"<br>".join(said)}</p>'


def _keys(language: Language) -> str:
    said = texts.as_html(texts.KEYS, language)
    other = f" · {texts.as_html(texts.OTHER_LANGUAGE, language)}" if language == "both" else ""
    return f'<p class="keys" aria-hidden="true">{said}{other}</p>'
