"""All explorers in tabs, on the kernel of a notebook: ``Tabs()`` in a cell shows them."""

from __future__ import annotations

from typing import Any

import ipywidgets

from posenc_lessons.explorers import EXPLORERS, cells
from posenc_lessons.explorers.controls import all_in
from posenc_lessons.language import on_change


class Tabs(ipywidgets.Tab):
    """A tab for each explorer, which is made when its tab is first opened: few readers open every one."""

    def __init__(self) -> None:
        super().__init__([ipywidgets.VBox() for _ in EXPLORERS], selected_index=0)
        self.observe(self._open, "selected_index")
        self._stop_listening = on_change(self._name)
        self._name()
        self._open()

    def close(self) -> None:
        """Give up every explorer and stop following the language."""
        self._stop_listening()
        for tab in self.children:
            for explorer in tab.children:
                explorer.close()
        for widget in list(all_in(self)):
            ipywidgets.Widget.close(widget)

    def _open(self, _change: object = None) -> None:
        if self.selected_index is None:  # a click on the open tab closes it in some front ends
            return
        tab = self.children[self.selected_index]
        if not tab.children:
            tab.children = (EXPLORERS[self.selected_index](),)

    def _name(self) -> None:
        self.titles = [explorer.title.show() for explorer in EXPLORERS]

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Alive, and for a reader without a kernel the names of what is here."""
        cells.display(self)
        names = "\n".join(explorer.title.show("both") for explorer in EXPLORERS)
        return {**super()._repr_mimebundle_(**kwargs), "text/plain": names}
