"""A phrase in both languages, ``中文 · English``, as one language says it.

So are written headings, comments in code, and the words that code prints. What both readers share may
stand around it: ``✘ 太晚了 · too late``, ``[B, L, 头 · heads, d]``, ``{n} 对 · pairs: {mean}``.
"""

from __future__ import annotations

import re

from posenc_lessons.language import CHINESE, HAN, Language

DOT = " · "
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_COUNT = re.compile(rf"(?:[\d{{}}\w.]+ )?(?={HAN.pattern})")
# What ends a lead that both readers need: a mark, an arrow, a shape, a value filled in, a comma, a colon.
_LEAD = re.compile(r"(?:→ |✘ |✔ |, |，|: |：|\} |\]|\] )$")

_HALFWIDTH = {
    **{"，": ", ", "、": ", ", "。": ". ", "：": ": ", "；": "; ", "（": " (", "）": ") ", "！": "! "},
    **{"？": "? ", "《": " “", "》": "” ", "　": " "},
}


def phrase(text: str, language: Language) -> str:
    """``text`` (one line) in ``language``; as it is where it has no Chinese or the language is both.

    For English a text of Chinese alone becomes nothing; for Chinese it stays.
    """
    if language == "both" or not CHINESE.search(text):
        return text
    text = _BRACKETS.sub(lambda found: _in_brackets(found.group(), language), text)
    if not HAN.search(text):
        return halfwidth(text) if language == "en" else text
    zh, en = _sides(text)
    if language == "zh":
        return zh + _value_of_the_other(zh, en)
    if not en:
        return ""
    lead = _shared_lead(zh)
    return halfwidth(lead) + en if lead and not en.startswith(halfwidth(lead).strip()[:4]) else en


def lines(text: str, language: Language) -> str:
    """A printed text, line by line; a line that has nothing for this reader is left out.

    An error of the package says the same in both languages, English on one line and Chinese on the next.
    """
    if language == "both" or not CHINESE.search(text):
        return text
    kept: list[str] = []
    for line in text.split("\n"):
        said = phrase(line, language)
        if language == "zh" and HAN.search(line) and DOT not in line and kept and _is_english(kept[-1]):
            kept[-1] = _name_of_error(kept[-1]) + line
        elif said or not line:
            kept.append(said)
    return "\n".join(kept)


def halfwidth(text: str) -> str:
    """``text`` with Western punctuation: what is left when the Han around it is gone."""
    for wide, plain in _HALFWIDTH.items():
        text = re.sub(rf" *{re.escape(wide)} *", plain, text)
    text = re.sub(r"\) +(?=[,.:;)])", ")", text)
    text = "".join(chr(ord(c) - 0xFEE0) if "\uff01" <= c <= "\uff5e" else c for c in text)
    return CHINESE.sub("", text)


def heading(text: str, language: Language) -> str:
    """``## 中文 · English`` with the side of ``language``; ``## 3 · 中文 · English`` keeps its number."""
    marks, words = re.fullmatch(r"(#+ +)(.*)", text, flags=re.DOTALL).groups()  # type: ignore[union-attr]
    number, zh, en = heading_sides(words)
    if language == "both" or not zh:
        return text
    return marks + (number + DOT if number else "") + (zh if language == "zh" else en)


def heading_sides(words: str) -> tuple[str, str, str]:
    """The number, the Chinese and the English of a heading; no Chinese where it has none."""
    parts = words.split(DOT)
    number = parts.pop(0) if len(parts) > 1 and re.fullmatch(r"\d+", parts[0]) else ""
    if lesson := re.match(rf"(\d\d) (?=.*{HAN.pattern})", parts[0]):  # 05 中文 · English: both share it
        number, parts[0] = lesson[1], parts[0][lesson.end() :]
    last = max((place for place, part in enumerate(parts) if HAN.search(part)), default=-1)
    if last < 0:
        return number, "", DOT.join(parts)
    return number, DOT.join(parts[: last + 1]), DOT.join(parts[last + 1 :])


def _sides(text: str) -> tuple[str, str]:
    parts = text.split(DOT)
    last = max(place for place, part in enumerate(parts) if CHINESE.search(part))
    return DOT.join(parts[: last + 1]), DOT.join(parts[last + 1 :])


def _in_brackets(text: str, language: Language) -> str:
    """``[2 层 · layers, 头 · heads, L]``: each of the things between the commas by itself."""
    if not HAN.search(text) or DOT not in text:
        return text
    return f"[{', '.join(_counted(part, language) for part in text[1:-1].split(', '))}]"


def _counted(part: str, language: Language) -> str:
    if DOT not in part:
        return part
    zh, en = part.split(DOT, 1)
    count = _COUNT.match(zh)
    return zh if language == "zh" else (count.group() if count else "") + en


def _shared_lead(zh: str) -> str:
    found = HAN.search(zh)
    before = zh[: found.start()] if found else ""
    return before if _LEAD.search(before) else ""


def _value_of_the_other(zh: str, en: str) -> str:
    """``{n} 对`` and ``pairs: {mean}``: the colon, and the value after it, belong to both."""
    value = re.search(r":( *\{.*| *)$", en, flags=re.DOTALL)
    return value.group() if value and "：" not in zh and not zh.rstrip().endswith(":") else ""


def _is_english(line: str) -> bool:
    return not CHINESE.search(line) and len(re.findall(r"[A-Za-z]{2,}", line)) >= 5


def _name_of_error(line: str) -> str:
    named = re.match(r"(?:[✘✔] )?(?:\w+(?:Error|Warning): )?", line)
    return named.group() if named else ""
