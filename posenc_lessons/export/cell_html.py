"""Turn the cells of a notebook into HTML: prose, code, outputs."""

from __future__ import annotations

import html
import importlib
import inspect
import json
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any

from nbconvert.filters import Highlight2HTML, strip_ansi

from posenc_lessons.browser.needs import trains
from posenc_lessons.browser.shorter_runs import offered
from posenc_lessons.browser.training import training_paces
from posenc_lessons.course import sections
from posenc_lessons.course.guess import RIGHT
from posenc_lessons.export import texts
from posenc_lessons.export.in_page import only_recorded
from posenc_lessons.export.markdown import LinkTo, plain, render, sides
from posenc_lessons.export.outputs import STILLS
from posenc_lessons.language import Language, Text

OFFERS = ("运行本格", "Run this cell")  # the beginning of an output that only offers a switch or a button
NOTE = 'role="note"'  # a picture's description for screen readers, which is alt text in the page
SETUP = "setup"  # the id of the cell with the language switch
TOOLS = ("imports", "tools")  # the ids of cells that prepare those below
_CHECK = re.compile(
    r"^from (?P<module>posenc_lessons\.exercises\.\w+) import (?P<check>check_\w+)$", re.MULTILINE
)
SOURCES = 2048  # how many coloured sources are cached; many are the same in both languages
# Keys of a cell's metadata that a notebook made in a page keeps.
KEPT = ("jupyter", "jp-MarkdownHeadingCollapsed", "tags")
_SETTLED = '<div class="posenc-settled"'
_PRE = '<pre tabindex="0">'


def body(notebook: Any, language: Language, link_to: LinkTo, solutions: bool = True) -> Iterator[str]:
    """Yield the cells as HTML; each is an element whose id is the cell's. Deeper sections are folded.

    ``solutions``: whether a folded solution follows each exercise.
    """
    around: list[int] = []  # the levels of the deeper sections that are open here
    for cell in notebook.cells:
        here = sections.level(cell)
        while here and around and around[-1] >= here:
            around.pop()
            yield "</details>"
        if cell.cell_type == "markdown":
            said = render(cell.source, language, link_to)
            if sections.folded(cell):
                around.append(here)
                heading, said = said.split("\n", 1)
                yield f'<details class="deeper" id="{cell.id}"><summary>{heading}</summary>\n{said}'
            else:
                yield f'<div class="md" id="{cell.id}">\n{said}</div>'
        elif cell.cell_type == "code" and not for_one_reader(cell):
            outputs = "".join(shown(cell, language, link_to))
            code = (
                f"{_source_or_fold(cell, language)}{outputs}{_solution(cell, language) if solutions else ''}"
            )
            yield f'<div class="code" id="{cell.id}"{_marks(cell, language)}>\n{code}</div>'
    yield from ["</details>"] * len(around)


def runnable(notebook: Any, name: str, published: Any) -> str:
    """Return the data with which the page's script runs the lesson ``name``: id and source of each cell.

    It also has the rest of the notebook as ``published``, with the cells and words that the page leaves out.
    From both, the script makes a notebook file with the reader's drafts.
    """
    cells = [[cell.id, cell.source] for cell in notebook.cells if cell.cell_type == "code"]
    rest = _rest(published, {cell for cell, _ in cells})
    lesson = html.escape(name)
    return (
        f'<script type="application/json" id="lesson-cells" data-lesson="{lesson}">{_json(cells)}</script>'
        f'<script type="application/json" id="lesson-notebook">{_json(rest)}</script>'
    )


def _rest(notebook: Any, in_page: Collection[str]) -> dict[str, Any]:
    """Return the notebook without outputs and without the sources of the cells that are ``in_page``."""
    cells = []
    for cell in notebook.cells:
        metadata = {name: cell.metadata[name] for name in KEPT if name in cell.metadata}
        kept = {"cell_type": cell.cell_type, "id": cell.id, "metadata": metadata}
        cells.append(kept if cell.id in in_page else {**kept, "source": cell.source})
    return {"cells": cells, "metadata": notebook.metadata, "nbformat": 4, "nbformat_minor": 5}


