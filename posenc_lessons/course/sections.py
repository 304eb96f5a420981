"""A lesson's core and its deeper sections, whose headings open collapsed; which code is there to be read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

FOLDED = "jp-MarkdownHeadingCollapsed"  # as JupyterLab writes it into the metadata of the heading's cell
_HEADING = re.compile(r"^(#{1,6}) ")
_GUESS = re.compile(r"^(guess|settle)\(", re.MULTILINE)


def level(cell: Any) -> int:
    """The level of the heading with which the cell begins; 0 where it begins with none."""
    found = _HEADING.match("".join(cell["source"])) if cell["cell_type"] == "markdown" else None
    return len(found.group(1)) if found else 0


def folded(cell: Any) -> bool:
    """Whether a deeper section begins here; it ends before the next heading of its level or above."""
    return level(cell) > 0 and bool(cell["metadata"].get(FOLDED))


def deeper(cells: Sequence[Any]) -> set[str]:
    """The ids of all cells in deeper sections, those of their headings too."""
    found: set[str] = set()
    within = 0  # the level of the deeper section around; 0 outside
    for cell in cells:
        if 0 < level(cell) <= within:
            within = 0
        if not within and folded(cell):
            within = level(cell)
        if within:
            found.add(cell["id"])
    return found


def guesses(cell: Any) -> bool:
    """Whether the code cell asks for a guess, or settles one."""
    return bool(_GUESS.search("".join(cell["source"])))


def teaches(cell: Any) -> bool:
    """Whether the cell's code is there to be read: not hidden by JupyterLab, nor that of a guess."""
    return not (cell["metadata"].get("jupyter", {}).get("source_hidden") or guesses(cell))
