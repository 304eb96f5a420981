"""What the lessons ask a reader to guess: a table for each lesson, in the module of its name.

``ask`` makes a guess: a question with its choices, of which one is ``right``; every choice says why it is
right, or why it is tempting. ``posenc_lessons.course.guess`` shows them.
"""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from posenc_lessons.language import BilingualValueError, Text


@dataclass(frozen=True)
class Choice:
    """What can be picked; ``why`` it is right, or what makes it tempting though it is wrong."""

    says: Text
    why: Text
    right: bool = False


@dataclass(frozen=True)
class Guess:
    """``asks`` one question; its name is that of no other guess in the course. `Code` stands in backticks."""

    name: str
    asks: Text
    choices: tuple[Choice, ...]

    @property
    def right(self) -> int:
        """The number of the right choice, from 0."""
        return next(number for number, choice in enumerate(self.choices) if choice.right)


def ask(name: str, zh: str, en: str, *choices: Choice) -> Guess:
    """A guess: its question in both languages, and what can be picked."""
    return Guess(name, Text(zh, en), choices)


def right(zh: str, en: str, why_zh: str, why_en: str) -> Choice:
    """The right choice, and why it is."""
    return Choice(Text(zh, en), Text(why_zh, why_en), right=True)


def wrong(zh: str, en: str, why_zh: str, why_en: str) -> Choice:
    """A choice that is not right, and what makes it tempting."""
    return Choice(Text(zh, en), Text(why_zh, why_en))


@cache
def tables() -> dict[str, tuple[Guess, ...]]:
    """The guesses of every lesson that has any, by the name of its module: ``why_position``."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {name: import_module(f"{__name__}.{name}").GUESSES for name in names}


def find(name: str) -> Guess:
    """The guess called ``name``. Raises BilingualValueError when there is none."""
    known = {guess.name: guess for table in tables().values() for guess in table}
    if name not in known:
        raise BilingualValueError(
            f"name 应当是 {', '.join(known)} 之一，收到 {name!r}",
            f"name must be one of {', '.join(known)}, got {name!r}",
        )
    return known[name]
