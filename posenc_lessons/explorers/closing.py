"""Closes an explorer that no notebook cell shows any longer.

A cell that runs again makes a new explorer and loses the picture of the one before. Nobody else would ever
close that one, since ipywidgets keeps every widget for as long as the kernel lives.
"""

from __future__ import annotations

from typing import Any, Protocol
from weakref import WeakKeyDictionary, WeakSet

from IPython import get_ipython


class Closable(Protocol):
    """What a cell shows."""

    def close(self) -> object:
        """Give up everything it holds."""


_displayed: WeakSet[Any] = WeakSet()  # in the cell that is running
_shown: dict[str, WeakSet[Any]] = {}  # by cell, what its last run displayed
_watched: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()  # the shells that tell of their cells


def close_when_replaced(shown: Closable) -> None:
    """Close ``shown``, which the running cell displays, once no cell of the notebook displays it."""
    shell = get_ipython()
    if shell is None:
        return
    if shell not in _watched:
        _watched[shell] = True
        shell.events.register("post_run_cell", _after_cell)
    _displayed.add(shown)


def _after_cell(result: Any) -> None:
    """Close what this cell displayed when it ran before, and no cell displays now."""
    cell = result.info.cell_id if result.info is not None else None
    new = list(_displayed)
    _displayed.clear()
    if cell is None:  # not every frontend names its cells
        return
    before = _shown.pop(cell, WeakSet())
    _shown[cell] = WeakSet(new)
    for shown in list(before):
        if not any(shown in others for others in _shown.values()):
            shown.close()
