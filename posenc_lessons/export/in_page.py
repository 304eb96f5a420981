"""Choose the words and cells that a lesson has only in JupyterLab, or only in its page.

A notebook's prose is the same in both, except for words about one of them: keys, menus, the kernel. In
Markdown ``<!-- JupyterLab -->…<!-- /JupyterLab -->`` is left out of pages, and the words in
``<!-- page: … -->`` are only in pages; no reader of a notebook sees these comments. A cell with the tag
``not-in-page`` is left out of pages. A cell with the tag ``recorded-in-page`` cannot run in pages and keeps
its recorded output there. A cell with the tag ``trains`` runs in a page only when the reader asks for it. The
notebook that a page offers for download has all words and cells.
"""

from __future__ import annotations

import copy
import re
from typing import Any

SKIPPED = "not-in-page"
RECORDED = "recorded-in-page"
TRAINS = "trains"
_JUPYTERLAB = re.compile(r"<!-- JupyterLab -->.*?<!-- /JupyterLab -->", re.DOTALL)
_PAGE = re.compile(r"<!-- page:(\s.*?)-->", re.DOTALL)


def in_page(notebook: Any) -> Any:
    """Return a copy of ``notebook`` with the words and cells for its page."""
    copied = copy.copy(notebook)
    copied.cells = [_cell(cell) for cell in notebook.cells if SKIPPED not in cell.metadata.get("tags", ())]
    return copied


def only_recorded(cell: Any) -> bool:
    """Return whether the cell cannot run in a page as it is published."""
    return RECORDED in cell.metadata.get("tags", ())


def prose_in_page(source: str) -> str:
    """Return a Markdown cell's text for a page."""
    return _PAGE.sub(lambda only: only[1].lstrip(" "), _JUPYTERLAB.sub("", source))


def _cell(cell: Any) -> Any:
    if cell.cell_type != "markdown" or "<!--" not in cell.source:
        return cell
    copied = copy.copy(cell)
    copied.source = prose_in_page(cell.source)
    return copied
