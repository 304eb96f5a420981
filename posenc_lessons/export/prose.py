"""A Markdown cell in one language: the other's blocks go, one's own lose their tags."""

from __future__ import annotations

import re

from posenc_lessons.export.phrases import heading, phrase
from posenc_lessons.language import Language

OPENING = re.compile(r'<div lang="(zh|en)">')
CLOSING = "</div>"
_SPANS = re.compile(r'<span lang="(zh|en)">(.*?)</span> ?')
_ALT = re.compile(r"(!\[)([^\]]*)(\])")


def in_language(source: str, language: Language) -> str:
    """``source`` as a reader of ``language`` alone needs it; for ``"both"`` as it is."""
    if language == "both":
        return source
    kept: list[str] = []
    block: str | None = None
    fenced = False
    for line in source.split("\n"):
        opening = OPENING.fullmatch(line)
        if opening:
            block = opening.group(1)
        elif block is not None and line == CLOSING:
            block = None
        elif block is None:
            fenced ^= line.startswith("```")
            kept.append(line if fenced else _outside(line, language))
        elif block == language:
            kept.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n")


def _outside(line: str, language: Language) -> str:
    """A line that both readers share: a heading, a picture, a fold, a table of numbers."""
    if line.startswith("#"):
        return heading(line, language)
    line = _SPANS.sub(lambda span: span[2] if span[1] == language else "", line)
    return _ALT.sub(lambda alt: alt[1] + phrase(alt[2], language) + alt[3], line)
