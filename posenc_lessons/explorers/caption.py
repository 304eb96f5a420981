"""The sentence below a picture, whose numbers have the colours of their lines and arrows."""

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from string import Formatter
from typing import NamedTuple

from posenc_lessons.figures.theme import Theme
from posenc_lessons.language import Language, Text, current, in_one


@dataclass(frozen=True)
class Colored:
    """A part of a sentence and its colour in the picture, chosen for white paper.

    ``mark`` names the mark of the picture whose card says where the number comes from: "panel layer row
    column", or "panel layer row column term" for one term of a sum.
    """

    text: str
    color: str  # "#rrggbb"
    mark: str = ""


class Span(NamedTuple):
    """Characters ``start`` to ``end`` − 1 of a sentence, with their colour and mark."""

    start: int
    end: int
    color: str
    mark: str = ""


Spans = tuple[Span, ...]


def with_minus(value: float | Real, form: str = "") -> str:
    """Return ``value`` in the format ``form``, with a true minus sign below zero and none at zero."""
    text = format(value, form)
    if text.startswith("-"):
        text = text.replace("-", "−" if any(digit in text for digit in "123456789") else "", 1)
    return text


def number(value: float, color: str, form: str = ".2f", mark: str = "", unit: str = "") -> Colored:
    """Return ``value`` in the format ``form`` with its ``unit``, in that colour and with that ``mark``."""
    return Colored(with_minus(value, form) + unit, color, mark)


@dataclass(frozen=True)
class Caption(Text):
    """A sentence in both languages, and which of its characters have a colour."""

    spans: Mapping[Language, Spans] = field(default_factory=dict)


def filled(template: Text, **values: object) -> Caption:
    """Fill the ``{named}`` places of ``template`` as ``Text.format`` does; numbers get a true minus sign."""
    zh, in_zh = _filled(template.zh, in_one("zh", values))
    en, in_en = _filled(template.en, in_one("en", values))
    return Caption(zh, en, {"zh": in_zh, "en": in_en})


def sentences(*texts: Text) -> Caption:
    """Return ``texts`` one after the other, with a space between them in English."""
    (zh, in_zh), (en, in_en) = _joined(texts, "zh", ""), _joined(texts, "en", " ")
    return Caption(zh, en, {"zh": in_zh, "en": in_en})


def as_html(text: Text, theme: Theme) -> str:
    """Return ``text`` as escaped HTML in the reader's language, or as a block for each of the two.

    A colour is adjusted until it is legible as type. A number with a mark is a button in the panel.
    """
    language = current()
    parts = {spoken: _html(text, sentence, spoken, theme) for spoken, sentence in text.parts().items()}
    if language != "both":
        return parts[language]
    return "".join(
        f'<div lang="{spoken}">{part.replace(chr(10), "<br>")}</div>' for spoken, part in parts.items()
    )


def _filled(template: str, values: Mapping[str, object]) -> tuple[str, Spans]:
    text, spans = "", []
    for literal, name, form, _ in Formatter().parse(template):
        text += literal
        if name is None:
            continue
        value = values[name]
        if isinstance(value, Colored):
            spans.append(Span(len(text), len(text) + len(value.text), value.color, value.mark))
            text += value.text
        else:
            text += with_minus(value, form or "") if isinstance(value, Real) else format(value, form or "")
    return text, tuple(spans)


def _joined(texts: tuple[Text, ...], language: Language, between: str) -> tuple[str, Spans]:
    joined, spans = "", []
    for text in texts:
        sentence = text.show(language)
        joined += between if joined and sentence else ""
        at = len(joined)
        spans += [span._replace(start=at + span.start, end=at + span.end) for span in _spans(text, language)]
        joined += sentence
    return joined, tuple(spans)


def _spans(text: Text, language: Language) -> Spans:
    return text.spans.get(language, ()) if isinstance(text, Caption) else ()


def _html(text: Text, sentence: str, language: str, theme: Theme) -> str:
    markup, at = "", 0
    for start, end, color, mark in _spans(text, "zh" if language == "zh" else "en"):
        style = f"color:{theme.legible(color)};font-weight:600"
        asked = f' data-mark="{html.escape(mark)}"' if mark else ""
        markup += f'{html.escape(sentence[at:start])}<span style="{style}"{asked}>'
        markup += f"{html.escape(sentence[start:end])}</span>"
        at = end
    return markup + html.escape(sentence[at:])
