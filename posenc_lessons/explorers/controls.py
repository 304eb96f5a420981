"""Controls: a widget, its name in both languages, and its value in words, in a link and in a page.

Of each kind there is a class here and a function that makes one. What no class knows is refused: a link and a
page without a kernel could not carry it.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import ipywidgets

from posenc_lessons.explorers.caption import with_minus
from posenc_lessons.explorers.layout import LABEL_WIDTH
from posenc_lessons.explorers.widgets import TextBox, TickBoxes
from posenc_lessons.language import BilingualTypeError, BilingualValueError, Language, Text, alone, current

Options = Sequence[tuple[Text, Hashable]]

ON, OFF, NONE = Text("开", "on"), Text("关", "off"), Text("无", "none")
MOST_QUOTED = 24  # characters of a text where another sentence speaks of it


@dataclass(frozen=True)
class Control:
    """A widget and its name. A page has its value as plain data, as ``browser/host.py`` says."""

    widget: ipywidgets.Widget
    label: Text
    holds: ClassVar[tuple[type[ipywidgets.Widget], ...]] = ()  # what a control of this kind is made of

    def __post_init__(self) -> None:
        if not isinstance(self.widget, self.holds):
            kind = type(self.widget).__name__
            raise BilingualTypeError(
                f"控件“{self.label.zh}”不能是 {kind}：链接和网页带不走它的值；能用的有 {', '.join(MAKERS)}",
                f"the control “{self.label.en}” cannot be a {kind}, whose value no link and no page could "
                f"carry; there are {', '.join(MAKERS)}",
            )

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
    """Whole numbers of a range. Numbers beyond it are left to the widget."""

    holds, kind = (ipywidgets.IntSlider,), "slider"

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
    """Numbers in even steps of their exponent, which a link and a page have as they are."""

    holds, kind = (ipywidgets.FloatLogSlider,), "log"

    def value(self) -> Any:
        return float(self.as_text(self.widget.value))  # steps of an exponent give 10000.00000000002

    def as_text(self, value: Any) -> str:
        return f"{value:.6g}"

    def from_text(self, text: str) -> Any:
        return finite(self.label.en, float(text))

    def from_data(self, name: str, value: Any) -> Any:
        return finite(name, value)


@dataclass(frozen=True)
class Choice(Control):
    """One of several named options; a page counts them from 0."""

    options: Options
    holds = (ipywidgets.Dropdown,)

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

    holds = (TickBoxes,)

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


class OnOff(Control):
    """A tick box."""

    holds = (ipywidgets.Checkbox,)

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


@dataclass(frozen=True)
class TypedText(Control):
    """A line of text; ``start`` is what it begins with in each language, where that is not the same."""

    start: Mapping[Language, str] | None = None
    holds = (ipywidgets.Text,)

    def starting_text(self) -> str | None:
        return None if self.start is None else self.start[alone() or current()]

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


def whole_slider(label: Text, low: int, high: int, value: int) -> Slider:
    """A slider over the whole numbers ``low`` … ``high``, both reachable; ``low < high``."""
    return Slider(_sized(ipywidgets.IntSlider(value, low, high)), label)


def log_slider(label: Text, low_exponent: float, high_exponent: float, value: float) -> LogSlider:
    """A slider from 10^low_exponent to 10^high_exponent, even steps of the exponent."""
    slider = ipywidgets.FloatLogSlider(
        value, min=low_exponent, max=high_exponent, step=0.05, readout_format=",.1f"
    )
    return LogSlider(_sized(slider), label)


def choice(label: Text, options: Options, value: Hashable) -> Choice:
    """One of several named options."""
    names = [(name.show(), option) for name, option in options]
    return Choice(_sized(ipywidgets.Dropdown(options=names, value=value)), label, options)


def several(label: Text, options: Options, value: Sequence[Any]) -> Choices:
    """Any number of named options."""
    return Choices(TickBoxes([(name.show(), option) for name, option in options], value), label, options)


def text_box(label: Text, value: str, own: Text | None = None) -> TypedText:
    """A line of text that begins with ``value``; what is typed counts as it is typed.

    ``own``: what it begins with instead for a reader of one language alone.
    """
    start: dict[Language, str] = {"both": value, "zh": own.zh, "en": own.en} if own else {}
    begun = start.get(alone() or current(), value)
    return TypedText(_sized(TextBox(begun, continuous_update=True)), label, start or None)


def tick_box(label: Text, value: bool) -> OnOff:
    """On or off."""
    return OnOff(_sized(ipywidgets.Checkbox(value, indent=False)), label)


MAKERS = [make.__name__ for make in (whole_slider, log_slider, choice, several, text_box, tick_box)]


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
        f"{name} 只能是 {there} 之一，收到 {_brief(got)}",
        f"{name} must be one of {there}, got {_brief(got)}",
    )


def _brief(value: object) -> str:
    said = repr(value)
    return said if len(said) <= 60 else said[:60] + "…"


def _sized(widget: ipywidgets.Widget) -> ipywidgets.Widget:
    widget.style.description_width = LABEL_WIDTH
    widget.layout.width = "auto"
    return widget
