"""Controls: named values, their limits, and their forms in a link and in a panel."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from numbers import Real
from typing import Any, ClassVar, NamedTuple

from posenc_lessons.figures.words import cut
from posenc_lessons.language import BilingualValueError, Text, alone, current

Options = Sequence[tuple[Text, Hashable]]

MOST_QUOTED = 24  # characters of a text that other sentences quote
SURROGATE = re.compile("[\ud800-\udfff]")  # half a character: pages may send one, but it cannot be sent back


class Change(NamedTuple):
    """A control and its value before and after."""

    control: Control
    old: Any
    new: Any


class Control(ABC):
    """A named value. Setting ``value`` checks it, then calls the observers.

    Its explorer sets the ``name``. A ``disabled`` control keeps its value and cannot be changed in the panel;
    the panel does not show a ``hidden`` one.
    """

    def __init__(self, label: Text, value: Any) -> None:
        self.label, self.name = label, label.en
        self.disabled = self.hidden = False
        self._observers: list[Callable[[Change], object]] = []
        self._value = self.checked(value)

    @property
    def value(self) -> Any:
        """The present value."""
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        self._take(self.checked(value))

    def _take(self, value: Any) -> None:
        old, self._value = self._value, value
        if value != old:
            for observer in list(self._observers):
                observer(Change(self, old, value))

    def observe(self, observer: Callable[[Change], object]) -> None:
        """Call ``observer`` with a ``Change`` after each change of the value."""
        self._observers.append(observer)

    def starting_text(self) -> str | None:
        """Return the text it starts with, if that depends on the language; else None."""
        return None

    @abstractmethod
    def checked(self, value: Any) -> Any:
        """Return ``value`` as this control keeps it; BilingualValueError if it is not allowed."""

    def nearest(self, value: Any) -> Any:
        """Return the allowed value nearest to ``value``, which comes from a hand, a pointer or a link."""
        return self.checked(value)

    def as_text(self, value: Any) -> str:
        """Return ``value`` as it is written in a link."""
        return str(value)

    @abstractmethod
    def from_text(self, text: str) -> Any:
        """Return the value that ``text`` stands for in a link; KeyError or ValueError if there is none."""

    @abstractmethod
    def as_data(self) -> dict[str, Any]:
        """Return the ``kind``, the ``value``, its ``text`` and what it may be, for a panel."""

    def from_data(self, value: Any) -> Any:
        """Return the value that a panel means by ``value``; BilingualValueError if there is none."""
        return self.nearest(value)


class Slider(Control):
    """A slider over the whole numbers from ``low`` to ``high``, ``step`` apart; both ends can be reached."""

    kind: ClassVar[str] = "slider"
    form: ClassVar[str] = "d"
    number: ClassVar[Text] = Text("整数", "whole number")

    def __init__(self, label: Text, low: float, high: float, value: float, step: float = 1) -> None:
        self.min, self.max, self.step = low, high, step
        self.whole = True  # pictures on their way from one value to another may have those between
        super().__init__(label, value)

    def limit(self, low: float, high: float) -> None:
        """Set the range to ``low`` … ``high``; a value outside moves to the nearer end."""
        self.min, self.max = low, high
        self._take(self.nearest(self.value))

    def checked(self, value: Any) -> Any:
        nearest = self.nearest(value)
        if not math.isclose(nearest, value, rel_tol=1e-5, abs_tol=1e-9):
            low, high = (self.as_text(end) for end in self.ends())
            zh, en = (f"，每步 {self.step}", f" in steps of {self.step}") if self.step > 1 else ("", "")
            raise BilingualValueError(
                f"{self.name} 要是 {low} 到 {high} 的{self.number.zh}{zh}，收到 {_brief(value)}",
                f"{self.name} must be a {self.number.en} from {low} to {high}{en}, got {_brief(value)}",
            )
        return nearest

    def ends(self) -> tuple[float, float]:
        """Return the least and the greatest value."""
        return self.min, self.max

    def nearest(self, value: Any) -> Any:
        """Return the nearest number within the limits, moved down to a whole step if it has to be whole."""
        inside = min(max(finite(self.name, value), self.min), self.max)
        return round(inside) - (round(inside) - self.min) % self.step if self.whole else inside

    def from_text(self, text: str) -> Any:
        return int(text)

    def as_data(self) -> dict[str, Any]:
        limits = {"min": self.min, "max": self.max, "step": self.step}
        return {"kind": self.kind, "value": self.value, "text": format(self.value, self.form), **limits}


class LogSlider(Slider):
    """A slider from 10^``low`` to 10^``high`` in even steps of the exponent; its value is the number."""

    kind = "log"
    form = ",.1f"
    number = Text("数", "number")

    def __init__(self, label: Text, low: float, high: float, value: float, step: float = 0.05) -> None:
        super().__init__(label, low, high, value, step)

    def ends(self) -> tuple[float, float]:
        return 10**self.min, 10**self.max

    def nearest(self, value: Any) -> Any:
        """Return the number within the limits, rounded to six digits: 10^4 may come as 10000.00000000002."""
        low, high = self.ends()
        return float(self.as_text(min(max(finite(self.name, value), low), high)))

    def as_text(self, value: Any) -> str:
        return f"{value:.6g}"

    def from_text(self, text: str) -> Any:
        return finite(self.name, float(text))


class Choice(Control):
    """One of several named options; a panel counts them from 0."""

    def __init__(self, label: Text, options: Options, value: Any) -> None:
        self.options = tuple(options)
        super().__init__(label, value)

    def checked(self, value: Any) -> Any:
        values = [option for _, option in self.options]
        if value not in values:
            raise not_one_of(self.name, value, values)
        return value

    def from_text(self, text: str) -> Any:
        return {str(option): option for _, option in self.options}[text]

    def as_data(self) -> dict[str, Any]:
        names = [name.show() for name, _ in self.options]
        at = next(n for n, (_, option) in enumerate(self.options) if option == self.value)
        return {"kind": "choice", "value": at, "text": names[at], "options": names}

    def from_data(self, value: Any) -> Any:
        numbers = range(len(self.options))
        if isinstance(value, bool) or value not in numbers:
            raise not_one_of(self.name, value, numbers)
        return self.options[int(value)][1]


class TickBox(Control):
    """On or off."""

    def checked(self, value: Any) -> Any:
        if not isinstance(value, bool):
            raise not_one_of(self.name, value, (False, True))
        return value

    def as_text(self, value: Any) -> str:
        return str(int(value))

    def from_text(self, text: str) -> Any:
        return bool(("0", "1").index(text))

    def as_data(self) -> dict[str, Any]:
        return {"kind": "tick", "value": self.value, "text": "✓" if self.value else "–"}


class TextBox(Control):
    """A line of text that begins as ``value``; every key changes the picture.

    ``own``: the text that it begins with instead, for a reader of only one language.
    """

    def __init__(self, label: Text, value: str, own: Text | None = None) -> None:
        self._start = {"both": value, "zh": own.zh, "en": own.en} if own else {}
        super().__init__(label, self.starting_text() or value)

    def starting_text(self) -> str | None:
        return self._start.get(alone() or current())

    def checked(self, value: Any) -> Any:
        if not isinstance(value, str):
            raise not_one_of(self.name, value, ("…",))
        return SURROGATE.sub("\ufffd", value)

    def from_text(self, text: str) -> Any:
        return text

    def as_data(self) -> dict[str, Any]:
        return {"kind": "text", "value": self.value, "text": f"“{cut(self.value, MOST_QUOTED)}”"}


def finite(name: str, value: Any) -> float:
    """Return ``value`` if it is a finite number; else raise BilingualValueError with its ``name``."""
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise BilingualValueError(
            f"{name} 要是一个有限的数，收到 {_brief(value)}",
            f"{name} must be a finite number, got {_brief(value)}",
        )
    return float(value)


def not_one_of(name: str, got: object, allowed: Iterable[object]) -> BilingualValueError:
    """Return the error for a ``name`` that is ``got``, which is not among ``allowed``."""
    options = ", ".join(map(str, allowed))
    return BilingualValueError(
        f"{name} 只能是 {options} 之一，收到 {_brief(got)}",
        f"{name} must be one of {options}, got {_brief(got)}",
    )


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"
