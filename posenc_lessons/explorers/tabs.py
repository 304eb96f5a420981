"""All explorers in tabs, on the kernel of a notebook: ``Tabs()`` in a cell shows them."""

from __future__ import annotations

from typing import Any

import ipywidgets

from posenc_lessons.explorers import EXPLORERS, closing
from posenc_lessons.explorers.widgets import widgets_in
from posenc_lessons.language import on_change

# By itself a tab has a font of its own, which a machine without Chinese cannot be given.
STYLE = "<style>.posenc-tabs .lm-TabBar * { font-family: var(--jp-ui-font-family); }</style>"


class Tabs(ipywidgets.VBox):
    """A tab for each explorer, which is made when its tab is first opened: few readers open every one."""

    def __init__(self) -> None:
        self.tabs = ipywidgets.Tab([ipywidgets.VBox() for _ in EXPLORERS], selected_index=0)
        super().__init__([self.tabs, ipywidgets.HTML(STYLE)])
        self.add_class("posenc-tabs")
        self.tabs.observe(self._open, "selected_index")
        self._stop_listening = on_change(self._name)
        self._name()
        self._open()

    def close(self) -> None:
        """Give up every explorer and stop following the language."""
        self._stop_listening()
        for tab in self.tabs.children:
            for explorer in tab.children:
                explorer.close()
        for widget in list(widgets_in(self)):
            ipywidgets.Widget.close(widget)

    def _open(self, _change: object = None) -> None:
        index = self.tabs.selected_index
        if index is None:  # a click on the open tab closes it in some front ends
            return
        if not self.tabs.children[index].children:
            self.tabs.children[index].children = (EXPLORERS[index](),)

    def _name(self) -> None:
        self.tabs.titles = [explorer.title.show() for explorer in EXPLORERS]

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Alive, and for a reader without a kernel the names of what is here."""
        closing.close_when_replaced(self)
        names = "\n".join(explorer.title.show("both") for explorer in EXPLORERS)
        return {**super()._repr_mimebundle_(**kwargs), "text/plain": names}
