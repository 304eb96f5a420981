"""Pictures in a lesson: shown once, and drawn anew in the reader's language at each change.

The switch of a page is answered at once by what is live, and the pictures follow one by one: to draw all of a
lesson's takes seconds, and the kernel hears nothing while it draws.

A picture is an ordinary output, replaced in place, rather than a widget: JupyterLab shows "model not found"
for every widget of a notebook that was saved and opened again the next day, and a picture stays.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from IPython.core.getipython import get_ipython
from IPython.display import DisplayHandle, display

from posenc_lessons import language
from posenc_lessons.language import Text

MOST = 60  # pictures that follow the language at once, where nobody says which cell ran again
PAUSE = 0.01  # seconds between two of them, for messages to be read

# JupyterLab gives the image of an output no alt text, so a line for screen readers stands under it.
_HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"


class Described(Protocol):
    """A figure that knows, in both languages, what there is to see in it."""

    alt: Text


@dataclass
class _Shown:
    """One picture on the page. The figure function is called again with the arguments it had."""

    cell: str
    run: str
    handle: DisplayHandle
    draw: Callable[[], Described]
    language: language.Language  # in which it stands there

    def redraw(self) -> None:
        if self.language != language.current():
            self.handle.update(self.draw())
            self.language = language.current()


_shown: list[_Shown] = []
_to_redraw: list[_Shown] = []  # what a page's switch has yet to reach


def show(figure_function: Callable[..., Described], *args: Any, **kwargs: Any) -> None:
    """Display ``figure_function(*args, **kwargs)`` here, and redraw it whenever the language changes.

    The arguments are kept as they are, not copied. When the cell runs again, its earlier pictures are
    forgotten. After the page is loaded again, a picture follows once its cell has run.
    """

    def draw() -> Described:
        return figure_function(*args, **kwargs)

    picture = draw()
    cell, run = _where()
    _shown[:] = [other for other in _shown if other.cell != cell or other.run == run][-(MOST - 1) :]
    handle = display(picture, display_id=True)
    if handle is not None:  # None where nothing can be displayed
        _shown.append(_Shown(cell, run, handle, draw, language.current()))
        description = f'<div role="note" style="{_HIDDEN}">{picture.alt.html()}</div>'
        display({"text/html": description}, raw=True)


def _follow() -> None:
    if not _asked_by_page():
        language.call_all([shown.redraw for shown in _shown])
        return
    waiting = bool(_to_redraw)
    _to_redraw[:] = _shown
    if not waiting:
        _later(_catch_up)


def _catch_up() -> None:
    """Draw one of those left behind; the others after whatever the page has said meanwhile."""
    if not _to_redraw:
        return
    shown = _to_redraw.pop(0)
    if _to_redraw:
        _later(_catch_up)
    if shown in _shown:  # its cell has not run again
        shown.redraw()


def _later(call: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_later(PAUSE, call)


language.on_change(_follow)


def _asked_by_page() -> bool:
    """Whether what runs now answers a widget of the page, rather than a cell, whose outputs end with it."""
    kernel = getattr(get_ipython(), "kernel", None)
    return kernel is not None and kernel.get_parent().get("header", {}).get("msg_type") == "comm_msg"


def _where() -> tuple[str, str]:
    """The cell that is running and this run of it; a frontend that names no cells is known by the code."""
    kernel = getattr(get_ipython(), "kernel", None)
    if kernel is None:
        return "", ""
    parent = kernel.get_parent()
    cell = parent.get("metadata", {}).get("cellId") or parent.get("content", {}).get("code", "")
    return cell, parent.get("header", {}).get("msg_id", "")
