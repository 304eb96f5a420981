"""Find which cells of a lesson have to run before another one, by the names that they use."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

RANDOM = "(random numbers)"  # stands for torch's stream of them, as if it were a name
DRAWING = frozenset({"bernoulli", "multinomial", "normal", "rand", "randint", "randn", "randperm"})
# A call whose result is dropped is there for what it changes, as in train(model); not so these.
READING = frozenset({"display", "print", "say", "show", "guess", "settle", "manual_seed", "set_printoptions"})
# A call whose result is kept may change its arguments too if it has one of these in its name.
TRAINING = ("train", "tune", "fit", "step", "backward", "load")
# Calls of these take minutes in a page, and so does what begins with "train_".
TRAINS = frozenset({"train", "run_race", "trained_short", "lengthened", "compare_ways"})
CELLS = 1024  # whose answers are kept: those of the course, for each is asked about several times


@dataclass(frozen=True)
class Names:
    """What a cell does with names: ``used`` it reads, ``bound`` it makes new, ``changed`` it may alter."""

    used: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()


@lru_cache(CELLS)
def names_in(source: str) -> Names:
    """Return what the code ``source`` does with names; nothing where it is no Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return Names()
    bound = set(_bound(tree.body))
    used = set(_used(tree.body))
    changed = set(_changed(tree.body)) - _imported(tree)
    seeds, draws = _randomness(tree)
    if draws and not seeds:
        used.add(RANDOM)
    if draws:
        changed.add(RANDOM)
    if seeds:
        bound.add(RANDOM)
    return Names(frozenset(used | changed), frozenset(bound), frozenset(changed - bound))


def names_in_page(source: str) -> Names:
    """Return ``names_in(source)``, where nothing waits for a cell that trains but what uses what it trained.

    What such a cell imports is imported without it, and random numbers go on as if it had drawn none.
    """
    names = names_in(source)
    if not trains(source):
        return names
    free = names_in(imports_in(source)).bound | {RANDOM}
    return Names(names.used, names.bound - free, names.changed - free)


def needed(cells: Sequence[tuple[str, Names]], at: int) -> list[str]:
    """Return the ids of the cells before place ``at`` that it builds on, in their order.

    For each name these are the last cell that makes it new, and those that alter it afterwards.
    """
    wanted = set(cells[at][1].used)
    found: list[str] = []
    for cell, names in reversed(cells[:at]):
        if wanted & (names.bound | names.changed):
            found.append(cell)
            wanted = (wanted - names.bound) | names.used
    return found[::-1]


def imports_in(source: str) -> str:
    """Return the imports at the top of the code."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return ""
    return "\n".join(
        ast.unparse(node) for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))
    )


@lru_cache(CELLS)
def trains(source: str) -> bool:
    """Return whether the code trains a model as it runs: it calls what trains, or has a loop of steps."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return False
    if any(isinstance(node, ast.For) and {"backward", "step"} <= _methods(node) for node in ast.walk(tree)):
        return True
    within = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    calls = (
        node
        for statement in tree.body
        if not isinstance(statement, within)
        for node in ast.walk(statement)
        if isinstance(node, ast.Call)
    )
    # A model's own train() or train(False) sets a mode.
    return any(
        _name_of(call).startswith("train_")
        or (_name_of(call) in TRAINS and (isinstance(call.func, ast.Name) or len(call.args) > 1))
        for call in calls
    )


def _methods(node: ast.AST) -> set[str]:
    """Return the names of the methods that are called without arguments within ``node``."""
    calls = (each for each in ast.walk(node) if isinstance(each, ast.Call) and not each.args)
    return {call.func.attr for call in calls if isinstance(call.func, ast.Attribute)}


def _bound(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements make new, also in loops and branches, but not in functions."""
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield statement.name
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
        else:
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id
                elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    yield node.name


def _used(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements read and that no statement before them has made, in that order."""
    made: set[str] = set()
    for statement in body:
        own = {name for node in ast.walk(statement) for name in _inside(node)}
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in made | own:
                yield node.id
        if not isinstance(statement, (ast.If, ast.While, ast.Try)):  # which may not come to make them
            made.update(_bound([statement]))


def _inside(node: ast.AST) -> Iterator[str]:
    """Yield the names that a loop, a comprehension or a function gives to what it takes."""
    if isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield from (each.id for each in ast.walk(node.target) if isinstance(each, ast.Name))


def _imported(tree: ast.Module) -> set[str]:
    imports = (node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom)))
    return set(_bound(imports)) | {"torch", "np", "math", "nn", "F"}


def _changed(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements may alter: x[0] = …, x.y = …, x += …, x.append(…), train(x)."""
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for node in ast.walk(statement):
            if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
                yield from _owner(node)
            elif isinstance(node, ast.AugAssign):
                yield from _owner(node.target)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                yield from _altered(node.value)
            elif isinstance(node, ast.Call) and any(word in _name_of(node) for word in TRAINING):
                yield from _altered(node)


def _altered(call: ast.Call) -> Iterator[str]:
    """Yield the object whose method is called, and the arguments; none of a call that only reads."""
    if _name_of(call) in READING or _name_of(call).startswith("check_"):
        return
    if isinstance(call.func, ast.Attribute):
        yield from _owner(call.func)
    for given in (*call.args, *(keyword.value for keyword in call.keywords)):
        yield from _owner(given)


def _name_of(call: ast.Call) -> str:
    called = call.func
    return (
        called.attr
        if isinstance(called, ast.Attribute)
        else called.id
        if isinstance(called, ast.Name)
        else ""
    )


def _owner(node: ast.expr) -> Iterator[str]:
    """Yield the name at the root of ``x``, ``x.y`` or ``x[0]``."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def _randomness(tree: ast.AST) -> tuple[bool, bool]:
    """Return whether the code seeds torch's random numbers, and whether it draws from them."""
    called = {
        node.func.attr: {keyword.arg for keyword in node.keywords}
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    draws = any(name in DRAWING and "generator" not in given for name, given in called.items())
    return "manual_seed" in called, draws
