"""Count the cells of a lesson that run in its page: not those that train, need training or are recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from posenc_lessons.browser.needs import names_in, needed
from posenc_lessons.course import sections
from posenc_lessons.export import texts
from posenc_lessons.export.cell_html import for_one_reader
from posenc_lessons.export.in_page import TRAINS, only_recorded
from posenc_lessons.language import Language


@dataclass(frozen=True)
class Runs:
    """How many cells a lesson has, how many of them run in its page, and how many are exercises."""

    cells: int
    run: int
    exercises: int


def what_runs(notebook: Any) -> Runs:
    """Count the cells of ``notebook``, except guesses and the language switch."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    training = {cell.id for cell in code if TRAINS in cell.metadata.get("tags", ())}
    names = [(cell.id, names_in(cell.source, trains=cell.id in training)) for cell in code]
    recorded = training | {cell.id for cell in code if only_recorded(cell)}
    shown = [at for at, cell in enumerate(code) if not sections.guesses(cell) and not for_one_reader(cell)]
    run = [at for at in shown if code[at].id not in recorded and recorded.isdisjoint(needed(names, at))]
    exercises = sum(cell.id.startswith("exercise-") for cell in code)
    return Runs(len(shown), len(run), exercises)


def head_note(notebook: Any, language: Language, live: bool, table: str | None) -> str:
    """Return the note at the head of a lesson's page that says what runs; nothing if there is no code.

    ``live``: whether the page can run code. ``table``: the address of the course's table.
    """
    counted = what_runs(notebook)
    if not counted.cells:
        return ""
    if not live:
        said = texts.READ_ONLY
    elif counted.run == counted.cells:
        said = texts.ALL_RUN.format(cells=counted.cells)
    else:
        said = texts.SOME_RUN.format(run=counted.run, cells=counted.cells, others=counted.cells - counted.run)
    words = texts.as_html(said, language)
    if live and counted.exercises:
        words += texts.as_html(texts.EXERCISES_TOO, language)
    more = f' <a href="{table}">{texts.as_html(texts.WHOLE_COURSE, language)}</a>' if live and table else ""
    return f'<p class="runs">{words}{more}</p>'


def course_table(notebooks: Mapping[str, Any], titles: Mapping[str, str], language: Language) -> str:
    """Return the table of the course, with a row for each lesson; ``titles`` are links to them, as HTML."""
    head = "".join(f'<th scope="col">{texts.as_html(said, language)}</th>' for said in texts.RUNS_HEAD)
    rows = []
    for name, title in titles.items():
        counted = what_runs(notebooks[name])
        others = counted.cells - counted.run
        rows.append(
            f'<tr><th scope="row">{title}</th><td>{counted.run} / {counted.cells}</td>'
            f"<td>{others or '–'}</td><td>{counted.exercises or '–'}</td></tr>"
        )
    return (
        f'<div class="wide" tabindex="0"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