def _json(data: Any) -> str:
    """Return ``data`` as JSON for a script element."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def _marks(cell: Any, language: Language) -> str:
    """Return the attributes of a cell for the page's script; none for a guess."""
    if sections.guesses(cell):
        return ""
    marks = {
        "raises": any(output.output_type == "error" for output in cell.outputs),
        "recorded": only_recorded(cell),
    }
    training = _training(cell, language) if trains(cell.source) else ""
    said = "".join(f" data-{mark}" for mark, holds in marks.items() if holds)
    asked = _exercise(cell) if cell.id.startswith("exercise-") and "..." in cell.source else None
    name = f' data-exercise="{asked.name}"' if asked else ""
    return f' data-cell="{cell.id}"{training}{said}{name}'


def _training(cell: Any, language: Language) -> str:
    """Return the attributes of a cell that trains: its steps, its seconds in a page, and a shorter run."""
    pace = training_paces().get(cell.id, {"steps": 0, "seconds": 0})
    marks = f' data-trains="{pace["steps"]}" data-seconds="{pace["seconds"]}"'
    if (shorter := offered(cell.id, cell.source)) is None:
        return marks
    text = shorter["differs"]
    shorter["differs"] = {
        spoken: text.show(spoken if language == "both" else language) for spoken in ("zh", "en")
    }
    return f'{marks} data-shorter="{html.escape(json.dumps(shorter, ensure_ascii=False))}"'


def _exercise(cell: Any) -> Any:
    """Return the ``Exercise`` whose check the cell calls, or None."""
    asked = _CHECK.search(cell.source)
    return getattr(importlib.import_module(asked["module"]), asked["check"]) if asked else None


def _solution(cell: Any, language: Language) -> str:
    """Return the solution of an exercise whose stub is still open, folded; nothing for other cells."""
    asked = _exercise(cell) if "..." in cell.source else None
    if asked is None:
        return ""
    code = inspect.getsource(asked.solution)
    words = texts.as_html(texts.SOLUTION, language)
    return f'<details class="solution"><summary>{words}</summary>\n{_coloured(code)}</details>\n'


def source(cell: Any) -> str:
    """Return the cell's code, coloured."""
    return _coloured(cell.source)


@lru_cache(SOURCES)
def _coloured(code: str) -> str:
    coloured = Highlight2HTML()(code, language="ipython3")
    return f'<div class="source">{coloured.replace("<pre>", _PRE, 1)}</div>\n'


def for_one_reader(cell: Any) -> bool:
    """Return whether the cell has the language switch, or shows the reader's progress."""
    return cell.id == SETUP or bool(re.search(r"^progress_map\(", cell.source, re.MULTILINE))


def _source_or_fold(cell: Any, language: Language) -> str:
    """Return code that teaches unchanged, other code folded, and nothing for the code of a guess."""
    if sections.guesses(cell):
        return ""
    if sections.teaches(cell) and cell.id not in TOOLS:
        return source(cell)
    words = texts.TOOLS if cell.id in TOOLS else texts.CODE
    return f"<details><summary>{texts.as_html(words, language)}</summary>\n{source(cell)}</details>\n"


def shown(cell: Any, language: Language, link_to: LinkTo) -> Iterator[str]:
    """Yield the cell's outputs; those that only tell you to run the cell are omitted."""
    for output in cell.outputs:
        said = _words(output)
        unanswered = cell.id.startswith("exercise-") and said.startswith("… ")
        markup = "" if unanswered or said.startswith(OFFERS) else _output(output, language, link_to)
        if markup:
            yield f'<div class="shown">{markup}</div>\n'


