"""Choose the words and cells that a lesson has only in JupyterLab, or only in its page.

A notebook's prose is the same in both, except for words about one of them: keys, menus, the kernel. In
Markdown ``<!-- JupyterLab -->…<!-- /JupyterLab -->`` is left out of pages, and the words in
``<!-- page: … -->`` are only in pages; no reader of a notebook sees these comments. A cell with the tag
``not-in-page`` is left out of pages. A cell with the tag ``recorded-in-page`` cannot run in pages and keeps
its recorded output there; one with the tag ``trains`` keeps it until the reader runs it. nbconvert leaves out
the outputs of a cell with the tag ``remove-output``. The notebook that a page offers for download has all
words and cells.
"""

import copy
import re
from collections.abc import Callable
from typing import Any

SKIPPED = "not-in-page"
RECORDED = "recorded-in-page"
TRAINS = "trains"
SETUP = "setup"  # the id of the cell with the language switch
FOR_ONE_READER = (SETUP, "progress-map")  # and of the one with the reader's progress
_JUPYTERLAB = re.compile(r"<!-- JupyterLab -->.*?<!-- /JupyterLab -->", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_PAGE = re.compile(r"<!-- page:(\s.*?)-->", re.DOTALL)


def in_page(notebook: Any) -> Any:
    """Return a copy of ``notebook`` with the words and cells for its page."""
    copied = copy.copy(notebook)
    copied.cells = [_cell(cell) for cell in notebook.cells if not tagged(cell, SKIPPED)]
    return copied


def tagged(cell: Any, tag: str) -> bool:
    """Return whether the cell has the tag."""
    return tag in cell.metadata.get("tags", ())


def for_one_reader(cell: Any) -> bool:
    """Return whether the cell has the language switch, or shows the reader's progress."""
    return cell.id in FOR_ONE_READER


def asks(cell: Any) -> bool:
    """Return whether the cell is an exercise's: a stub and the call of its check, which says "not yet"."""
    return cell.cell_type == "code" and cell.id.startswith("exercise-")


def explores(cell: Any) -> bool:
    """Return whether the cell shows the lesson's explorer."""
    return str(cell.id).endswith("explorer")


def prose_in_page(source: str) -> str:
    """Return a Markdown cell's text for a page."""
    return _PAGE.sub(lambda only: only[1].lstrip(" "), _JUPYTERLAB.sub("", source))


def on_paper(notebook: Any) -> Any:
    """Return a copy of ``notebook`` to print: with the words for JupyterLab, without those for pages."""
    copied = copy.copy(notebook)
    copied.cells = [_cell(cell, _without_comments) for cell in notebook.cells]
    return copied


def _without_comments(source: str) -> str:
    return _COMMENT.sub("", source)


def _cell(cell: Any, rewritten: Callable[[str], str] = prose_in_page) -> Any:
    if cell.cell_type != "markdown" or "<!--" not in cell.source:
        return cell
    copied = copy.copy(cell)
    copied.source = rewritten(cell.source)
    return copied
