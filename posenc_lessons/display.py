"""Show results below the running cell, in Jupyter or in a page. No other module imports IPython."""

import sys
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from posenc_lessons.language import Text


class Handle(Protocol):
    """An output that can be replaced in its place."""

    def update(self, shown: object) -> object:
        """Show ``shown`` in its place: an object, or a mapping of MIME types to forms of it."""


_elsewhere: Callable[[object], None] | None = None


def use(display_in_page: Callable[[object], None] | None) -> None:
    """Send every output to ``display_in_page``; for None, to IPython again."""
    global _elsewhere
    _elsewhere = display_in_page


def shell() -> Any:
    """Return the IPython shell that runs this code, or None. A kernel has loaded IPython already."""
    loaded = sys.modules.get("IPython")
    return None if loaded is None else loaded.get_ipython()


def kernel() -> Any:
    """Return the Jupyter kernel that runs this code, or None."""
    return getattr(shell(), "kernel", None)


def display(shown: object, *, updatable: bool = False) -> Handle | None:
    """Show an object, or a mapping of MIME types to forms of it, below the running cell.

    ``updatable``: return a ``Handle``, or None if outputs cannot be updated. Outside of Jupyter and pages the
    plain text is printed.
    """
    if _elsewhere is not None:
        _elsewhere(shown)
        return None
    if shell() is None:
        print(shown.get("text/plain", "") if isinstance(shown, Mapping) else shown)
        return None
    from IPython.display import DisplayHandle
    from IPython.display import display as in_ipython

    if not updatable:
        in_ipython(shown, raw=isinstance(shown, Mapping))
        return None
    handle = DisplayHandle()
    in_ipython(shown, raw=isinstance(shown, Mapping), display_id=handle.display_id)
    return _RawHandle(handle)


class _RawHandle:
    """IPython's handle with a flag: whether ``shown`` is an object or a mapping of MIME types."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    def update(self, shown: object) -> None:
        self._handle.update(shown, raw=isinstance(shown, Mapping))


def say(*lines: Text | str) -> None:
    """Show ``lines`` in the reader's language; a ``str`` says the same in both.

    The language switch hides one of the two blocks; without HTML, plain text has both::

        say(Text(f"{n} 对，转了 {angle:.2f}", f"{n} pairs, turned by {angle:.2f}"))
    """
    texts = [line if isinstance(line, Text) else Text(line, line) for line in lines]
    said = Text("\n".join(text.zh for text in texts), "\n".join(text.en for text in texts))
    plain = said.show(between=" · " if len(texts) == 1 and "\n" not in said.zh else "\n")
    display({"text/plain": plain, "text/html": said.html("pre")})
