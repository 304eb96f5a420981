"""Separate two languages: a line ``中文 · English`` (headings, comments, alt texts), and blocks of prose."""

import re

from posenc_lessons.language import CHINESE, HAN, Language, Text

DOT = " · "
OPENING = re.compile(r'<div lang="(zh|en)">')
CLOSING = "</div>"
_SPANS = re.compile(r'<span lang="(zh|en)">(.*?)</span> ?')
_ALT = re.compile(r"(!\[)([^\]]*)(\])")
_NUMBER = re.compile(rf"(\d+)(?:{DOT}| )(?=.*{HAN.pattern})")  # 3 · 中文 · English, 05 中文 · English


def split(words: str) -> Text | None:
    """Return the two sides of ``words``; None for a line that is not in both languages.

    The last `` · `` separates them: Chinese before it, no Chinese after it.
    """
    zh, dot, en = words.rpartition(DOT)
    return Text(zh, en) if dot and HAN.search(zh) and not CHINESE.search(en) else None


def in_language(words: str, language: Language) -> str:
    """Return the side of ``language``; the whole line for both, or if the line does not have two sides."""
    sides = None if language == "both" else split(words)
    return words if sides is None else sides.show(language)


def heading_sides(words: str) -> tuple[str, str, str]:
    """Return the number of a heading, its Chinese and its English; "" for a missing part."""
    number = _NUMBER.match(words)
    sides = split(words[number.end() :] if number else words)
    if sides is None:
        return "", "", words
    return number[1] if number else "", sides.zh, sides.en


def heading(line: str, language: Language) -> str:
    """Return a Markdown heading, ``## 3 · 中文 · English``, with its number and the side of ``language``."""
    marks, words = re.fullmatch(r"(#+ +)(.*)", line).groups()  # type: ignore[union-attr]
    number, zh, en = heading_sides(words)
    if language == "both" or not zh:
        return line
    return marks + (number + DOT if number else "") + (zh if language == "zh" else en)


def prose_in_language(source: str, language: Language) -> str:
    """Return a Markdown cell in ``language``; unchanged for ``"both"``."""
    if language == "both":
        return source
    lines: list[str] = []
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
            lines.append(line if fenced else _outside(line, language))
        elif block == language:
            lines.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def _outside(line: str, language: Language) -> str:
    """Return a line outside of the language blocks (a heading, a picture, a fold, a row) in ``language``."""
    if line.startswith("#"):
        return heading(line, language)
    line = _SPANS.sub(lambda span: span[2] if span[1] == language else "", line)
    return _ALT.sub(lambda alt: alt[1] + in_language(alt[2], language) + alt[3], line)
