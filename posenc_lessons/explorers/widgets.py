"""What ipywidgets has not: text of whole characters, a row of tick boxes, all widgets in another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import ipywidgets
import traitlets

from posenc_lessons.explorers.layout import LABEL_WIDTH

SURROGATE = re.compile("[\ud800-\udfff]")  # half a character: may come from a page, and cannot be sent back


class TextLine(ipywidgets.Text):
    """A line of text of whole characters."""

    @traitlets.validate("value")
    def _whole(self, proposal: dict[str, Any]) -> str:
        return SURROGATE.sub("\ufffd", proposal["value"])

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take what comes from a page; it goes back there before it is looked at, and so must be whole."""
        said = sync_data.get("value")
        whole = {"value": SURROGATE.sub("\ufffd", said)} if isinstance(said, str) else {}
        super().set_state({**sync_data, **whole})


class TickBoxes(ipywidgets.HBox):
    """Any number of named options at once.

    ``value`` is a tuple of the ticked ones, in the order of ``options``, pairs of (name, option).
    """

    value = traitlets.Tuple()
    description = traitlets.Unicode()

    def __init__(self, options: Sequence[tuple[str, Any]], value: Sequence[Any]) -> None:
        self.boxes = {
            option: ipywidgets.Checkbox(indent=False, layout={"width": "auto", "margin": "2px 10px 2px 2px"})
            for _, option in options
        }
        self._label = ipywidgets.Label(layout={"width": LABEL_WIDTH, "justify_content": "flex-end"})
        row = ipywidgets.HBox(list(self.boxes.values()), layout={"flex_flow": "row wrap", "flex": "1"})
        super().__init__([self._label, row], value=tuple(value))
        self.add_class("posenc-several")  # live.js gives the row its name
        self.options = options
        for box in self.boxes.values():
            box.observe(self._ticked, "value")

    @property
    def options(self) -> list[tuple[str, Any]]:
        """The names and what they stand for; setting it changes the names."""
        return [(box.description, option) for option, box in self.boxes.items()]

    @options.setter
    def options(self, options: Sequence[tuple[str, Any]]) -> None:
        for name, option in options:
            self.boxes[option].description = name

    @traitlets.validate("value")
    def _in_order(self, proposal: Any) -> tuple[Any, ...]:
        wanted = set(proposal["value"])
        unknown = wanted - set(self.boxes)
        if unknown:
            raise traitlets.TraitError(f"no such option: {', '.join(map(str, unknown))}")
        return tuple(option for option in self.boxes if option in wanted)

    @traitlets.observe("value")
    def _tick(self, change: Any) -> None:
        for option, box in self.boxes.items():
            box.value = option in change["new"]

    @traitlets.observe("description")
    def _name(self, change: Any) -> None:
        self._label.value = change["new"]

    def _ticked(self, change: Any) -> None:
        option = next(option for option, box in self.boxes.items() if box is change["owner"])
        others = tuple(each for each in self.value if each != option)
        self.value = (*others, option) if change["new"] else others


def widgets_in(root: ipywidgets.Widget) -> Iterator[ipywidgets.Widget]:
    """``root``, what is in it, and their layouts and styles: each has a channel of its own to the page."""
    found, waiting = {root}, [root]
    while waiting:
        widget = waiting.pop()
        yield widget
        for name in widget.keys:
            value = getattr(widget, name)
            for each in value if isinstance(value, (list, tuple)) else (value,):
                if isinstance(each, ipywidgets.Widget) and each not in found:
                    found.add(each)
                    waiting.append(each)
