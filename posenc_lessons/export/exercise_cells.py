"""Write the reference solution into an exercise's cell, between marks with which nbgrader removes it.

The stub stays as it is in the lesson. The solution comes after it and takes its name. It is always read from
``exercises/solutions``, where tests check it.
"""

import ast
import importlib
import inspect
from collections.abc import Iterator

from posenc_lessons.exercises.exercise import Exercise

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


def with_solution(source: str, exercise: Exercise, known: set[str]) -> str:
    """Return an exercise's cell with its solution; ``known`` are the names that cells above import."""
    (stub,) = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef))
    solution = inspect.getsource(exercise.solution).rstrip()
    name = exercise.solution.__name__
    region = [*_needed(exercise, solution, known), solution]
    if name != stub.name:
        region.append(f"\n\n{stub.name} = {name}")
    lines = source.split("\n")
    lines[stub.end_lineno : stub.end_lineno] = [BEGIN, *"\n".join(region).split("\n"), END]
    return "\n".join(lines)


def _needed(exercise: Exercise, solution: str, known: set[str]) -> Iterator[str]:
    """Yield the imports and the constants of the solution's module that it uses and that ``known`` lacks."""
    module = importlib.import_module(exercise.solution.__module__)
    body = ast.parse(inspect.getsource(module)).body
    names = _names(ast.parse(solution))
    constants = [node for node in body if isinstance(node, ast.Assign) and _bound(node) & names]
    names = names.union(*map(_names, constants)) - known
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [alias for alias in node.names if (alias.asname or alias.name) in names]
            if node.names:
                yield ast.unparse(node)
    yield from map(ast.unparse, constants)


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _bound(node: ast.Assign) -> set[str]:
    return set().union(*map(_names, node.targets))
