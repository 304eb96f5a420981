"""Controls: a widget, its name in both languages, and its value in words, in a link and in a page.

A widget of another kind is refused: a link and a page without a kernel could not carry its value.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import ipywidgets

from posenc_lessons.explorers.caption import with_minus
from posenc_lessons.explorers.layout import LABEL_WIDTH
from posenc_lessons.explorers.widgets import TextLine, TickBoxes
from posenc_lessons.language import BilingualTypeError, BilingualValueError, Text, alone, current

Options = Sequence[tuple[Text, Hashable]]

ON, OFF, NONE = Text("开", "on"), Text("关", "off"), Text("无", "none")
MOST_QUOTED = 24  # characters of a text where another sentence speaks of it


class Control:
    """A widget and its name. A page has its value as plain data, as ``browser/host.py`` says."""

    def __init__(self, widget: ipywidgets.Widget, label: Text) -> None:
        if type(self) is Control:
            kind = type(widget).__name__
            raise BilingualTypeError(
                f"控件“{label.zh}”不能是 {kind}：链接和网页带不走它的值；能用的有 {', '.join(KINDS)}",
                f"the control “{label.en}” cannot be a {kind}, whose value no link and no page could carry; "
                f"there are {', '.join(KINDS)}",
            )
        self.widget, self.label = widget, label

    def value(self) -> Any:
        """What it is set to."""
        return self.widget.value

    def starting_text(self) -> str | None:
        """What it begins with for a reader of now, if that depends on the language."""
        return None

    def relabel(self) -> None:
        """Show the names in the reader's language; the value stays."""
        self.widget.description = self.label.show()

    @abstractmethod
    def in_words(self, value: Any) -> Text:
        """``value`` as a sentence speaks of it."""

    def as_text(self, value: Any) -> str:
        """``value`` as it stands in a link."""
        return str(value)

    @abstractmethod
    def from_text(self, text: str) -> Any:
        """The value that ``text`` is in a link; KeyError or ValueError where it is none."""

    @abstractmethod
    def as_data(self) -> dict[str, Any]:
        """For a page: the ``kind``, the ``value``, as ``text`` too, and what it may be."""

    @abstractmethod
    def from_data(self, name: str, value: Any) -> Any:
        """The value that ``value`` is in a page; BilingualValueError, which says the ``name``, if none."""


class Slider(Control):
    """A slider over the whole numbers ``low`` … ``high``, both reachable; ``low < high``."""

    kind = "slider"

    def __init__(self, label: Text, low: int, high: int, value: int) -> None:
        super().__init__(_sized(ipywidgets.IntSlider(value, low, high)), label)

    def in_words(self, value: Any) -> Text:
        number = with_minus(value, self.widget.readout_format)
        return Text(number, number)

    def from_text(self, text: str) -> Any:
        return int(text)

    def as_data(self) -> dict[str, Any]:
        widget = self.widget
        limits = {"min": widget.min, "max": widget.max, "step": widget.step}
        text = format(widget.value, widget.readout_format)
        return {"kind": self.kind, "value": widget.value, "text": text, **limits}

    def from_data(self, name: str, value: Any) -> Any:
        return round(finite(name, value))


class LogSlider(Slider):
    """A slider from 10^low to 10^high, even steps of the exponent; its value is the number itself."""

    kind = "log"

    def __init__(self, label: Text, low: float, high: float, value: float) -> None:
        widget = ipywidgets.FloatLogSlider(value, min=low, max=high, step=0.05, readout_format=",.1f")
        Control.__init__(self, _sized(widget), label)

    def value(self) -> Any:
        return float(self.as_text(self.widget.value))  # steps of an exponent give 10000.00000000002

    def as_text(self, value: Any) -> str:
        return f"{value:.6g}"

    def from_text(self, text: str) -> Any:
        return finite(self.label.en, float(text))

    def from_data(self, name: str, value: Any) -> Any:
        return finite(name, value)


