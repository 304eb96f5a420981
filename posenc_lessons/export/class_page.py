"""The page for a class: a teacher drops learners' exported files on it, and sees what they have done."""

from __future__ import annotations

import ast
import html
import json
from collections.abc import Iterator, Mapping
from typing import Any

from posenc_lessons.course.progress_map import Row, rows
from posenc_lessons.export import pages, texts
from posenc_lessons.export.document import Looks
from posenc_lessons.export.frame import Frame
from posenc_lessons.export.markdown import plain
from posenc_lessons.language import Language, Text

FILE = "class.html"


def class_page(
    notebooks: Mapping[str, Any], language: Language, frame: Frame, looks: Looks, guide: str | None
) -> str:
    """Return the page; ``guide`` is the address of the teacher's guide on these pages."""
    said = {name: html.escape(text.show(language)) for name, text in texts.CLASS.items()}
    tasks = {
        "lessons": [*_lessons(notebooks, language)],
        "words": {name: text.show(language) for name, text in texts.CLASS_SCRIPT.items()},
    }
    data = json.dumps(tasks, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    more = f' <a href="{guide}">{said["guide"]}</a>' if guide else ""
    main = f"""<h1>{said["title"]}</h1>
<div class="class">
<p>{said["what"]}{more}</p>
<p>{said["how"]}</p>
<label class="drop"><span>{said["drop"]}</span>
<input type="file" accept=".json,application/json" multiple></label>
<p class="private">{said["private"]}</p>
<p role="status"></p>
<div role="alert"></div>
<div class="results" hidden>
<p class="acts"><button type="button" class="as-table">{said["save"]}</button>
<button type="button" class="forget">{said["forget"]}</button></p>
<h2>{said["learners"]}</h2>
<div class="learners wide" tabindex="0"></div>
<h2>{said["tasks"]}</h2>
<div class="tasks"></div>
</div>
<noscript><p>{said["script"]}</p></noscript>
</div>
<script type="application/json" id="class-tasks">{data}</script>"""
    about = texts.CLASS["what"].show(language)
    return pages.page(said["title"], main, language, frame, looks, about=about)


def _lessons(notebooks: Mapping[str, Any], language: Language) -> Iterator[dict[str, Any]]:
    """Yield each lesson with its exercises and guesses, and the places of both."""
    for row in rows():
        name = f"{row.lesson}.ipynb"
        if name in notebooks:
            yield {
                "number": row.lesson[:2],
                "title": row.title.show(language),
                "exercises": [*_exercises(row, notebooks[name], language)],
                "guesses": [*_guesses(row, notebooks[name], language)],
            }


def _exercises(row: Row, notebook: Any, language: Language) -> Iterator[dict[str, str]]:
    cells = [
        cell.id for cell in notebook.cells if cell.id.startswith("exercise-") and cell.cell_type == "code"
    ]
    for key, cell in zip(row.exercises, cells, strict=True):
        yield {"key": key, "name": key.partition(".")[2], "page": f"{row.lesson}.html#{cell}"}


def _guesses(row: Row, notebook: Any, language: Language) -> Iterator[dict[str, Any]]:
    for cell in notebook.cells:
        if name := cell.metadata.get("guess"):
            call = ast.parse(cell.source).body[-1].value  # type: ignore[attr-defined]
            texts = [Text(*map(ast.literal_eval, text.args)).show(language) for text in call.args[1:]]
            yield {
                "key": name,
                "asks": _said(texts[0]),
                "choices": [_said(text) for text in texts[1:]],
                "right": row.guesses[name],
                "page": f"{row.lesson}.html#{cell.id}",
            }


def _said(text: str) -> str:
    return plain(html.escape(text.replace("`", "").replace("**", "")))
