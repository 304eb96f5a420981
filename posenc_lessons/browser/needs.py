"""Find the cells of a lesson that have to run before another cell, by the names that they use.

A cell waits only for those above that make one of its names, or alter it, and for those on which these
depend. In a page, running all cells above would take a minute in the longest lesson.
"""

import ast
import dis
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType

CELLS = 1024  # how many answers are cached: enough for the course, which asks about each cell several times
LOADS = frozenset({"LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"})
STORES = frozenset({"STORE_NAME", "STORE_GLOBAL"})
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# A call whose result is not used, such as train(model), alters its arguments, except for these.
READING = frozenset({"display", "print", "say", "show", "guess", "settle"})


@dataclass(frozen=True)
class Names:
    """The names of a cell: ``used`` ones it reads, ``bound`` ones it makes, ``altered`` ones it may change.

    ``imported`` ones it takes from modules; nothing alters these.
    """

    used: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    altered: frozenset[str] = frozenset()
    imported: frozenset[str] = frozenset()


@lru_cache(CELLS)
def names_in(source: str, trains: bool = False) -> Names:
    """Return the names of the code ``source``; none if it is not Python.

    A cell that ``trains`` runs only when the reader asks for it. Only what it makes waits for that: its
    imports are run without it, and the data that it gives to functions is not altered.
    """
    try:
        tree = ast.parse(source)
        code = compile(source, "<cell>", "exec", dont_inherit=True)
    except SyntaxError:
        return Names()
    instructions = dis.get_instructions(code)
    bound = frozenset(item.argval for item in instructions if item.opname in STORES)
    used, imported = frozenset(_used(code, bound)), frozenset(_imported(tree))
    altered = frozenset(_altered(tree, trains)) - bound
    return Names(used, bound - imported if trains else bound, altered, imported)


def imports_in(source: str) -> str:
    """Return the imports at the top level of the code; none if it is not Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return ""
    imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    return "\n".join(map(ast.unparse, imports))


def needed(cells: Sequence[tuple[str, Names]], at: int) -> list[str]:
    """Return the ids of the cells before place ``at`` on which the cell there depends, in their order.

    For each name these are the last cell that makes it, and the cells that alter it afterwards.
    """
    imported = frozenset[str]().union(*(names.imported for _, names in cells))
    wanted = set(cells[at][1].used)
    ids: list[str] = []
    for cell, names in reversed(cells[:at]):
        if wanted & (names.bound | (names.altered - imported)):
            ids.append(cell)
            wanted = (wanted - names.bound) | names.used
    return ids[::-1]


def _used(code: CodeType, module: frozenset[str]) -> Iterator[str]:
    """Yield the global names that ``code`` loads before it stores them.

    Functions run later: within them, names that the ``module`` stores anywhere do not count.
    """
    stored: set[str] = set()
    for instruction in dis.get_instructions(code):
        if instruction.opname in STORES:
            stored.add(instruction.argval)
        elif instruction.opname in LOADS and instruction.argval not in stored:
            yield instruction.argval
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from (name for name in _used(inner, module) if name not in module)


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)


def _altered(tree: ast.Module, trains: bool) -> Iterator[str]:
    """Yield the names that statements may alter: x[0] = …, x.y = …, x += …, x.append(…).

    If the cell does not train, also train(x), and a draw of random numbers, which alters its generator.
    """
    for statement in tree.body:
        if isinstance(statement, DEFINITIONS):
            continue
        for node in ast.walk(statement):
            if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
                yield from _root(node)
            elif isinstance(node, ast.AugAssign):
                yield from _root(node.target)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                yield from _altered_by(node.value, trains)
            elif isinstance(node, ast.keyword) and node.arg == "generator" and not trains:
                yield from _root(node.value)


def _altered_by(call: ast.Call, trains: bool) -> Iterator[str]:
    """Yield the object of a call and, unless the cell trains, its arguments; nothing if it only reads."""
    if isinstance(call.func, ast.Name) and (call.func.id in READING or call.func.id.startswith("check_")):
        return
    if isinstance(call.func, ast.Attribute):
        yield from _root(call.func)
    for argument in () if trains else (*call.args, *(keyword.value for keyword in call.keywords)):
        yield from _root(argument)


def _root(node: ast.expr) -> Iterator[str]:
    """Yield the name at the root of ``x``, ``x.y`` or ``x[0]``."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
