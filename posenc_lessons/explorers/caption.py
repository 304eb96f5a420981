"""The sentence below a picture: its numbers have the colours of the lines and arrows they speak of."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import NamedTuple

from posenc_lessons.figures.theme import Theme
from posenc_lessons.language import Language, Text, current, in_one


@dataclass(frozen=True)
class Colored:
    """What a sentence says, in the colour, chosen for white paper, of what it speaks of in the picture."""

    text: str
    color: str  # "#rrggbb"


class Span(NamedTuple):
    """The characters ``start`` … ``end`` − 1 of a sentence, and their colour."""

    start: int
    end: int
    color: str


Spans = tuple[Span, ...]


def with_minus(value: float, form: str = "") -> str:
    """``value`` in the format ``form``; below zero with a minus sign, as in formulas, and at zero without."""
    text = format(value, form)
    return text.replace("-", "−" if float(text) else "", 1) if text.startswith("-") else text


def number(value: float, color: str, form: str = ".2f") -> Colored:
    """``value`` in the format ``form``, in that colour."""
    return Colored(with_minus(value, form), color)


@dataclass(frozen=True)
class Caption(Text):
    """A sentence in both languages, and which of its characters have a colour."""

    spans: Mapping[Language, Spans] = field(default_factory=dict)


def filled(template: Text, **values: object) -> Caption:
    """``template`` with its ``{named}`` places filled, as ``Text.format``; ``Colored`` values keep theirs."""
    zh, in_zh = _filled(template.zh, in_one("zh", values))
    en, in_en = _filled(template.en, in_one("en", values))
    return Caption(zh, en, {"zh": in_zh, "en": in_en})


def sentences(*texts: Text) -> Caption:
    """``texts`` one after the other, with a space between where English has one."""
    (zh, in_zh), (en, in_en) = _joined(texts, "zh", ""), _joined(texts, "en", " ")
    return Caption(zh, en, {"zh": in_zh, "en": in_en})


def as_html(text: Text, theme: Theme) -> str:
    """``text`` as HTML in the reader's language, or a block for each of both; what it quotes is escaped.

    A colour is adjusted until it can be read as type; below the characters runs a line in the very colour.
    """
    language = current()
    parts = {spoken: _html(text, said, spoken, theme) for spoken, said in text.parts().items()}
    if language != "both":
        return parts[language]
    return "".join(
        f'<div lang="{spoken}">{part.replace(chr(10), "<br>")}</div>' for spoken, part in parts.items()
    )


def paragraph(content: str, attributes: str = "") -> str:
    """HTML as a paragraph beside a picture."""
    return f'<div style="margin:2px 8px;line-height:1.35" {attributes}>{content}</div>'


def headed(name: Text, said: Text) -> str:
    """``said`` after its bold ``name``, as HTML in the reader's language; what they quote is escaped."""
    return f"<b>{html.escape(name.show())}</b>&ensp;{html.escape(said.show())}"


def _filled(template: str, values: Mapping[str, object]) -> tuple[str, Spans]:
    text, spans = "", []
    for literal, name, form, _ in Formatter().parse(template):
        text += literal
        if name is None:
            continue
        value = values[name]
        if isinstance(value, Colored):
            spans.append(Span(len(text), len(text) + len(value.text), value.color))
            text += value.text
        else:
            text += format(value, form or "")
    return text, tuple(spans)


def _joined(texts: tuple[Text, ...], language: Language, between: str) -> tuple[str, Spans]:
    joined, spans = "", []
    for text in texts:
        said = text.show(language)
        joined += between if joined and said else ""
        at = len(joined)
        spans += [Span(at + start, at + end, color) for start, end, color in _spans(text, language)]
        joined += said
    return joined, tuple(spans)


def _spans(text: Text, language: Language) -> Spans:
    return text.spans.get(language, ()) if isinstance(text, Caption) else ()


def _html(text: Text, said: str, language: str, theme: Theme) -> str:
    made, at = "", 0
    for start, end, color in _spans(text, "zh" if language == "zh" else "en"):
        style = f"color:{theme.legible(color)};border-bottom:2px solid {theme.shown(color)};font-weight:600"
        made += f'{html.escape(said[at:start])}<span style="{style}">{html.escape(said[start:end])}</span>'
        at = end
    return made + html.escape(said[at:])
