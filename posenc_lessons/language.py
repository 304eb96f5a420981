"""The reader's language: one choice, followed by every label, message and picture text.

``Text`` holds a sentence in both languages, ``BilingualError`` an error; ``current()`` is the reader's
choice; whoever shows text registers with ``on_change`` and shows it anew. Pure Python, for every room.
"""

from __future__ import annotations

import html
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, get_args

Language = Literal["zh", "en", "both"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
NAMES: dict[Language, str] = {"zh": "中文", "en": "English", "both": "双语"}  # as each calls itself

# Chinese characters, to stand between the brackets of a regular expression; one of them; and one of them, of
# their punctuation, or of the wide forms of Latin letters and marks.
HAN_CLASS = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HAN = re.compile(f"[{HAN_CLASS}]")
CHINESE = re.compile(rf"[\u3000-\u303f{HAN_CLASS}\uff00-\uffef]")

_current: Language = "both"
_alone: Language | None = None  # in a copy of a lesson that was made in one language
_listeners: list[Callable[[], None]] = []
_changing = threading.RLock()  # JupyterLab hands its messages to several threads of a kernel


@dataclass(frozen=True)
class Text:
    """One sentence in Chinese and in English."""

    zh: str
    en: str

    def show(self, language: Language | None = None, between: str = " · ") -> str:
        """The text in ``language`` (the reader's when None); for ``"both"`` both, with ``between`` them."""
        language = current() if language is None else language
        if language == "both":
            language = _alone or "both"
        if language == "both":
            return self.zh if self.zh == self.en else f"{self.zh}{between}{self.en}"
        return self.zh if language == "zh" else self.en

    def format(self, **values: object) -> Text:
        """Fill the same ``{named}`` places in both languages; with each its own of a value that is a Text."""
        return Text(self.zh.format(**in_one("zh", values)), self.en.format(**in_one("en", values)))

    def html(self) -> str:
        """Both languages as HTML blocks that the page's language switch hides or shows; text is escaped."""
        escaped = {spoken: html.escape(text).replace("\n", "<br>") for spoken, text in self.parts().items()}
        return "".join(f'<div lang="{spoken}">{text}</div>' for spoken, text in escaped.items())

    def parts(self) -> dict[str, str]:
        """The text by language, "zh" and "en"; the one language alone in a copy that has no other."""
        both = {"zh": self.zh, "en": self.en}
        return {_alone: both[_alone]} if _alone in both else both

    def __str__(self) -> str:
        return self.show()


def in_one(language: Language, values: Mapping[str, object]) -> dict[str, object]:
    """``values`` by name, of those that are a ``Text`` what it says in ``language``."""
    return {k: value.show(language) if isinstance(value, Text) else value for k, value in values.items()}


def joined(texts: Iterable[Text], zh: str = "、", en: str = ", ") -> Text:
    """``texts`` one after the other, with ``zh`` and ``en`` between them."""
    every = list(texts)
    return Text(zh.join(text.zh for text in every), en.join(text.en for text in every))


def current() -> Language:
    """The reader's language."""
    return _current


def choose(language: Language) -> None:
    """Set the reader's language and tell everyone who shows text."""
    global _current
    if language not in LANGUAGES:
        raise BilingualValueError(
            f"language 只能是 {', '.join(LANGUAGES)} 之一，收到 {language!r}",
            f"language must be one of {', '.join(LANGUAGES)}, got {language!r}",
        )
    with _changing:
        if language != _current:
            _current = language
            call_all(_listeners)


@contextmanager
def shown_in(language: Language) -> Iterator[None]:
    """Within the ``with`` block ``current()`` is ``language``; nobody is told, and it ends as it began."""
    global _current
    before, _current = _current, language
    try:
        yield
    finally:
        _current = before


def only(language: Language) -> None:
    """From now on there is this language alone, even where both would be shown."""
    global _alone
    choose(language)
    _alone = None if language == "both" else language


def alone() -> Language | None:
    """The one language there is, in a copy of a lesson that was made in one; None where there are both."""
    return _alone


def call_all(listeners: Iterable[Callable[[], None]]) -> None:
    """Call each of ``listeners``; one that raises keeps no other from it, and the first error is raised."""
    errors: list[Exception] = []
    for listener in list(listeners):
        try:
            listener()
        except Exception as error:
            errors.append(error)
    if errors:
        raise errors[0]


def on_change(listener: Callable[[], None]) -> Callable[[], None]:
    """Call ``listener()`` after each change of language; returns a function that stops it.

    Stopping twice is stopping once.

    The listener is held until then: whoever shows text and goes away stops listening first.
    """
    _listeners.append(listener)

    def stop() -> None:
        if listener in _listeners:
            _listeners.remove(listener)

    return stop


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
        shown = alone() or current()
        return f"{self.en}\n{self.zh}" if shown == "both" else self.text.show(shown)


def text_of(error: BaseException) -> Text:
    """What ``error`` says, in both languages where it has both."""
    return error.text if isinstance(error, BilingualError) else Text(str(error), str(error))


class BilingualValueError(BilingualError, ValueError):
    """An argument of the right type whose value will not do."""


class BilingualIndexError(BilingualError, IndexError):
    """A position or token that is in no table."""


class BilingualTypeError(BilingualError, TypeError):
    """An argument of a type that will not do."""


class BilingualRuntimeError(BilingualError, RuntimeError):
    """Something that failed while it ran."""
