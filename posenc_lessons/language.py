"""The reader's language: one choice for every label, message and text in a picture.

``Text`` holds a sentence in both languages; ``BilingualError`` does the same for errors. ``current()`` is the
reader's choice. Code that shows text registers with ``on_change`` and shows it again after a change. Pure
Python, for every room.
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
NAMES: dict[Language, str] = {"zh": "中文", "en": "English", "both": "双语"}  # in the language itself

# HAN_CLASS has the ranges of Chinese characters, to put in the brackets of a regular expression. HAN matches
# one of them; CHINESE also matches their punctuation and the wide forms of Latin letters and marks.
HAN_CLASS = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HAN = re.compile(f"[{HAN_CLASS}]")
CHINESE = re.compile(rf"[\u3000-\u303f{HAN_CLASS}\uff00-\uffef]")

_current: Language = "both"
_alone: Language | None = None  # the language of a copy of a lesson made in one language
_listeners: list[Callable[[], None]] = []
_changing = threading.RLock()  # several threads of a kernel handle JupyterLab's messages


@dataclass(frozen=True)
class Text:
    """One sentence in Chinese and in English; given once, it is the same in both."""

    zh: str
    en: str = "\0"  # not given

    def __post_init__(self) -> None:
        if self.en == "\0":
            object.__setattr__(self, "en", self.zh)

    def show(self, language: Language | None = None, between: str = " · ") -> str:
        """Return the text in ``language`` (None: the reader's); "both" joins the two by ``between``."""
        language = current() if language is None else language
        if language == "both":
            language = _alone or "both"
        if language == "both":
            return self.zh if self.zh == self.en else f"{self.zh}{between}{self.en}"
        return self.zh if language == "zh" else self.en

    def format(self, **values: object) -> Text:
        """Fill the same ``{named}`` places in both languages; a value that is a Text follows the language."""
        return Text(self.zh.format(**in_one("zh", values)), self.en.format(**in_one("en", values)))

    def html(self, tag: str = "div") -> str:
        """Return an HTML block for each language; the page's switch hides one of them. Text is escaped.

        ``tag`` "pre" keeps spaces and lines. A text that is the same in both languages has only one block.
        """
        if tag == "pre" and self.zh == self.en:
            return f"<pre>{html.escape(self.zh)}</pre>"
        escaped = {spoken: html.escape(text) for spoken, text in self.parts().items()}
        if tag != "pre":
            escaped = {spoken: text.replace("\n", "<br>") for spoken, text in escaped.items()}
        return "".join(f'<{tag} lang="{spoken}">{text}</{tag}>' for spoken, text in escaped.items())

    def parts(self) -> dict[str, str]:
        """Return the text by language, "zh" and "en"; only one of them in a copy made in one language."""
        both = {"zh": self.zh, "en": self.en}
        return {_alone: both[_alone]} if _alone in both else both

    def __str__(self) -> str:
        return self.show()


def in_one(language: Language, values: Mapping[str, object]) -> dict[str, object]:
    """Return ``values`` with each ``Text`` replaced by its words in ``language``."""
    return {k: value.show(language) if isinstance(value, Text) else value for k, value in values.items()}


def joined(texts: Iterable[Text], zh: str = "、", en: str = ", ") -> Text:
    """Join ``texts``, with ``zh`` and ``en`` between them."""
    every = list(texts)
    return Text(zh.join(text.zh for text in every), en.join(text.en for text in every))


def current() -> Language:
    """Return the reader's language."""
    return _current


def choose(language: Language) -> None:
    """Set the reader's language and call all listeners."""
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
    """Change ``current()`` to ``language`` within the ``with`` block; listeners are not called."""
    global _current
    before, _current = _current, language
    try:
        yield
    finally:
        _current = before


def only(language: Language) -> None:
    """Show only this language from now on, even if the reader chooses both; "both" ends that."""
    global _alone
    _alone = language if language in ("zh", "en") else None  # before pictures are drawn again
    choose(language)


def alone() -> Language | None:
    """Return the language of a copy of a lesson made in one language; None if it has both."""
    return _alone


def call_all(listeners: Iterable[Callable[[], None]]) -> None:
    """Call all ``listeners``, even if some raise an error; then raise the first error."""
    errors: list[Exception] = []
    for listener in list(listeners):
        try:
            listener()
        except Exception as error:
            errors.append(error)
    if errors:
        raise errors[0]


def on_change(listener: Callable[[], None]) -> Callable[[], None]:
    """Call ``listener()`` after each change of language; return a function that stops it.

    Calling that function twice is harmless. Until then the listener is kept, and with it its object.
    """
    _listeners.append(listener)

    def stop() -> None:
        if listener in _listeners:
            _listeners.remove(listener)

    return stop


class BilingualError(Exception):
    """An error whose text follows the reader's language: one line, or English above Chinese for both.

    ``str(error)`` reads the language each time, so an error that is shown later has the language of that
    moment. The subclasses below are also subclasses of the built-in errors that callers expect.
    """

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(zh, en)  # both are arguments, so that a pickled copy has both
        self.zh, self.en = zh, en

    @property
    def text(self) -> Text:
        """The message as a ``Text``."""
        return Text(self.zh, self.en)

    def __str__(self) -> str:
        shown = alone() or current()
        return f"{self.en}\n{self.zh}" if shown == "both" else self.text.show(shown)


def text_of(error: BaseException) -> Text:
    """Return the message of ``error`` as a ``Text``, in both languages if it has both."""
    return error.text if isinstance(error, BilingualError) else Text(str(error), str(error))


class BilingualValueError(BilingualError, ValueError):
    """An argument of the right type with a wrong value."""


class BilingualIndexError(BilingualError, IndexError):
    """An index that a table or vocabulary does not have."""


class BilingualTypeError(BilingualError, TypeError):
    """An argument of a wrong type."""


class BilingualRuntimeError(BilingualError, RuntimeError):
    """A failure at run time."""
