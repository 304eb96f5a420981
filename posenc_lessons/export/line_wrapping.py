"""Fit code and printed text to the width of paper: comments are moved, longer lines continue indented."""

from __future__ import annotations

import io
import re
import tokenize
import unicodedata
from itertools import groupby

COLUMNS = 99  # characters of code that fit in a line between the margins of paper.css
SHORT = 8  # code of at most so many lines stays on one page; longer code breaks at blank lines

_PRE = re.compile(r"<pre[^>]*>(.*?)</pre>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


def fit_comments(source: str) -> str:
    """Return ``source`` (Python) with its comments within ``COLUMNS``; unchanged if it fits or is not Python.

    Comments after code move to the left together; one that is still too long moves above its line.
    """
    if all(width(line) <= COLUMNS for line in source.split("\n")):
        return source
    lines, comments = source.split("\n"), {}
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (SyntaxError, tokenize.TokenError):
        return source
    for token in tokens:
        row, column = token.start[0] - 1, token.start[1]
        if token.type == tokenize.COMMENT and lines[row][:column].strip():
            comments[row] = token.string
            lines[row] = lines[row][:column].rstrip()
    above = {row for row, said in comments.items() if width(lines[row]) + 2 + width(said) > COLUMNS}
    column = max((width(lines[row]) for row in comments.keys() - above), default=0) + 2
    for row, said in comments.items():
        code = lines[row]
        if row in above:
            lines[row] = f"{code[: len(code) - len(code.lstrip())]}{said}\n{code}"
        else:
            room = min(column, COLUMNS - width(said)) - width(code)
            lines[row] = f"{code}{' ' * max(room, 2)}{said}"
    return "\n".join(lines)


def width(text: str) -> int:
    """Return how many columns ``text`` takes; a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def box_lines(markup: str) -> str:
    """Return ``markup`` with every line of its ``pre`` elements in its own box, for the style sheet.

    Each box has its line's indentation. Lines without a blank line between them form a chunk, which stays on
    one page.
    """
    return _PRE.sub(_in_boxes, markup)


def _in_boxes(found: re.Match[str]) -> str:
    lines = found[1].rstrip("\n").split("\n")
    blank = [not _TAG.sub("", line).strip() for line in lines]
    chunks = []
    for empty, rows in groupby(range(len(lines)), key=lambda row: blank[row]):
        boxes = "".join(_box(lines[row]) for row in rows)
        chunks.append(boxes if empty else f'<span class="chunk">{boxes}</span>')
    kind = ' class="short"' if len(lines) <= SHORT else ""
    return f"<pre{kind}>{''.join(chunks)}</pre>"


def _box(line: str) -> str:
    text = _TAG.sub("", line)
    indent = len(text) - len(text.lstrip(" "))
    return f'<span class="line" style="--indent:{indent}ch">{line}</span>'
