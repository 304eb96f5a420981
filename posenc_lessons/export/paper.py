"""Lay out lessons for paper: nothing folded, no sliders, code that fits, numbered pages."""

from __future__ import annotations

import base64
import copy
import html
import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl

from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.export import fonts, pages, texts
from posenc_lessons.export.cell_html import body
from posenc_lessons.export.document import HERE, spacing
from posenc_lessons.export.line_wrapping import box_lines, fit_comments
from posenc_lessons.export.markdown import LinkTo, plain
from posenc_lessons.export.page_address import TAGS
from posenc_lessons.export.site import links_from
from posenc_lessons.figures.fonts import font_face
from posenc_lessons.language import Language, Text

ALIVE = Text(
    "这张图会动：运行 {command}，选“{title}”。", "This picture moves: run {command} and choose “{title}”."
)
COMMAND = "<code>posenc-lessons explore</code>"
TITLES = {explorer.__name__: explorer.title for explorer in EXPLORERS}

_SHOWS = re.compile(rf"\b({'|'.join(TITLES)})\(")
_HEADING = re.compile(r"<h([1-3])>(.*?)</h\1>", re.DOTALL)
_OWN_ID = re.compile(r'(<(?:div|details) class="(?:md|code|deeper)" id=")')
_FOLDED_CODE = re.compile(
    r'<details><summary>(?:(?!</summary>).)*</summary>\n(<div class="source">.*?)</details>', re.DOTALL
)
_FONTS = Path(mpl.get_data_path(), "fonts", "ttf")  # Matplotlib's fonts, which every machine has
# Without this a letter's box is higher than its line, and the first line of a page is printed on two pages.
_LOWER = "ascent-override: 90%; descent-override: 30%;"
_FACES = (
    ("Book Serif", "STIXGeneral", _LOWER),
    ("Book Serif", "STIXGeneralBol", f"{_LOWER} font-weight: bold;"),
    ("Book Serif", "STIXGeneralItalic", f"{_LOWER} font-style: italic;"),
    ("Book Serif", "STIXGeneralBolIta", f"{_LOWER} font-weight: bold; font-style: italic;"),
    ("Book Sans", "DejaVuSans", "size-adjust: 90%;"),
    ("Book Sans", "DejaVuSans-Bold", "size-adjust: 90%; font-weight: bold;"),
    ("Book Mono", "DejaVuSansMono", ""),
    ("Book Mono", "DejaVuSansMono-Oblique", "font-style: italic;"),
)


@dataclass(frozen=True)
class Heading:
    """A heading: its level from 1, its id and its words (HTML)."""

    level: int
    anchor: str
    words: str


@dataclass(frozen=True)
class Chapter:
    """A part of the book that begins on a new page.

    ``name`` is the name of its pages in the style sheet, ``running`` their running head; ``main`` is HTML.
    """

    name: str
    running: str
    main: str
    headings: tuple[Heading, ...] = ()


def chapter(name: str, notebooks: Mapping[str, Any], language: Language) -> Chapter:
    """Return the notebook ``name`` as a chapter, with links into the other ``notebooks`` of the book."""
    made, headings = on_paper(name, notebooks, language)
    return Chapter(id_prefix(name), plain(pages.title(notebooks[name], language)), made, tuple(headings))


def on_paper(
    name: str, notebooks: Mapping[str, Any], language: Language, lower: int = 0
) -> tuple[str, list[Heading]]:
    """Return the cells as HTML for paper, and their headings, each ``lower`` levels down."""
    notebook = copy.deepcopy(notebooks[name])
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = fit_comments(cell.source)
    shown = {cell.id: _SHOWS.search(cell.source) for cell in notebook.cells}
    parts = []
    for part in body(notebook, language, _links(name, notebooks), solutions=False):
        of = re.match(r'<div class="code" id="([^"]*)"', part)
        explorer = shown[of[1]] if of and "<img" in part else None
        alive = _alive(TITLES[explorer[1]], language) if explorer else ""
        parts.append(_OWN_ID.sub(rf"\g<1>{id_prefix(name)}.", _unfolded(part)) + alive)
    return _headed("\n".join(parts), id_prefix(name), lower)


def id_prefix(name: str) -> str:
    """Return the prefix of a notebook's ids, because other lessons have cells with the same id."""
    return name.removesuffix(".ipynb").replace("/", "-")


def _links(name: str, notebooks: Mapping[str, Any]) -> LinkTo:
    """Return a function that turns a notebook's links into links within the document."""
    to_page = links_from(name, notebooks)

    def link_to(address: str) -> str | None:
        found = to_page(address)
        if found is None or re.match(r"[a-z]+:", found):
            return found
        page, _, anchor = found.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), page)) if page else name
        target = re.sub(r"\.html$", ".ipynb", target)
        cell = anchor if page or anchor != "main" else ""
        return f"#{id_prefix(target)}.{cell or notebooks[target].cells[0].id}"

    return link_to


def _unfolded(part: str) -> str:
    """Return a cell's HTML with its folds open, without code that only draws its picture."""
    part = _FOLDED_CODE.sub("" if "<img" in part or "<table" in part else r"\1", part)
    part = re.sub(r"<details>\s*<summary>(.*?)</summary>", r'<div class="fold"><p class="hint">\1</p>', part)
    part = re.sub(r'<details class="deeper"(.*?)><summary>(.*?)</summary>', r'<div class="deeper"\1>\2', part)
    return box_lines(part.replace("</details>", "</div>"))


def _alive(title: Text, language: Language) -> str:
    said = texts.as_html(ALIVE.format(command="{command}", title=title.show(language)), language)
    return f'<p class="alive">{said.replace("{command}", COMMAND)}</p>'


def _headed(markup: str, within: str, lower: int) -> tuple[str, list[Heading]]:
    headings: list[Heading] = []

    def named(found: re.Match[str]) -> str:
        heading = Heading(int(found[1]) + lower, f"{within}.h{len(headings)}", found[2])
        headings.append(heading)
        return f'<h{heading.level} id="{heading.anchor}">{heading.words}</h{heading.level}>'

    return _HEADING.sub(named, markup), headings


def printable(title: str, chapters: Sequence[Chapter], language: Language, front: str = "") -> str:
    """Return the document to print: ``front`` (HTML, on its own pages), then the chapters."""
    heads = "\n".join(
        f'@page {_page(each)} {{ @top-left {{ content: "{_quoted(each.running)}"; }} }}' for each in chapters
    )
    sections = "\n".join(
        f'<section class="chapter" style="page: {_page(each)}">\n{each.main}\n</section>' for each in chapters
    )
    return f"""<!doctype html>
<html lang="{TAGS[language]}">
<head>
<meta charset="utf-8">
<title>{html.escape(title)}</title>
<style>
{_faces()}
{font_face()}
{spacing()}{_file("style.css")}
{_file("paper.css")}
{heads}
</style>
</head>
<body>
{front}
{sections}
<script>
{_file("paper.js")}
</script>
</body>
</html>
"""


def _page(of: Chapter) -> str:
    return f"of-{of.name}"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def _file(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


@cache
def _faces() -> str:
    files = [(family, _FONTS / f"{name}.ttf", rest) for family, name, rest in _FACES]
    return "\n".join(
        f'@font-face {{ font-family: "{family}"; {rest} src: url(data:font/{path.suffix[1:]};base64,'
        f"{base64.b64encode(path.read_bytes()).decode()}); }}"
        for family, path, rest in [*files, (fonts.FAMILY, fonts.FONT, "")]
    )
