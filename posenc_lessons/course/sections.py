"""Tell a lesson's core from its deeper sections (with collapsed headings), and visible code from hidden."""

import re
from collections.abc import Sequence
from typing import Any

FOLDED = "jp-MarkdownHeadingCollapsed"  # JupyterLab's key in the metadata of the heading's cell
_HEADING = re.compile(r"^(#{1,6}) ")


def level(cell: Any) -> int:
    """Return the level of the heading that begins the cell; 0 without a heading."""
    match = _HEADING.match("".join(cell["source"])) if cell["cell_type"] == "markdown" else None
    return len(match.group(1)) if match else 0


def folded(cell: Any) -> bool:
    """Return True if a deeper section begins here; it ends before the next heading of its level or above."""
    return level(cell) > 0 and bool(cell["metadata"].get(FOLDED))


def deeper(cells: Sequence[Any]) -> set[str]:
    """Return the ids of all cells in deeper sections, including their headings."""
    ids: set[str] = set()
    within = 0  # the level of the present deeper section; 0 outside of one
    for cell in cells:
        if 0 < level(cell) <= within:
            within = 0
        if not within and folded(cell):
            within = level(cell)
        if within:
            ids.add(cell["id"])
    return ids


def guesses(cell: Any) -> bool:
    """Return True if the code cell asks for a guess, or settles one."""
    return "guess" in cell["metadata"] or "settles" in cell["metadata"]


def teaches(cell: Any) -> bool:
    """Return True if the cell's code is visible: not hidden by JupyterLab, and not that of a guess."""
    return not (cell["metadata"].get("jupyter", {}).get("source_hidden") or guesses(cell))
