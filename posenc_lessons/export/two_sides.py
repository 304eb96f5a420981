"""Split a line that says the same in both languages, ``中文 · English``: headings, comments, alt texts."""

from __future__ import annotations

import re

from posenc_lessons.language import CHINESE, HAN, Language, Text

DOT = " · "
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


def side_by_side(markup: Text) -> str:
    """Return both languages' HTML with a dot between them, each in a span that the page can hide."""
    zh, en = markup.zh, markup.en
    return f'<span lang="zh-Hans">{zh}</span><span class="dot">{DOT}</span><span lang="en">{en}</span>'
