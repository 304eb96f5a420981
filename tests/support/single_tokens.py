"""Changes of single tokens after which a file is still a program: operators, truth values, numbers."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

OTHER = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "/", "%": "*", "**": "*", "&": "|", "|": "&"}
OTHER |= {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "<<": ">>"}
OTHER |= {"and": "or", "or": "and", "not": "", "True": "False", "False": "True", "in": "not in"}


class Change(NamedTuple):
    file: str  # within the package
    row: int  # from 1
    column: int
    old: str
    new: str
    line: str  # without spaces around it
    indent: int

    def __str__(self) -> str:
        before = self.line[: self.column - self.indent].count(self.old)
        which = f" ({before + 1})" if self.line.count(self.old) > 1 else ""  # first, second … in its line
        return f"`{self.file}` `{self.line}` `{self.old} → {self.new}`{which}"

    def of(self, source: str) -> str:
        """Return ``source`` with this change."""
        lines = source.split("\n")
        line, end = lines[self.row - 1], self.column + len(self.old)
        lines[self.row - 1] = line[: self.column] + self.new + line[end:]
        return "\n".join(lines)


def changes_of(path: Path, package: Path) -> Iterator[Change]:
    """Yield the changes of ``path``, none of them inside an annotation or the text of an f-string."""
    source = path.read_text(encoding="utf-8")
    lines = source.split("\n")
    annotations = set(_annotations(ast.parse(source)))
    before, inside = "", 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        inside += {"FSTRING_START": 1, "FSTRING_END": -1}.get(tokenize.tok_name[token.type], 0)
        text, (row, column) = token.string, token.start
        news = [OTHER[text]] if text in OTHER and token.type in (tokenize.OP, tokenize.NAME) else []
        if token.type == tokenize.NUMBER and text.isdecimal():
            news = [str(int(text) + 1)]
        elif token.type == tokenize.NUMBER and "j" not in text:
            news = [f"({text} * 1.5 + 1e-3)"]
        unpacked = text in ("*", "**") and before in ("(", ",", "[", "{", ":")
        if news and not inside and not unpacked and (row, column) not in annotations:
            name = path.relative_to(package).as_posix()
            line = lines[row - 1].strip()
            change = Change(name, row, column, text, news[0], line, lines[row - 1].index(line))
            if _is_program(change.of(source)):
                yield change
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            before = text


def _annotations(tree: ast.AST) -> Iterator[tuple[int, int]]:
    """Yield the places of annotations, which have no effect when the program runs."""
    for node in ast.walk(tree):
        for each in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(each, ast.expr) and each.end_col_offset is not None:
                yield from ((each.lineno, column) for column in range(each.col_offset, each.end_col_offset))


def _is_program(source: str) -> bool:
    try:
        compile(source, "change", "exec")
    except (SyntaxError, ValueError):
        return False
    return True