def _words(output: Any) -> str:
    data = output.get("data", {})
    return output.get("text", "") or plain(data.get("text/html", "")) or data.get("text/plain", "")


def _output(output: Any, language: Language, link_to: LinkTo) -> str:
    data = output.get("data", {})
    if STILLS in data:
        return _stills(data[STILLS], language)
    if "image/png" in data:
        known = output.metadata.get("image/png", {})
        return image(data["image/png"], known.get("alt", data.get("text/plain", "")), known.get("width"))
    if "text/html" in data:
        return "" if NOTE in data["text/html"] else _linked(data["text/html"], language, link_to)
    if output.output_type == "error":
        return _printed(f"{output.ename}: {output.evalue}")
    return _printed(output.get("text", "") or data.get("text/plain", ""))


def image(png: str, alt: str, width: int | None) -> str:
    """Return a picture inside the page; ``png`` is base64."""
    size = f' width="{width}"' if width else ""
    return f'<img src="data:image/png;base64,{png.strip()}" alt="{html.escape(alt)}"{size}>'


def _printed(text: str) -> str:
    return f"{_PRE}{html.escape(strip_ansi(text).rstrip())}</pre>" if text.strip() else ""


def _linked(markup: str, language: Language, link_to: LinkTo) -> str:
    """Return HTML that the course made, with links to these pages and wide tables that scroll."""

    def link(found: re.Match[str]) -> str:
        target = link_to(html.unescape(found.group(1)))
        return f'<a href="{html.escape(target)}">{found.group(2)}</a>' if target else found.group(2)

    markup = re.sub(r'<a href="([^"]*)">(.*?)</a>', link, markup, flags=re.DOTALL)
    if markup.startswith(_SETTLED):
        markup = markup.replace("<ol", f"{_guessed(language)}<ol", 1)
    markup = markup.replace('lang="zh"', 'lang="zh-Hans"').replace("<pre ", '<pre tabindex="0" ')
    return f'<div class="wide" tabindex="0">{markup}</div>' if markup.startswith("<table") else markup


def _guessed(language: Language) -> str:
    """Return the sentences with which the page's script answers the reader's guess."""

    def said(when: str, text: Text) -> str:
        filled = texts.as_html(text, language).replace("{letter}", '<b class="letter"></b>')
        return f'<p class="guessed" data-when="{when}" hidden>{filled}</p>'

    return said("right", RIGHT) + said("wrong", texts.GUESSED_WRONG)


def _stills(known: dict[str, Any], language: Language) -> str:
    """Return stills at several values of one control, with a slider between them."""
    frames = []
    for number, still in enumerate(known["stills"]):
        hidden = "" if number == known["start"] else " hidden"
        reading = f'<p class="reading">{html.escape(still["reading"])}</p>'
        frames.append(
            f'<div class="frame" data-place="{html.escape(still["place"])}"{hidden}>'
            f"{image(still['png'], still['alt'], still['width'])}{reading}</div>"
        )
    label = sides(html.escape(known["label"]), language)
    spoken = html.escape(known["label"])
    last, start = len(frames) - 1, known["start"]
    if not last:
        return f'<figure class="stills"{_settings(known)}>{frames[0]}</figure>'
    note = texts.as_html(texts.STILLS.format(n=len(frames)), language)
    return (
        f'<figure class="stills"{_settings(known)}><div aria-live="polite">{"".join(frames)}</div>'
        f'<div class="slide" hidden><span aria-hidden="true">{label}</span>'
        f'<input type="range" min="0" max="{last}" step="1" value="{start}" aria-label="{spoken}">'
        f'<output></output></div><p class="note">{note}</p></figure>'
    )


def _settings(known: dict[str, Any]) -> str:
    """Return the attributes with which the page's script starts an explorer: its name and its settings."""
    said = {**known, "initial": json.dumps(known["initial"])}
    return "".join(f' data-{name}="{html.escape(said[name])}"' for name in ("explorer", "query", "initial"))
