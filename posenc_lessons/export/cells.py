"""Turn the cells of a notebook into HTML: nbconvert with the template ``templates/lesson``.

This module says what the template is to show of each cell (``metadata.page``), by the cell's type, id, tags
and metadata. The same HTML is used in pages, on slides and on paper.
"""

import html
import inspect
import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any
from unicodedata import east_asian_width

from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.exporters import HTMLExporter, SlidesExporter, TemplateExporter
from nbconvert.filters import Highlight2HTML, strip_ansi
from nbformat import NotebookNode, v4
from traitlets.config import Config

from posenc_lessons.course import sections
from posenc_lessons.exercises.by_name import find_exercise
from posenc_lessons.export import texts
from posenc_lessons.export.assets import TEMPLATES
from posenc_lessons.export.document import as_json
from posenc_lessons.export.in_page import RECORDED, TRAINS, asks, explores, for_one_reader, tagged
from posenc_lessons.export.markdown import LinkTo, quoted, render, unbroken
from posenc_lessons.export.outputs import PICTURE, STILL
from posenc_lessons.language import Language

NOTE = 'role="note"'  # a picture's description for screen readers, which is alt text in the page
TOOLS = ("imports", "tools")  # the ids of cells that prepare those below
CELL = "data-cell="  # of code that can be run
EXPLORER = "data-explorer="  # of a figure whose explorer can be live
PHONE = 40  # letters of code that fit on a phone; Chinese ones are twice as wide
_LONG_LINE = re.compile(rf"(?m)^(<div[^>]*><pre[^>]*>)?(.{{{PHONE},}})$")  # the first one begins with its box
# Where a line may end besides at a space: after (, before a dot, also of a module's name.
_BREAKS = re.compile(r'(?<=\(</span>)|(?<=</span>)(?=<span class="o">\.)|(?<=\w)(?=\.[a-z_]+[.<])')
SOURCES = 2048  # how many coloured sources are cached; many are the same in both languages
# Keys of a cell's metadata that a notebook made in a page keeps.
KEPT = ("jupyter", "jp-MarkdownHeadingCollapsed", "tags")
CONFIG = Config(
    {
        "NbConvertBase": {"display_data_priority": [PICTURE, STILL, "image/png", "text/html", "text/plain"]},
        "TagRemovePreprocessor": {"enabled": True, "remove_all_outputs_tags": ["remove-output"]},
    }
)


@dataclass(frozen=True)
class Around:
    """What the cells of one notebook share.

    Attributes:
        language: the one in which they already are.
        link_to: gives the addresses of links.
        prefix: begins every id, where several notebooks are in one document.
        solutions: whether a folded solution follows each exercise.
    """

    language: Language
    link_to: LinkTo
    prefix: str = ""
    solutions: bool = True


def body(notebook: Any, around: Around) -> str:
    """Return the cells as HTML; each is an element whose id is the cell's. Deeper sections are folded."""
    return _html(_exporter(LessonExporter, "lesson"), notebook, around)


def slides_html(notebook: Any, around: Around) -> str:
    """Return cells whose metadata say which slides they are as reveal.js's HTML."""
    return _html(_exporter(DeckExporter, "deck"), notebook, around)


def _html(exporter: HTMLExporter, notebook: Any, around: Around) -> str:
    cells, left_open = _prepared(notebook, around)
    prepared = v4.new_notebook(cells=cells, metadata={"page": {"closes": left_open}})
    markup, _ = exporter.from_notebook_node(
        prepared, resources={"around": around, "still": STILL, "picture": PICTURE}
    )
    return str(markup)


