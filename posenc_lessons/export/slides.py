"""Make a lesson's slides in one language, by nbconvert and reveal.js, in one file.

The metadata ``slideshow`` of a cell says what it is on the slides, in the form of nbconvert and JupyterLab:
``{"slide_type": "slide"}``, or ``subslide``, ``fragment``, ``-``, ``notes``, ``skip``. Beside it,
``"text": {"zh": …, "en": …}`` is Markdown written for the projector. On the slide it replaces the cell's
prose, or stands above the output of its code. Pages and notebooks ignore it.

Prose without this metadata goes to the speaker's notes, and the answer to a guess on a slide of its own.
Other code without it, and deeper sections, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from nbformat import v4

from posenc_lessons.course import sections
from posenc_lessons.explorers.behind_doors import door_color
from posenc_lessons.export import assets, outline, texts
from posenc_lessons.export.cells import EXPLORER, Around, slides_html
from posenc_lessons.export.document import document
from posenc_lessons.export.in_page import on_paper
from posenc_lessons.export.page_address import LIVE, links_from
from posenc_lessons.language import BilingualError, Language

SLIDES = ("slide", "subslide")  # the kinds of cell that begin a slide
_links = links_from("", {}, lambda target, cell: "")  # those to other lessons are words
_COMMENTED = re.compile(r"^( *)(.*?\S) {2,}(# [^\"'\n]*)$", re.MULTILINE)
_TWICE = re.compile(r"Text\((f?\"[^\"\n]*\"),\s+\1\)")  # in one_language.py both sides are the same
_HEADING = re.compile(r"^#{1,3} .*$", re.MULTILINE)


class NoSlides(BilingualError):
    """The error for a lesson without a slide."""


def decks(
    notebooks: Mapping[str, Any], language: Language, live: bool = False, other: Language | None = None
) -> dict[str, bytes]:
    """Return the slides of every lesson by file name; ``live``: whether explorers run, as in pages.

    With another language, whose slides are beside these, both have their language in their names.
    """
    files = {}
    for name, notebook in notebooks.items():
        if "/" not in name:
            stem = name.removesuffix(".ipynb")
            sibling = f"{stem}.{other}.slides.html" if other else ""
            file = f"{stem}.{language}.slides.html" if other else f"{stem}.slides.html"
            files[file] = deck(notebook, language, live, sibling, door_color(name)).encode()
    return files


def deck(
    notebook: Any, language: Language, live: bool = False, other: str = "", accent: str | None = None
) -> str:
    """Return one page with the slides of ``notebook``; links to other lessons are plain words in it.

    ``notebook`` is already in ``language``. ``other`` is the file with the slides in the other language, to
    which the key L leads; ``accent`` is the colour of the lesson's door. Raises NoSlides.
    """
    cells = list(_cells(notebook, language))
    title = outline.bare_title(notebook)
    if not any(cell.metadata.slideshow.slide_type in SLIDES for cell in cells):
        raise NoSlides(
            f"《{title}》没有幻灯片：没有一个格子的元数据 slideshow 说它是 slide",
            f"“{title}” has no slides: no cell's metadata slideshow says that it is a slide",
        )
    main = slides_html(v4.new_notebook(cells=cells), Around(language, _links, solutions=False))
    return document(
        "deck.html.j2",
        title,
        language,
        live=LIVE if live and EXPLORER in main else None,
        styles=("guess", "style", "reveal.min", "deck"),
        scripts=(assets.read("reveal.min.js"), assets.script("deck.js")),
        themes=False,
        main=main,
        other=other,
        accent=accent,
    )


def _cells(notebook: Any, language: Language) -> Iterator[Any]:
    """Yield the cells of the slides and of their notes, each with its kind in its metadata."""
    apart = sections.deeper(notebook.cells)
    heading = ""
    guessed = set[str]()  # on the slides so far
    for number, cell in enumerate(on_paper(notebook).cells):
        slideshow = cell.metadata.get("slideshow", {})
        untagged = "notes" if cell.cell_type == "markdown" and cell.id not in apart else "skip"
        if cell.metadata.get("settles", {}).get("guess") in guessed:
            untagged = "subslide"
        kind = slideshow.get("slide_type", untagged)
        if kind == "skip":
            continue
        if "guess" in cell.metadata:
            guessed.add(cell.metadata["guess"])
        written = slideshow.get("text", {}).get(language, "")
        text = cell.source if cell.cell_type == "markdown" and not written else written
        if kind not in ("notes", "fragment"):
            first = _HEADING.search(text)
            heading = first[0] if first else heading
            if kind in SLIDES:  # the title is a piece by itself, because all titles have one place
                yield _piece(kind, heading)
                kind, text = "-", text.replace(heading, "", 1).strip()
        if number == 0:
            imprint = (texts.as_html(words, language) for words in (texts.COURSE, texts.LICENCE))
            yield _piece(kind, text)
            text = f'<p class="imprint">{"<br>".join(imprint)}</p>'
        if text:
            yield _piece(kind, text)
        if cell.cell_type == "code":
            yield from _of_code(cell, "-" if text else kind)
        elif written:
            yield _piece("notes", cell.source)


def _piece(kind: str, text: str) -> Any:
    return v4.new_markdown_cell(text, metadata={"slideshow": {"slide_type": kind}})


def _for_projector(source: str, outputs: int) -> str:
    """Return code as large as it can be on a slide: comments beside or above lines, each text once."""
    source = _TWICE.sub(r"\1", re.sub(r"\n{3,}", "\n\n", source))
    forms = [_COMMENTED.sub(form, source) for form in (r"\1\2  \3", r"\1\3\n\1\2")]

    def size(form: str) -> float:
        """Return the pixels of a letter with which the form is as wide or as high as a slide."""
        lines = form.split("\n")
        return min(1840 / max(map(len, lines)), (340 if outputs else 410) / len(lines))

    return max(forms, key=size)


def _of_code(cell: Any, kind: str) -> Iterator[Any]:
    """Yield the code with its outputs; code that draws a picture goes to the notes."""
    picture = any("image/png" in output.get("data", {}) for output in cell.outputs)
    shows_code = sections.teaches(cell) and not picture
    metadata = {**cell.metadata, "slideshow": {"slide_type": kind}, "shows_code": shows_code}
    source = _for_projector(cell.source, len(cell.outputs))
    yield v4.new_code_cell(source, id=cell.id, metadata=metadata, outputs=cell.outputs)
    if picture and sections.teaches(cell):
        yield _piece("notes", f"```python\n{cell.source}\n```")
