"""Replace modules of lessons by other forms in a page: the switch, guesses, pictures, progress bars.

The page shows its own language switch and guess cards, so their cells have nothing to do there. A picture
that Matplotlib draws stays as it was recorded.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from posenc_lessons.display import display

FIGURES = "posenc_lessons.figures."
COURSE = FIGURES.replace("figures", "course")  # only named, because a page lacks its modules


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
    """A progress bar that shows nothing, with the arguments of ``tqdm``."""

    def __init__(self, iterable: Iterable[Any] = (), *_: Any, **__: Any) -> None:
        self._iterable = iterable

    def __iter__(self) -> Iterator[Any]:
        return iter(self._iterable)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None: ...

    set_lock = classmethod(nothing)

    def __getattr__(self, name: str) -> Callable[..., None]:
        return nothing


MODULES: dict[str, dict[str, Any]] = {
    f"{COURSE}device_picker": {"device_picker": nothing},
    f"{COURSE}switch": {"language_switch": nothing, "single_language": nothing},
    f"{COURSE}guess": {"guess": nothing, "settle": nothing},
    f"{COURSE}show": {"show": show},
    "posenc_lessons.explorers.doors_map": {"DoorsMap": partial(Recorded, "doors_map")},
    "tqdm": {"tqdm": Bar},
    "tqdm.auto": {"tqdm": Bar},
}


class PageVersions(MetaPathFinder, Loader):
    """Find the modules above, and any module of ``figures`` that the page lacks."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname in MODULES or fullname.startswith(FIGURES):
            return ModuleSpec(fullname, self, is_package=fullname == "tqdm")
        return None

    def exec_module(self, module: ModuleType) -> None:
        known = MODULES.get(module.__name__)
        if known is not None:
            vars(module).update(known)
        else:
            vars(module)["__getattr__"] = Recorded


def install() -> None:
    """From now on, let imports find the page's forms of these modules, and missing modules of ``figures``."""
    if not any(isinstance(finder, PageVersions) for finder in sys.meta_path):
        sys.meta_path.append(PageVersions())
