"""What lessons import in a page instead of modules that a page lacks.

The page shows its own language switch and guess cards, so their cells have nothing to do there. A picture
that Matplotlib draws stays as it was recorded. ``stand_ins`` writes the modules; ``build.py`` puts them at
the places of those that they replace. A name that is in none of them is an ImportError, as everywhere.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from posenc_lessons.display import display

REPORTED_EVERY = 0.2  # seconds between two messages about the steps of a progress bar


class Recorded:
    """The stand-in for a picture that the page cannot draw; calling it returns the same stand-in."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *_: Any, **__: Any) -> Recorded:
        return self


def nothing(*_: Any, **__: Any) -> None:
    """Do nothing, because the page does this itself."""


def show(figure_function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Display the picture of ``figure_function``, as ``course.show`` does."""
    display(figure_function(*args, **kwargs))


class Bar:
    """A progress bar with the arguments of ``tqdm``; the page says beside the cell how far it is."""

    report: Callable[[int, int], object] | None = None  # called with the number of steps, and with all

    def __init__(self, iterable: Iterable[Any] = (), *_: Any, total: int = 0, **__: Any) -> None:
        self._iterable, self._total, self._steps, self._reported = iterable, total, 0, 0.0

    def __iter__(self) -> Iterator[Any]:
        return iter(self._iterable)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None: ...

    def update(self, steps: int = 1) -> None:
        self._steps += steps
        if Bar.report is not None and time.monotonic() - self._reported > REPORTED_EVERY:
            self._reported = time.monotonic()
            Bar.report(self._steps, self._total)

    set_lock = classmethod(nothing)

    def __getattr__(self, name: str) -> Callable[..., None]:
        return nothing


_HERE = "from posenc_lessons.browser.page_versions import"
_MODULES = {
    "posenc_lessons/course/guess.py": "\n".join(f"{_HERE} nothing as {name}" for name in ("guess", "settle")),
    "posenc_lessons/course/show.py": f"{_HERE} show",
    "posenc_lessons/course/switch.py": f"{_HERE} nothing as language_switch, nothing as single_language",
    "tqdm/__init__.py": f"{_HERE} Bar as tqdm",
    "tqdm/auto.py": f"{_HERE} Bar as tqdm",
}


def stand_ins(pictures: Iterable[Path], package: Path) -> dict[str, bytes]:
    """Return the sources of the modules above, and of ``pictures``, by their paths in the page.

    ``pictures``: modules of ``package`` that the page cannot draw with. Each of their public names becomes a
    ``Recorded``.
    """
    sources = dict(_MODULES)
    for path in pictures:
        names = _public_names(path.read_text(encoding="utf-8"))
        lines = [f"{_HERE} Recorded", *(f'{name} = Recorded("{name}")' for name in names)]
        sources[path.relative_to(package.parent).as_posix()] = "\n".join(lines)
    return {name: f"{source}\n".encode() for name, source in sources.items()}


def _public_names(source: str) -> Iterator[str]:
    """Yield the names of the functions, classes and constants that a module defines."""
    for node in ast.parse(source).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        else:
            names = []
        yield from (name for name in names if not name.startswith("_"))
