"""Make a lesson's slides in one language, by nbconvert and reveal.js, in one file.

The metadata ``slideshow`` of a cell says what it is on the slides, in the form of nbconvert and JupyterLab:
``{"slide_type": "slide"}``, or ``subslide``, ``-``, ``notes``, ``skip``. Pages and notebooks
ignore what stands beside it:

- ``"text": {"zh": …, "en": …}`` is Markdown written for the projector. On the slide it replaces the cell's
  prose, or stands above the output of its code; each line and item appears in its turn. Of a list
  above or beside a picture, each item takes the place of the one before it. ``<small>`` by itself is a line
  at the foot of the slide, for the conditions of a result. The numbers of a table in ``<div class="bars">``
  are drawn as bars (``style="--chance: .5"``: with a line at this share), in ``"cells"`` as colours, in
  ``"curves"``, ``"curves log"`` or ``"curves places"`` as a chart (``slide_curves.py``); a list in ``"flow"``
  is a row of boxes with arrows between, in ``"flow either"`` without.
- ``"picture"`` is the link of an explorer (``slide_pictures.py``) whose picture stands beside the words, or
  in place of the output of code that was not run for this export. A list of states,
  ``["explorer=rotation", "m=105&n=109"]``, moves: the slide begins with the first and goes to the second at
  once, and to each further one with the next step of the words. Each says what changes; ``""`` changes
  nothing. ``{"zh": …, "en": …}`` is a link for each language.
- ``"labels": {"zh": […], "en": […]}`` are the words in the drawing (``motifs.py``) of the first slide.
- ``"asks": {"zh": …, "en": …}`` is a question that stands as the title until the slide's last step.
- ``"notes": {"zh": …, "en": …}`` are the speaker's notes, instead of the prose up to the next slide.
- ``"lines": [first, last]`` of the code are shown, from 1, without what it prints; ``[]``: nothing but the
  text. ``"mark"`` is a part of the line that stands out.

Prose without this metadata goes to the speaker's notes, and the answer to a guess on a slide of its own.
Other code without it, and deeper sections, are left out.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from nbformat import v4

from posenc_lessons.course import sections
from posenc_lessons.explorers.behind_doors import door_color
from posenc_lessons.export import assets, outline, texts
from posenc_lessons.export.cells import EXPLORER, Around, slides_html
from posenc_lessons.export.document import document
from posenc_lessons.export.in_page import on_paper
from posenc_lessons.export.motifs import motif
from posenc_lessons.export.outputs import STILL
from posenc_lessons.export.page_address import LIVE, links_from
from posenc_lessons.export.slide_curves import CURVES
from posenc_lessons.export.slide_pictures import drawn, drawn_curves
from posenc_lessons.language import BilingualError, Language

SLIDES = ("slide", "subslide")  # the kinds of cell that begin a slide
CODE_COLUMNS = 60  # letters of code that a line of a slide shows in large type
_links = links_from("", {}, lambda target, cell: "")  # those to other lessons are words
_GAP = re.compile(r" {2,}(?=# [^\"'\n]*$)", re.MULTILINE)  # before a comment
_TOO_LONG = re.compile(rf"^(?=.{{{CODE_COLUMNS + 1}}})(.*\S)  # .*$", re.MULTILINE)
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
            files[file] = deck(notebook, language, live, sibling, name).encode()
    return files


def deck(notebook: Any, language: Language, live: bool = False, other: str = "", lesson: str = "") -> str:
    """Return one page with the slides of ``notebook``; links to other lessons are plain words in it.

    ``notebook`` is already in ``language``. ``other`` is the file with the slides in the other language, to
    which the key L leads; ``lesson`` is the notebook's file, for its drawing and the colour of its door.
    Raises NoSlides.
    """
    cells = list(_cells(notebook, language, lesson))
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
        accent=door_color(lesson),
    )


def _cells(notebook: Any, language: Language, lesson: str) -> Iterator[Any]:
    """Yield the cells of the slides and of their notes, each with its kind in its metadata."""
    apart = sections.deeper(notebook.cells)
    heading, has_notes = "", False
    guessed = set[str]()  # on the slides so far
    for number, cell in enumerate(on_paper(notebook).cells):
        slideshow = cell.metadata.get("slideshow", {})
        untagged = "notes" if cell.cell_type == "markdown" and cell.id not in apart else "skip"
        written = slideshow.get("text", {}).get(language, "")
        if cell.metadata.get("settles", {}).get("guess") in guessed:
            untagged, written = "subslide", f"## {texts.SETTLED.show(language)}"
        if "guess" in cell.metadata:
            written = written or f"## {texts.GUESS.show(language)}"
        kind = slideshow.get("slide_type", untagged)
        if kind == "skip":
            continue
        if "guess" in cell.metadata:
            guessed.add(cell.metadata["guess"])
        text = cell.source if cell.cell_type == "markdown" and not written else written
        notes = slideshow.get("notes", {}).get(language, "")
        has_notes = bool(notes) or (has_notes and kind not in SLIDES)
        if kind != "notes":
            first = _HEADING.search(text)
            title = first[0] if first else heading
            if "guess" not in cell.metadata and "settles" not in cell.metadata:
                heading = title  # of the slides below it without one
            if kind in SLIDES:  # the title is a piece by itself, because all titles have one place
                asks = slideshow.get("asks", {}).get(language, "")
                yield _piece(kind, f'{title}\n\n<div class="asks">{asks}</div>' if asks else title)
                kind, text = "-", text.replace(title, "", 1).strip()
        for piece in _shown_parts(cell, kind, text, language, lesson if number == 0 else None):
            if not has_notes or piece.metadata.slideshow.slide_type != "notes":
                yield piece
        if notes:
            yield _piece("notes", notes)


def _shown_parts(cell: Any, kind: str, text: str, language: Language, cover: str | None) -> Iterator[Any]:
    """Yield what stands below the title: words, charts, the drawing of the lesson ``cover``, pictures, code.

    Prose and code that the slide replaces are yielded as notes.
    """
    slideshow = cell.metadata.get("slideshow", {})
    words = CURVES.sub("", text).strip()
    if words:
        yield _piece(kind, words)
    if chart := CURVES.search(text):
        yield _shown("-", [drawn_curves(chart, language, bool(words))])
    if cover is not None:
        imprint = " · ".join(texts.as_html(line, language) for line in (texts.COURSE, texts.LICENCE))
        drawing = motif(cover, slideshow.get("labels", {}).get(language, ()))
        yield _piece("-", f'<div class="motif">{drawing}</div><p class="imprint">{imprint}</p>')
    if cell.cell_type == "code":
        yield from _of_code(cell, "-" if text else kind, language, bool(words))
        return
    if picture := _picture(cell, language):
        yield _shown("-", [drawn(picture, language, words=bool(words))])
    if "text" in slideshow:
        yield _piece("notes", cell.source)


def _picture(cell: Any, language: Language) -> Any:
    """Return the link or links of the picture of ``cell``, which may differ between languages, or None."""
    picture = cell.metadata.get("slideshow", {}).get("picture")
    return picture.get(language) if isinstance(picture, dict) else picture


def _piece(kind: str, text: str) -> Any:
    return v4.new_markdown_cell(text, metadata={"slideshow": {"slide_type": kind}})


def _shown(kind: str, outputs: list[Any], source: str = "", **metadata: Any) -> Any:
    """Return a code cell with these outputs; its source is shown unless it is empty."""
    metadata["slideshow"] = {"slide_type": kind, "marked": metadata.pop("marked", ())}
    return v4.new_code_cell(source, metadata={**metadata, "shows_code": bool(source)}, outputs=outputs)


def _of_code(cell: Any, kind: str, language: Language, words: bool) -> Iterator[Any]:
    """Yield the code with its outputs, without comments that make a line too long for a slide.

    Of code that draws a picture only the picture is shown, and the code goes to the notes.
    """
    slideshow = cell.metadata.get("slideshow", {})
    teaches, lines = sections.teaches(cell), slideshow.get("lines")
    outputs = [output for output in cell.outputs if "image/png" in output.get("data", {}) and lines is None]
    explorers = [output for output in outputs if STILL in output.data]
    picture = _picture(cell, language)
    if explorers or picture:
        outputs = [drawn(picture, language, explorers[0].data[STILL] if explorers else None, words)]
    draws = bool(outputs)
    first, last = lines or (1, 0 if lines == [] else None)
    code = "\n".join(cell.source.split("\n")[first - 1 : last]) if teaches and not draws else ""
    source = _TOO_LONG.sub(r"\1", _GAP.sub("  ", textwrap.dedent(code))).replace("\n\n\n", "\n\n")
    printed = cell.outputs if lines is None else []
    marked = [n for n, line in enumerate(source.split("\n"), 1) if slideshow.get("mark", "\n") in line]
    yield _shown(kind, outputs or printed, source, **{**cell.metadata, "marked": marked})
    if draws and teaches:
        yield _piece("notes", f"```python\n{cell.source}\n```")
