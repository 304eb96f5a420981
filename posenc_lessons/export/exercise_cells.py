"""Write the reference solution into an exercise's cell, between marks with which nbgrader removes it.

The stub stays as it is in the lesson. The solution comes before the ``...`` that a learner replaces. It is
always read from ``exercises/solutions``, where tests check it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import io
import textwrap
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"

FunctionPath = tuple[str, ...]  # the names of a function, or of a class and its method


@dataclass(frozen=True)
class ExerciseCell:
    """An exercise's cell: the name of the function or class asked for, its check, and the check's module."""

    source: str
    name: str
    check: str
    module: str


def read_exercise(source: str) -> ExerciseCell:
    """Read an exercise's cell: the import of a check, a stub, the call of the check."""
    tree = ast.parse(source)
    (imported,) = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    (stub,) = (node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef))
    assert imported.module is not None
    return ExerciseCell(source, stub.name, imported.names[0].name, imported.module)


def with_solution(asked: ExerciseCell, known: set[str]) -> str:
    """Return the exercise's cell with its solution; ``known`` are the names that cells above import."""
    check = getattr(importlib.import_module(asked.module), asked.check)
    solution = check.solution
    reference = inspect.getsource(importlib.import_module(solution.__module__))
    answers = dict(_functions(ast.parse(reference)))
    lines = asked.source.split("\n")
    for path, stub in reversed(list(_functions(ast.parse(asked.source)))):
        within = (solution.__name__, *path[1:])
        answer = answers[within]
        gap = stub.body[-1]
        region = [BEGIN, *_body(stub, answer, reference, known), END]
        lines[gap.lineno - 1 : gap.lineno - 1] = [
            textwrap.indent(line, " " * gap.col_offset) for line in region
        ]
    return "\n".join(lines)


def _functions(tree: ast.AST, *outer: str) -> Iterator[tuple[FunctionPath, ast.FunctionDef]]:
    """Yield the functions of the module, and the methods of its classes."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield (*outer, node.name), node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, node.name)


def _body(stub: ast.FunctionDef, answer: ast.FunctionDef, reference: str, known: set[str]) -> list[str]:
    """Return the lines of ``answer`` without its docstring and without lines that the stub has.

    Parameters have the stub's names. Imports that ``known`` lacks come first.
    """
    done = [ast.dump(node) for node in stub.body]
    rest = [node for node in answer.body[1:] if ast.dump(node) not in done]
    if ast.get_docstring(answer) is None:
        rest = [node for node in answer.body if ast.dump(node) not in done]
    before = [node.end_lineno or 0 for node in answer.body if node.lineno < rest[0].lineno]
    written = reference.split("\n")[max(before, default=rest[0].lineno - 1) : answer.end_lineno]
    names = dict(zip(_parameters(answer), _parameters(stub), strict=True))
    used = {node.id for node in ast.walk(ast.Module(rest, [])) if isinstance(node, ast.Name)}
    code = _renamed(textwrap.dedent("\n".join(written)), names)
    return [*_imports(reference, used - known), *code.split("\n")]


def _parameters(function: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in function.args.args]


def _imports(source: str, used: set[str]) -> Iterator[str]:
    """Yield the imports of ``source`` that bind a name in ``used``."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [alias for alias in node.names if (alias.asname or alias.name) in used]
            if node.names:
                yield ast.unparse(node)


def _renamed(source: str, names: dict[str, str]) -> str:
    """Return ``source`` with its variables renamed by ``names``; attributes do not change."""
    lines = source.split("\n")
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    for before, token in reversed(list(zip([None, *tokens], tokens, strict=False))):
        attribute = before is not None and before.string == "."
        if token.type == tokenize.NAME and not attribute:
            (line, start), (_, end) = token.start, token.end
            written = lines[line - 1]
            lines[line - 1] = written[:start] + names.get(token.string, token.string) + written[end:]
    return "\n".join(lines)
