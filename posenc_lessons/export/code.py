"""Write a code cell in one language; it runs as before.

Three forms occur: ``Text("中文", "English")``, which becomes ``Text("English")`` in an English copy; comments
and docstrings of the form ``中文 · English``. Python's parser finds the places to edit. Of the rest only the
gaps before comments change: those in one column move left together, as far as their code lets them.
"""

import ast
import io
import tokenize
from collections.abc import Iterator

from posenc_lessons.export.two_sides import split
from posenc_lessons.language import Language

Edit = tuple[int, int, str]  # characters of the source, from and to, and what replaces them


def in_language(source: str, language: Language) -> str:
    """Return ``source`` with its words in ``language``; unchanged for ``"both"``, or if it is not Python."""
    if language == "both":
        return source
    source = source.replace("import language_switch", "import single_language")
    source = source.replace("language_switch()", f'single_language("{language}")')
    try:
        tree = ast.parse(source)
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (SyntaxError, tokenize.TokenError):
        return source  # a magic, or a cell that is wrong on purpose
    starts = _line_starts(source)
    edits = [*_texts(source, tree, starts, language), *_comments(source, tokens, starts, language)]
    edits += _strings(source, tree, starts, language, [*edits])
    for start, end, text in sorted(edits, reverse=True):
        source = source[:start] + text + source[end:]
    return source


def _line_starts(source: str) -> list[int]:
    starts = [0]
    for line in source.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _span(source: str, node: ast.expr, starts: list[int]) -> tuple[int, int]:
    """Return the place of ``node`` in the source, in characters, because ast counts in UTF-8 bytes."""

    def place(line: int, column: int) -> int:
        start = starts[line - 1]
        return start + len(source[start : starts[line] - 1].encode()[:column].decode())

    assert node.end_lineno is not None and node.end_col_offset is not None  # ast.parse always gives them
    return place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)


def _texts(source: str, tree: ast.AST, starts: list[int], language: Language) -> Iterator[Edit]:
    """Yield the edits that turn ``Text("中文", "English")`` into ``Text("English")``."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or len(node.args) != 2:
            continue
        if isinstance(node.func, ast.Name) and node.func.id == "Text":
            zh, en = (_span(source, argument, starts) for argument in node.args)
            yield zh[0], en[1], source[slice(*(zh if language == "zh" else en))]


def _comments(
    source: str, tokens: list[tokenize.TokenInfo], starts: list[int], language: Language
) -> Iterator[Edit]:
    lines = source.split("\n")
    code_ends: dict[int, int] = {}  # by column of comments, where their longest code ends
    comments = [token for token in tokens if token.type == tokenize.COMMENT]
    for row, column in (token.start for token in comments):
        code_ends[column] = max(code_ends.get(column, 0), len(lines[row - 1][:column].rstrip()))
    for token in comments:
        row, column = token.start
        start = starts[row - 1] + column
        if code := lines[row - 1][:column].rstrip():
            gap = min(code_ends[column] + 2, column) - len(code)
            yield start - column + len(code), start, " " * gap
        if sides := split(token.string[1:].strip()):
            yield start, start + len(token.string), f"# {sides.show(language)}"


def _strings(
    source: str, tree: ast.AST, starts: list[int], language: Language, taken: list[Edit]
) -> Iterator[Edit]:
    """Yield the edits of strings ``中文 · English`` outside of a ``Text``, such as docstrings."""
    in_f_strings = {
        part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or node in in_f_strings:
            continue
        sides = split(node.value)
        start, end = _span(source, node, starts)
        if sides and not any(a <= start and end <= b for a, b, _ in taken):
            yield start, end, source[start:end].replace(node.value, sides.show(language))
