"""A code cell in one language; it runs as before.

Three forms occur: ``Text("中文", "English")``, which keeps both its places and says the same in each;
comments; and other strings, docstrings among them, in the form ``中文 · English``. Edits are made where
Python's own parser found them, so that the rest of the cell stays as it was, character by character.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from posenc_lessons.export.phrases import lines, phrase
from posenc_lessons.language import CHINESE, Language

SWITCH = re.compile(r"\blanguage_switch\(\)|(?<=import )language_switch\b")


@dataclass(frozen=True)
class Edit:
    """Characters ``start`` to ``end`` of the source become ``text``."""

    start: int
    end: int
    text: str


def in_language(source: str, language: Language) -> str:
    """``source`` with its words in ``language`` alone; for ``"both"``, or if it is no Python, as it is."""
    if language == "both":
        return source
    source = SWITCH.sub(lambda found: _single(found[0], language), source)
    try:
        tree = ast.parse(source)
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (SyntaxError, tokenize.TokenError):
        return source  # a magic, or a cell that is wrong on purpose
    starts = _line_starts(source)
    edits = [*_texts(source, tree, starts, language), *_comments(source, tokens, starts, language)]
    edits += _strings(source, tree, starts, language, [(edit.start, edit.end) for edit in edits])
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        source = source[: edit.start] + edit.text + source[edit.end :]
    return source


def _single(words: str, language: Language) -> str:
    """What a one-language copy says instead of the language switch, or imports instead of it."""
    return f'single_language("{language}")' if words.endswith(")") else "single_language"


def _line_starts(source: str) -> list[int]:
    starts = [0]
    for line in source.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _span(source: str, node: ast.expr, starts: list[int]) -> tuple[int, int]:
    """Where ``node`` stands in the source, in characters: ast counts columns in UTF-8 bytes."""

    def place(line: int, column: int) -> int:
        start = starts[line - 1]
        return start + len(source[start : starts[line] - 1].encode()[:column].decode())

    assert node.end_lineno is not None and node.end_col_offset is not None  # ast.parse always gives them
    return place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)


def _texts(source: str, tree: ast.AST, starts: list[int], language: Language) -> Iterator[Edit]:
    """``Text("中文", "English")`` → ``Text("English", "English")``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Text":
            if len(node.args) != 2:
                continue
            zh, en = (_span(source, argument, starts) for argument in node.args)
            own, other = (zh, en) if language == "zh" else (en, zh)
            yield Edit(*other, source[slice(*own)])
            yield Edit(*own, source[slice(*own)])  # so that nothing inside is edited again


def _comments(
    source: str, tokens: list[tokenize.TokenInfo], starts: list[int], language: Language
) -> Iterator[Edit]:
    for token in tokens:
        if token.type != tokenize.COMMENT or not CHINESE.search(token.string):
            continue
        start, end = starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1]
        said = phrase(token.string[1:].strip(), language)
        if not said:  # the space before it goes too
            start = len(source[:start].rstrip(" "))
        yield Edit(start, end, f"# {said}" if said else "")


def _strings(
    source: str, tree: ast.AST, starts: list[int], language: Language, taken: list[tuple[int, int]]
) -> Iterator[Edit]:
    """Strings that are not in a ``Text``: what stands between their quotes is rewritten as it is written."""
    for node in _literals(tree):
        start, end = _span(source, node, starts)
        written = source[start:end]
        if CHINESE.search(written) and not any(a <= start and end <= b for a, b in taken):
            said = _between_quotes(written, language)
            if said != written:
                yield Edit(start, end, said)


def _literals(node: ast.AST) -> Iterator[ast.expr]:
    """The string literals below ``node``; what is inside an f-string belongs to it and is not looked at."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        yield node
        return
    for child in ast.iter_child_nodes(node):
        yield from _literals(child)


def _between_quotes(written: str, language: Language) -> str:
    """A string literal, or several side by side, with the words between the quotes in one language."""
    quoted = re.compile(r'([A-Za-z]*)("""|\'\'\'|"|\')(.*?)(?<!\\)\2', re.DOTALL)
    return quoted.sub(lambda q: q[1] + q[2] + lines(q[3], language) + q[2], written)
