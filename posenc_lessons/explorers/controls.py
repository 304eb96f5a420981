"""Controls with names in both languages: ipywidgets, and how they change language."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import ipywidgets
import traitlets

from posenc_lessons.explorers.layout import LABEL
from posenc_lessons.explorers.words import spoken
from posenc_lessons.language import Language, Text, alone, current

Options = Sequence[tuple[Text, Hashable]]

ON, OFF, NONE = Text("开", "on"), Text("关", "off"), Text("无", "none")
MOST_QUOTED = 24  # characters of a text where another sentence speaks of it

HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")  # may come from a page, and in no text can it be sent back


@dataclass(frozen=True)
class Control:
    """An ipywidget, its name, and for a choice the names of its options."""

    widget: ipywidgets.Widget
    label: Text
    options: Options = ()
    start: Mapping[Language, str] | None = None  # of a text that begins as its readers' language does

    def begin(self) -> str:
        """What the text begins with for a reader of now."""
        assert self.start is not None
        return self.start[alone() or current()]

    def relabel(self) -> None:
        """Show the names in the reader's language; the value stays."""
        self.widget.description = self.label.show()
        if self.options:
            value = self.widget.value
            self.widget.options = [(name.show(), option) for name, option in self.options]
            self.widget.value = value

    def says(self, value: Any) -> Text:
        """``value`` in words: an option's name, on or off, a number as it is read out, a text in quotes."""
        names = {option: name for name, option in self.options}
        if isinstance(value, tuple):  # of Several
            chosen = [names[each] for each in value] or [NONE]
            return Text("、".join(name.zh for name in chosen), ", ".join(name.en for name in chosen))
        if value in names:
            return names[value]
        if isinstance(value, bool):
            return ON if value else OFF
        if isinstance(self.widget, (ipywidgets.IntSlider, ipywidgets.FloatLogSlider)):
            number = spoken(value, self.widget.readout_format)
            return Text(number, number)
        text = str(value)
        short = text if len(text) <= MOST_QUOTED else text[:MOST_QUOTED] + "…"
        return Text(f"“{short}”", f"“{short}”")


class TextBox(ipywidgets.Text):
    """A line of text of whole characters."""

    @traitlets.validate("value")
    def _whole(self, proposal: dict[str, Any]) -> str:
        return HALF_A_CHARACTER.sub("\ufffd", proposal["value"])

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take what comes from a page; it goes back there before it is looked at, and so must be whole."""
        said = sync_data.get("value")
        whole = {"value": HALF_A_CHARACTER.sub("\ufffd", said)} if isinstance(said, str) else {}
        super().set_state({**sync_data, **whole})


def _sized(widget: ipywidgets.Widget) -> ipywidgets.Widget:
    widget.style.description_width = LABEL
    widget.layout.width = "auto"
    return widget


def whole_slider(label: Text, low: int, high: int, value: int) -> Control:
    """A slider over the whole numbers ``low`` … ``high``, both reachable; ``low < high``."""
    return Control(_sized(ipywidgets.IntSlider(value, low, high)), label)


def log_slider(label: Text, low_exponent: float, high_exponent: float, value: float) -> Control:
    """A slider from 10^low_exponent to 10^high_exponent, even steps of the exponent."""
    slider = ipywidgets.FloatLogSlider(
        value, min=low_exponent, max=high_exponent, step=0.05, readout_format=",.1f"
    )
    return Control(_sized(slider), label)


def choice(label: Text, options: Options, value: Hashable) -> Control:
    """One of several named options."""
    names = [(name.show(), option) for name, option in options]
    return Control(_sized(ipywidgets.Dropdown(options=names, value=value)), label, options)


def text_box(label: Text, value: str, own: Text | None = None) -> Control:
    """A line of text that begins with ``value``; what is typed counts as it is typed.

    ``own``: what it begins with instead for a reader of one language alone.
    """
    if own is None:
        return Control(_sized(TextBox(value, continuous_update=True)), label)
    start: dict[Language, str] = {"zh": own.zh, "en": own.en, "both": value}
    begun = start[alone() or current()]
    return Control(_sized(TextBox(begun, continuous_update=True)), label, start=start)


def tick_box(label: Text, value: bool) -> Control:
    """On or off."""
    return Control(_sized(ipywidgets.Checkbox(value, indent=False)), label)


def all_in(root: ipywidgets.Widget) -> Iterator[ipywidgets.Widget]:
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