class _Filters:
    """The course's Markdown, colours of code, explorers and links, for an exporter of nbconvert."""

    def from_notebook_node(self, nb: Any, resources: Any = None, **kw: Any) -> Any:
        """Fill the template without HTMLExporter's second pass, which parses and writes all HTML again."""
        return TemplateExporter.from_notebook_node(self, nb, resources, **kw)  # type: ignore[arg-type]

    @pass_context
    def markdown2html(self, context: Context, source: str) -> str:
        """Return a Markdown cell as HTML, with MathML and with links to the pages around it."""
        around: Around = context["resources"]["around"]
        return _reachable(render(source, around.link_to))

    def default_filters(self) -> Iterator[tuple[str, Any]]:
        """Yield nbconvert's filters and ours."""
        yield from super().default_filters()  # type: ignore[misc]
        yield from (("coloured", coloured), ("printed", _printed), ("linked", _linked))
        yield from (("attribute", html.escape), ("words", _words), ("json", json.dumps))


class LessonExporter(_Filters, HTMLExporter):
    """nbconvert's HTML exporter with the course's filters."""


class DeckExporter(_Filters, SlidesExporter):
    """nbconvert's exporter of slides with the course's filters."""


@cache
def _exporter(kind: type[HTMLExporter], template: str) -> HTMLExporter:
    folder = [str(TEMPLATES)]
    return kind(
        config=CONFIG,
        template_name=template,
        extra_template_basedirs=folder,
        extra_template_paths=folder,
    )


def _prepared(notebook: Any, around: Around) -> tuple[list[NotebookNode], int]:
    """Return the cells with what the template needs, and how many deeper sections are open at the end."""
    cells, open_levels = [], list[int]()
    for cell in notebook.cells:
        if cell.cell_type == "raw" or for_one_reader(cell):
            continue
        level, closes = sections.level(cell), 0
        while level and open_levels and open_levels[-1] >= level:
            open_levels.pop()
            closes += 1
        page: dict[str, Any] = {"closes": closes, "deeper": sections.folded(cell)}
        if page["deeper"]:
            open_levels.append(level)
        metadata = {"page": page, "tags": cell.metadata.get("tags", [])}
        if "slideshow" in cell.metadata:
            metadata["slideshow"] = cell.metadata["slideshow"]
        if cell.cell_type == "markdown":
            cells.append(v4.new_markdown_cell(cell.source, id=cell.id, metadata=metadata))
        else:
            page.update(_of_code(cell, around))
            outputs = [] if asks(cell) else [*filter(_is_shown, cell.outputs)]
            cells.append(v4.new_code_cell(cell.source, id=cell.id, metadata=metadata, outputs=outputs))
    return cells, len(open_levels)


def _of_code(cell: Any, around: Around) -> dict[str, Any]:
    """Return the parts of a code cell: its marks for the page's script, its fold, and its solution."""
    hidden = sections.guesses(cell)
    bare = sections.teaches(cell) and not explores(cell)
    fold = texts.TOOLS if cell.id in TOOLS else None if bare else texts.CODE
    answered = asks(cell) and around.solutions
    solution = inspect.getsource(find_exercise(cell.metadata["exercise"]).solution) if answered else ""
    return {
        "marks": "" if hidden else _marks(cell),
        "source": cell.metadata.get("shows_code", not hidden),
        "fold": texts.as_html(fold, around.language) if fold and not hidden else "",
        "below": fold is texts.CODE and any(map(_is_shown, cell.outputs)),  # the picture comes first
        "solution": solution,
    }


def _marks(cell: Any) -> str:
    """Return the attributes of a cell for the page's script."""
    marks = {
        "trains": tagged(cell, TRAINS),
        "raises": any(output.output_type == "error" for output in cell.outputs),
        "recorded": tagged(cell, RECORDED),
        "explores": explores(cell),
    }
    flags = "".join(f" data-{mark}" for mark, holds in marks.items() if holds)
    name = f' data-exercise="{html.escape(cell.metadata["exercise"])}"' if asks(cell) else ""
    seconds = cell.metadata.get("trains", {})  # in JupyterLab ("lab") and in a page ("page")
    lasts = "".join(f' data-{place}="{seconds[place]}"' for place in seconds)
    return f' data-cell="{cell.id}"{flags}{lasts}{name}'


