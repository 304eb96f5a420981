"""All explorers in tabs, without a browser."""

from __future__ import annotations

import ipywidgets

from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.tabs import Tabs
from posenc_lessons.explorers.widgets import widgets_in


def made(shown: Tabs) -> list[int]:
    """The tabs in which an explorer is."""
    return [index for index, tab in enumerate(shown.tabs.children) if tab.children]


def test_an_explorer_is_made_once_when_its_tab_is_opened() -> None:
    shown = Tabs()
    assert made(shown) == [0] and len(shown.tabs.children) == len(EXPLORERS)
    shown.tabs.selected_index = 3
    (explorer,) = shown.tabs.children[3].children
    assert isinstance(explorer, EXPLORERS[3])
    shown.tabs.selected_index = None
    shown.tabs.selected_index = 3
    assert shown.tabs.children[3].children == (explorer,) and made(shown) == [0, 3]
    shown.close()


def test_the_tabs_speak_the_readers_language() -> None:
    shown = Tabs()
    for spoken in language.LANGUAGES:
        language.choose(spoken)
        assert shown.tabs.titles == tuple(explorer.title.show(spoken) for explorer in EXPLORERS)
    assert shown._repr_mimebundle_()["text/plain"].count(" · ") == len(EXPLORERS)
    shown.close()


def test_closing_leaves_nothing_behind() -> None:
    listeners = len(language._listeners)
    shown = Tabs()
    widgets: list[ipywidgets.Widget] = list(widgets_in(shown))
    shown.close()
    assert len(widgets) > 30 and [widget for widget in widgets if widget.comm is not None] == []
    assert len(language._listeners) == listeners
