"""Close explorers that no notebook cell shows any longer.

A cell that runs again makes a new explorer and loses the picture of the old one. Nothing else would close the
old one, because ipywidgets keeps every widget as long as the kernel lives.
"""

from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from posenc_lessons.display import shell as running_shell

_displayed: WeakSet[Any] = WeakSet()  # the objects that the running cell has displayed
_shown: dict[str, WeakSet[Any]] = {}  # for each cell, the objects that its last run displayed
_watched: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()  # shells that call ``_after_cell``


def close_when_replaced(displayed: Any) -> None:
    """Close ``displayed``, which the running cell shows, as soon as no cell of the notebook shows it."""
    shell = running_shell()
    if shell is None:
        return
    if shell not in _watched:
        _watched[shell] = True
        shell.events.register("post_run_cell", _after_cell)
    _displayed.add(displayed)


def _after_cell(result: Any) -> None:
    """Close what this cell displayed in its last run, unless some cell displays it now."""
    cell = result.info.cell_id if result.info is not None else None
    new = list(_displayed)
    _displayed.clear()
    if cell is None:  # some frontends do not name their cells
        return
    shown_before = _shown.pop(cell, WeakSet())
    _shown[cell] = WeakSet(new)
    for displayed in list(shown_before):
        if not any(displayed in others for others in _shown.values()):
            displayed.close()
