"""Errors in the reader's two languages: what is wrong, what came, and what is allowed."""

from __future__ import annotations

from posenc_lessons import language
from posenc_lessons.language import Text


class BilingualError(Exception):
    """An error whose text follows the reader's language: one line, or the English above the Chinese for both.

    ``str(error)`` is read anew each time, so an error that is shown later speaks the language of then. The
    subclasses below are also the built-in errors that callers expect.
    """

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(zh, en)  # both are arguments, so that a copy (pickle, another process) has both
        self.zh, self.en = zh, en

    @property
    def text(self) -> Text:
        """The message as a ``Text``, for whoever shows it."""
        return Text(self.zh, self.en)

    def __str__(self) -> str:
        shown = language.alone() or language.current()
        return f"{self.en}\n{self.zh}" if shown == "both" else self.text.show(shown)


class BilingualValueError(BilingualError, ValueError):
    """An argument of the right type whose value will not do."""


class BilingualIndexError(BilingualError, IndexError):
    """A position or token that is in no table."""


class BilingualTypeError(BilingualError, TypeError):
    """An argument of a type that will not do."""


class BilingualRuntimeError(BilingualError, RuntimeError):
    """Something that failed while it ran."""