def _is_shown(output: Any) -> bool:
    """Return whether the page shows the output: it has words, and is not a picture's description."""
    data = output.get("data", {})
    if output.output_type == "error":
        return True
    words = output.get("text", "") or data.get("text/html", "") or data.get("text/plain", "")
    picture = not {PICTURE, STILL, "image/png"}.isdisjoint(data)
    return bool(picture or words.strip()) and not (NOTE in data.get("text/html", "") and not picture)


def runnable(notebook: Any, name: str, published: Any) -> str:
    """Return the data with which the page's script runs the lesson ``name``: id and source of each cell.

    It also has the rest of the notebook as ``published``, with the cells and words that the page leaves out.
    From both, the script makes a notebook file with the reader's drafts.
    """
    cells = [[cell.id, cell.source] for cell in notebook.cells if cell.cell_type == "code"]
    rest = _rest(published, {cell for cell, _ in cells})
    lesson = html.escape(name)
    return (
        f'<script type="application/json" id="lesson-cells" data-lesson="{lesson}">{as_json(cells)}</script>'
        f'<script type="application/json" id="lesson-notebook">{as_json(rest)}</script>'
    )


def _rest(notebook: Any, in_page: Collection[str]) -> dict[str, Any]:
    """Return the notebook without outputs and without the sources of the cells that are ``in_page``."""
    cells = []
    for cell in notebook.cells:
        metadata = {name: cell.metadata[name] for name in KEPT if name in cell.metadata}
        source = {} if cell.id in in_page else {"source": cell.source}
        cells.append({"cell_type": cell.cell_type, "id": cell.id, "metadata": metadata, **source})
    return {"cells": cells, "metadata": notebook.metadata, "nbformat": 4, "nbformat_minor": 5}


# ---- Filters of the template ----


@lru_cache(SOURCES)
def coloured(code: str) -> str:
    """Return Python code as HTML, coloured; where a line does not fit, it goes on with an indent."""
    markup = _LONG_LINE.sub(_hanging, Highlight2HTML()(code, language="ipython3"))
    return f'<div class="source">{_reachable(markup)}</div>\n'


def _hanging(line: re.Match[str]) -> str:
    words = html.unescape(re.sub(r"<[^>]*>", "", line[2]))
    if sum(1 + (east_asian_width(letter) in "WF") for letter in words) <= PHONE:
        return line[0]
    indent = len(words) - len(words.lstrip()) + 4
    parts = _BREAKS.sub("<wbr>", line[2])
    return f'{line[1] or ""}<span class="line" style="--in:{indent}ch">{parts}</span>'


def _reachable(markup: str) -> str:
    """Return HTML whose ``pre`` elements can be scrolled by keyboard; those of one line are sentences."""
    markup = re.sub(r"<pre(?=[^>]*>[^\n<]*</pre>)", '<pre class="sentence"', markup)
    return re.sub(r"<pre(?=[ >])", '<pre tabindex="0"', markup)


def _printed(text: str) -> str:
    return _reachable(f"<pre>{html.escape(strip_ansi(text).rstrip())}</pre>")


@pass_context
def _linked(context: Context, markup: str) -> str:
    """Return HTML that a cell printed, with links to these pages and wide tables that scroll."""
    around: Around = context["resources"]["around"]

    def link(found: re.Match[str]) -> str:
        target = around.link_to(html.unescape(found[1]))
        return f'<a href="{html.escape(target)}">{found[2]}</a>' if target else found[2]

    markup = re.sub(r'<a href="([^"]*)">(.*?)</a>', link, markup, flags=re.DOTALL)
    markup = unbroken(_reachable(quoted(markup).replace('lang="zh"', 'lang="zh-Hans"')))
    return f'<div class="wide" tabindex="0">{markup}</div>' if markup.startswith("<table") else markup


@pass_context
def _words(context: Context, name: str) -> str:
    """Return the words of that name in ``texts``."""
    text = getattr(texts, name)
    return texts.as_html(text, context["resources"]["around"].language)
