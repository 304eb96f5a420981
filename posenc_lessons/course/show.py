"""Show pictures in a lesson, and draw them again when the reader's language changes.

Explorers follow the language switch immediately; pictures are redrawn one at a time, because redrawing all of
them takes seconds, in which the kernel cannot read messages.

A picture is an ordinary output, which is replaced in its place. A widget would be lost: JupyterLab shows
"model not found" for every widget of a notebook that was saved and opened again the next day.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from posenc_lessons import language
from posenc_lessons.display import Handle, display, kernel
from posenc_lessons.language import Text

MOST = 60  # pictures that follow the language if the frontend does not say which cell ran again
PAUSE = 0.01  # seconds between two pictures, in which the kernel reads messages

# JupyterLab gives the image of an output no alt text, so the line under it is for screen readers.
_HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"


class Described(Protocol):
    """A figure that describes itself in both languages."""

    alt: Text


@dataclass
class _Shown:
    """One picture on the page. Its figure function can be called again with the same arguments."""

    cell: str
    run: str
    handle: Handle
    draw: Callable[[], Described]
    language: language.Language  # in which it is drawn

    def redraw(self) -> None:
        if self.language != language.current():
            self.handle.update(self.draw())
            self.language = language.current()


_shown: list[_Shown] = []
_to_redraw: list[_Shown] = []  # pictures that are still in the previous language


def show(figure_function: Callable[..., Described], *args: Any, **kwargs: Any) -> None:
    """Display ``figure_function(*args, **kwargs)`` here, and redraw it whenever the language changes.

    The arguments are kept without a copy. When the cell runs again, its earlier pictures are forgotten. After
    the page is loaded again, a picture follows the language once its cell has run.
    """

    def draw() -> Described:
        return figure_function(*args, **kwargs)

    picture = draw()
    cell, run = _where()
    _shown[:] = [other for other in _shown if other.cell != cell or other.run == run][-(MOST - 1) :]
    handle = display(picture, updatable=True)
    if handle is not None:  # None if nothing can be displayed
        _shown.append(_Shown(cell, run, handle, draw, language.current()))
        description = f'<div role="note" style="{_HIDDEN}">{picture.alt.html()}</div>'
        display({"text/html": description})


def _follow() -> None:
    if not _asked_by_page():
        language.call_all([shown.redraw for shown in _shown])
        return
    waiting = bool(_to_redraw)
    _to_redraw[:] = _shown
    if not waiting:
        _later(_catch_up)


def _catch_up() -> None:
    """Draw one picture again; plan the next one after the messages that came meanwhile."""
    if not _to_redraw:
        return
    picture = _to_redraw.pop(0)
    if _to_redraw:
        _later(_catch_up)
    if picture in _shown:  # its cell has not run again
        picture.redraw()


def _later(call: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_later(PAUSE, call)


language.on_change(_follow)


def _asked_by_page() -> bool:
    """Return True if the running code answers a widget or the toolbar, so that no cell is running."""
    running = kernel()
    parent = {} if running is None else running.get_parent()
    silent = parent.get("content", {}).get("silent", False)
    return silent or parent.get("header", {}).get("msg_type") == "comm_msg"


def _where() -> tuple[str, str]:
    """Return the id of the running cell (its code if the frontend gives no id) and the id of this run."""
    running = kernel()
    if running is None:
        return "", ""
    parent = running.get_parent()
    cell = parent.get("metadata", {}).get("cellId") or parent.get("content", {}).get("code", "")
    return cell, parent.get("header", {}).get("msg_id", "")
