"""A closed explorer leaves nothing behind. An explorer is closed when its cell runs again."""

import gc
import weakref

import ipywidgets
import pytest
from IPython.core.interactiveshell import InteractiveShell

from posenc_lessons import language
from posenc_lessons.explorers import SinusoidExplorer, closing


def test_an_unused_explorer_is_garbage_collected() -> None:
    listeners = len(language._listeners)
    explorer = weakref.ref(SinusoidExplorer())
    gc.collect()
    assert explorer() is None and len(language._listeners) == listeners


def test_closing_closes_its_panel_and_stops_following_the_language() -> None:
    listeners, explorer = len(language._listeners), SinusoidExplorer()
    panel = explorer.widget
    explorer.close()
    explorer.close()
    assert panel.comm is None and len(language._listeners) == listeners
    data, _ = explorer._repr_mimebundle_()
    assert "was closed" in data["text/plain"]


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> InteractiveShell:
    started = InteractiveShell(user_ns={"Explorer": SinusoidExplorer})
    monkeypatch.setattr(closing, "running_shell", lambda: started)
    monkeypatch.setattr(closing, "_shown", {})
    return started


def is_open(name: str, shell: InteractiveShell) -> bool:
    return not shell.user_ns[name].closed


def run(shell: InteractiveShell, cell: str | None, code: str) -> None:
    shell.run_cell(code, cell_id=cell).raise_error()


def test_a_cell_that_runs_again_closes_what_it_showed_before(shell: InteractiveShell) -> None:
    run(shell, "one", "first = Explorer(); first")
    run(shell, "two", "other = Explorer(); other")
    panels = len(ipywidgets.widgets.widget._instances)
    run(shell, "one", "second = Explorer(); second")
    assert [is_open(name, shell) for name in ("first", "other", "second")] == [False, True, True]
    assert len(ipywidgets.widgets.widget._instances) == panels, "one has gone, one has come"
    first, second = (shell.user_ns[name] for name in ("first", "second"))
    pictures = first.shown, second.shown
    language.choose("en")
    assert first.shown is pictures[0] and second.shown is not pictures[1]


def test_an_explorer_that_is_still_shown_stays_open(shell: InteractiveShell) -> None:
    run(shell, "one", "kept = Explorer()")
    for _ in range(2):
        run(shell, "two", "kept")
    run(shell, "three", "kept")
    run(shell, "two", "1")
    assert is_open("kept", shell)
    run(shell, "three", "1")
    assert not is_open("kept", shell)
