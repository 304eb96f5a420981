"""Pages of lessons whose cells run, for tests in a browser, and functions that read such pages."""

import base64
from pathlib import Path

import nbformat
from playwright.sync_api import Locator, Page

from posenc_lessons.course import sections
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.export import live_explorers, stills
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.site import site
from posenc_lessons.files import write_all
from posenc_lessons.language import Language
from tests.browser.watching import LESSONS
from tests.support.exported import PIXEL, with_still
from tests.support.pace import wait_until

TRAINED = "03_learned.ipynb"
EXERCISE = "exercise-swap-ends"
RIGHT = "words if len(words) < 2 else [words[-1], *words[1:-1], words[0]]"  # its answer
DRAFT = f"posenc-lessons:draft:00_start_here:en:{EXERCISE}"


def write_pages(out: Path) -> None:
    """Write two lessons in each language, a page with pictures and one with an explorer among its stills."""
    languages: tuple[Language, ...] = ("zh", "en")
    for language in languages:
        notebooks = {"picture.ipynb": with_picture(), "stills.ipynb": with_still()}
        for lesson in ("00_start_here.ipynb", TRAINED):
            notebooks[lesson] = in_language(nbformat.read(LESSONS / lesson, as_version=4), language)
        pages = {}
        for name, notebook in notebooks.items():
            pages.update(site({language: {name: notebook}}, live=True))
        write_all({**pages, **live_explorers.files()}, out / language)


def with_picture() -> nbformat.NotebookNode:
    """Return a notebook with an explorer, and a picture by Matplotlib in a section that is folded.

    Both were recorded as pictures, as in an export that runs no cells.
    """
    source = "from posenc_lessons.figures.rotary import pairing_figure\npairing_figure(8)"
    picture = nbformat.v4.new_output("display_data", {"image/png": PIXEL, "text/plain": "pairs"})
    explorer = "from posenc_lessons.explorers import ShuffleExplorer\nShuffleExplorer(arrangement=3)"
    cells = [
        nbformat.v4.new_markdown_cell("# Pairs", id="title"),
        nbformat.v4.new_code_cell(explorer, id="explorer", outputs=[picture]),
        nbformat.v4.new_markdown_cell("## Deeper", id="deeper", metadata={sections.FOLDED: True}),
        nbformat.v4.new_code_cell(source, id="picture", outputs=[picture]),
    ]
    return nbformat.v4.new_notebook(cells=cells)


def output(explorer: Explorer) -> nbformat.NotebookNode:
    """Return the output of an explorer's cell after a run for pages."""
    data, metadata = stills.with_still(explorer)
    explorer.close()
    data["image/png"] = base64.b64encode(data["image/png"]).decode()
    return nbformat.v4.new_output("execute_result", data, metadata=metadata)


# The names of the reader's work that the browser keeps: drafts, guesses, solved exercises.
KEPT = "Object.keys(localStorage).filter(name => name.startsWith('posenc-lessons:'))"


def opened(page: Page, address: str, language: str) -> Locator:
    """Open the lesson and return the exercise's cell."""
    page.goto(f"{address}/{language}/00_start_here.html")
    return page.locator(f"[data-cell={EXERCISE}]")


def text_in(cell: Locator) -> str:
    """Return the text in the cell's editor, a plain one or CodeMirror."""
    editor = cell.get_by_role("textbox")
    return str(
        editor.evaluate(
            "e => e.value ?? [...e.querySelectorAll('.cm-line')].map(l => l.textContent).join('\\n')"
        )
    )


def expect_text(cell: Locator, text: str) -> None:
    """Wait until the cell's editor has this text."""
    wait_until(lambda: text_in(cell) == text, lambda: text_in(cell), every=0.05)


def expect_stored(page: Page, key: str, code: str) -> None:
    """Wait until the browser has stored this draft."""
    stored = "([key, code]) => JSON.parse(localStorage.getItem(key) ?? '{}').code === code"
    page.wait_for_function(stored, arg=[key, code])
