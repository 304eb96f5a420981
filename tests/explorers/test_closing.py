"""An explorer that is closed leaves nothing behind; one whose cell ran again is closed."""

from __future__ import annotations

from collections.abc import Iterator

import ipywidgets
import pytest
from IPython.core.interactiveshell import InteractiveShell

from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS, SinusoidExplorer, closing
from posenc_lessons.explorers.base import Explorer

MADE: list[ipywidgets.Widget] = []


@pytest.fixture(autouse=True)
def made() -> Iterator[None]:
    """Every widget that a test makes."""
    MADE.clear()
    ipywidgets.Widget.on_widget_constructed(MADE.append)
    yield
    ipywidgets.Widget.on_widget_constructed(None)


@pytest.mark.parametrize("kind", EXPLORERS, ids=lambda kind: kind.__name__)
def test_closing_closes_every_widget_and_stops_following_the_language(kind: type[Explorer]) -> None:
    listeners = len(language._listeners)
    explorer = kind()
    explorer.close()
    explorer.close()
    assert len(MADE) > 20 and [widget for widget in MADE if widget.comm is not None] == []
    assert len(language._listeners) == listeners
    assert "was closed" in explorer._repr_mimebundle_()["text/plain"]


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> InteractiveShell:
    made = InteractiveShell(user_ns={"Explorer": SinusoidExplorer})
    monkeypatch.setattr(closing, "get_ipython", lambda: made)
    monkeypatch.setattr(closing, "_shown", {})
    return made


def is_open(name: str, shell: InteractiveShell) -> bool:
    return shell.user_ns[name].comm is not None


def run(shell: InteractiveShell, cell: str | None, code: str) -> None:
    shell.run_cell(code, cell_id=cell).raise_error()


def test_a_cell_that_runs_again_closes_what_it_showed_before(shell: InteractiveShell) -> None:
    run(shell, "one", "first = Explorer(); first")
    run(shell, "two", "other = Explorer(); other")
    run(shell, "one", "second = Explorer(); second")
    assert [is_open(name, shell) for name in ("first", "other", "second")] == [False, True, True]
    painted = shell.user_ns["first"].canvas.edition
    language.choose("en")
    assert shell.user_ns["first"].canvas.edition == painted < shell.user_ns["second"].canvas.edition


def test_what_is_still_shown_somewhere_stays(shell: InteractiveShell) -> None:
    run(shell, "one", "kept = Explorer()")
    for _ in range(2):
        run(shell, "two", "kept")
    run(shell, "three", "kept")
    run(shell, "two", "1")
    assert is_open("kept", shell)
    run(shell, "three", "1")
    assert not is_open("kept", shell)


def test_without_the_names_of_cells_nothing_is_closed(shell: InteractiveShell) -> None:
    for name in ("first", "second"):
        run(shell, None, f"{name} = Explorer(); {name}")
    assert is_open("first", shell) and is_open("second", shell)
