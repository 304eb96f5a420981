"""The guesses of the lessons: a table for each lesson, in the module of its name.

``ask`` makes a guess: a question with its choices, one of them ``right``. Every choice says why it is right
or tempting. ``posenc_lessons.course.guess`` shows them.
"""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from posenc_lessons.language import BilingualValueError, Text


@dataclass(frozen=True)
class Choice:
    """One choice; ``why`` says why it is right, or why it is tempting."""

    says: Text
    why: Text
    right: bool = False


@dataclass(frozen=True)
class Guess:
    """A question with its choices; its name is unique in the course. `Code` is in backticks."""

    name: str
    asks: Text
    choices: tuple[Choice, ...]

    @property
    def right(self) -> int:
        """The number of the right choice, from 0."""
        return next(number for number, choice in enumerate(self.choices) if choice.right)


def ask(name: str, zh: str, en: str, *choices: Choice) -> Guess:
    """Return a guess from its question in both languages and its choices."""
    return Guess(name, Text(zh, en), choices)


def right(zh: str, en: str, why_zh: str, why_en: str) -> Choice:
    """Return the right choice and the reason."""
    return Choice(Text(zh, en), Text(why_zh, why_en), right=True)


def wrong(zh: str, en: str, why_zh: str, why_en: str) -> Choice:
    """Return a wrong choice and the reason why it is tempting."""
    return Choice(Text(zh, en), Text(why_zh, why_en))


@cache
def tables() -> dict[str, tuple[Guess, ...]]:
    """Return the guesses of every lesson that has any, by the name of its module: ``why_position``."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {name: import_module(f"{__name__}.{name}").GUESSES for name in names}


def find(name: str) -> Guess:
    """Return the guess called ``name``. Raises BilingualValueError if there is none."""
    known = {guess.name: guess for table in tables().values() for guess in table}
    if name not in known:
        raise BilingualValueError(
            f"name 应当是 {', '.join(known)} 之一，收到 {name!r}",
            f"name must be one of {', '.join(known)}, got {name!r}",
        )
    return known[name]