class Choice(Control):
    """One of several named options; a page counts them from 0."""

    def __init__(self, label: Text, options: Options, value: Any) -> None:
        names = [(name.show(), option) for name, option in options]
        super().__init__(self._widget(names, value), label)
        self.options = options

    def _widget(self, names: list[tuple[str, Hashable]], value: Any) -> ipywidgets.Widget:
        return _sized(ipywidgets.Dropdown(options=names, value=value))

    def relabel(self) -> None:
        super().relabel()
        value = self.widget.value
        self.widget.options = [(name.show(), option) for name, option in self.options]
        self.widget.value = value

    def in_words(self, value: Any) -> Text:
        return next(name for name, option in self.options if option == value)

    def from_text(self, text: str) -> Any:
        return {str(option): option for _, option in self.options}[text]

    def as_data(self) -> dict[str, Any]:
        names, at = [name for name, _ in self.widget.options], self.widget.index
        return {"kind": "choice", "value": at, "text": names[at], "options": names}

    def from_data(self, name: str, value: Any) -> Any:
        return self._at(name, [value], value)[0]

    def _at(self, name: str, places: Iterable[Any], said: Any) -> tuple[Hashable, ...]:
        there = range(len(self.options))
        places = list(places)
        if any(isinstance(at, bool) or at not in there for at in places):
            raise not_one_of(name, said, there)
        return tuple(self.options[int(at)][1] for at in places)


class Choices(Choice):
    """Any number of named options."""

    def _widget(self, names: list[tuple[str, Hashable]], value: Any) -> ipywidgets.Widget:
        return TickBoxes(names, value)

    def in_words(self, value: Any) -> Text:
        chosen = [Choice.in_words(self, each) for each in value] or [NONE]
        return Text("、".join(name.zh for name in chosen), ", ".join(name.en for name in chosen))

    def as_text(self, value: Any) -> str:
        return ",".join(map(str, value))

    def from_text(self, text: str) -> Any:
        return tuple(Choice.from_text(self, each) for each in text.split(",") if text)

    def as_data(self) -> dict[str, Any]:
        names = [name for name, _ in self.widget.options]
        at = [n for n, (_, option) in enumerate(self.widget.options) if option in self.widget.value]
        return {"kind": "several", "value": at, "text": ", ".join(names[n] for n in at), "options": names}

    def from_data(self, name: str, value: Any) -> Any:
        return self._at(name, value if isinstance(value, (list, tuple)) else [value], value)


class TickBox(Control):
    """On or off."""

    def __init__(self, label: Text, value: bool) -> None:
        super().__init__(_sized(ipywidgets.Checkbox(value, indent=False)), label)

    def in_words(self, value: Any) -> Text:
        return ON if value else OFF

    def as_text(self, value: Any) -> str:
        return str(int(value))

    def from_text(self, text: str) -> Any:
        return bool(("0", "1").index(text))

    def as_data(self) -> dict[str, Any]:
        return {"kind": "tick", "value": self.widget.value, "text": ""}

    def from_data(self, name: str, value: Any) -> Any:
        if not isinstance(value, bool):
            raise not_one_of(name, value, (False, True))
        return value


class TextBox(Control):
    """A line of text that begins with ``value``; what is typed counts as it is typed.

    ``own``: what it begins with instead for a reader of one language alone.
    """

    def __init__(self, label: Text, value: str, own: Text | None = None) -> None:
        self._start = {"both": value, "zh": own.zh, "en": own.en} if own else {}
        super().__init__(_sized(TextLine(self.starting_text() or value, continuous_update=True)), label)

    def starting_text(self) -> str | None:
        return self._start.get(alone() or current())

    def in_words(self, value: Any) -> Text:
        short = value if len(value) <= MOST_QUOTED else value[:MOST_QUOTED] + "…"
        return Text(f"“{short}”", f"“{short}”")

    def from_text(self, text: str) -> Any:
        return text

    def as_data(self) -> dict[str, Any]:
        return {"kind": "text", "value": self.widget.value, "text": self.widget.value}

    def from_data(self, name: str, value: Any) -> Any:
        if not isinstance(value, str):
            raise not_one_of(name, value, ("…",))
        return value


KINDS = [kind.__name__ for kind in (Slider, LogSlider, Choice, Choices, TextBox, TickBox)]


def finite(name: str, value: Any) -> float:
    """``value`` if it is a finite number; BilingualValueError, which says its ``name``, if not."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise BilingualValueError(
            f"{name} 要是一个有限的数，收到 {_brief(value)}",
            f"{name} must be a finite number, got {_brief(value)}",
        )
    return float(value)


def not_one_of(name: str, got: object, allowed: Iterable[object]) -> BilingualValueError:
    """The error that ``name`` is ``got`` and none of what is ``allowed``."""
    there = ", ".join(map(str, allowed))
    return BilingualValueError(
        f"{name} 只能是 {there} 之一，收到 {_brief(got)}", f"{name} must be one of {there}, got {_brief(got)}"
    )


def _brief(value: object) -> str:
    said = repr(value)
    return said if len(said) <= 60 else said[:60] + "…"


def _sized(widget: ipywidgets.Widget) -> ipywidgets.Widget:
    widget.style.description_width = LABEL_WIDTH
    widget.layout.width = "auto"
    return widget
