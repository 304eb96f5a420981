"""Find the cells of a lesson that have to run before another cell, by the names that they use."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

RANDOM = "(random numbers)"  # a name for the state of torch's random numbers
DRAWING = frozenset({"bernoulli", "multinomial", "normal", "rand", "randint", "randn", "randperm"})
# A call whose result is not used, such as train(model), changes something, except for these.
READING = frozenset({"display", "print", "say", "show", "guess", "settle", "manual_seed", "set_printoptions"})
# A call whose result is used may also change its arguments if its name contains one of these.
TRAINING = ("train", "tune", "fit", "step", "backward", "load")
# Calls of these, and of names that begin with "train_", take minutes in a page.
TRAINS = frozenset({"train", "run_race", "trained_short", "lengthened", "compare_ways"})
CELLS = 1024  # how many answers are cached: enough for the course, which asks about each cell several times


DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
WITHIN_BLOCKS = (ast.stmt, ast.ExceptHandler)


@dataclass(frozen=True)
class Names:
    """The names of a cell: ``used`` ones it reads, ``bound`` ones it makes, ``changed`` ones it may alter."""

    used: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()


@lru_cache(CELLS)
def names_in(source: str) -> Names:
    """Return the names of the code ``source``; none if it is not Python."""
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
    return Names(frozenset(used), frozenset(bound), frozenset(changed - bound))


def names_in_page(source: str) -> Names:
    """Return ``names_in(source)`` for a page, in which only cells that use a trained model wait for training.

    The imports of a cell that trains are run without it, and it does not count as drawing random numbers.
    """
    names = names_in(source)
    if not trains(source):
        return names
    free = names_in(imports_in(source)).bound | {RANDOM}
    return Names(names.used, names.bound - free, names.changed - free)


def needed(cells: Sequence[tuple[str, Names]], at: int) -> list[str]:
    """Return the ids of the cells before place ``at`` on which the cell there depends, in their order.

    For each name these are the last cell that makes it, and the cells that alter it afterwards.
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
    """Return whether the code trains a model: by calling a function that trains, or by a loop of steps."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return False
    if any(isinstance(node, ast.For) and {"backward", "step"} <= _methods(node) for node in ast.walk(tree)):
        return True
    calls = (
        node
        for statement in tree.body
        if not isinstance(statement, DEFINITIONS)
        for node in ast.walk(statement)
        if isinstance(node, ast.Call)
    )
    # The methods train() and train(False) of a model only set a mode.
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
    """Yield the names that statements make, also in loops and branches, but not in functions."""
    for statement in body:
        if isinstance(statement, DEFINITIONS):
            yield statement.name
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
        else:
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id
                elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    yield node.name


def _used(body: Iterable[ast.stmt], before: Iterable[str] = ()) -> Iterator[str]:
    """Yield, in order, the names that statements read and that no earlier statement has made."""
    made = set(before)
    for statement in body:
        yield from _used_by(statement, made)
        if not isinstance(statement, (ast.If, ast.While, ast.Try)):  # these may leave names unmade
            made.update(_bound([statement]))


def _used_by(statement: ast.stmt, made: set[str]) -> Iterator[str]:
    blocks = [getattr(statement, block, []) for block in ("body", "orelse", "finalbody", "handlers")]
    if isinstance(statement, DEFINITIONS) or not any(blocks):
        yield from (name for name in _read(statement) if name not in made)
        return
    heads = [node for node in ast.iter_child_nodes(statement) if not isinstance(node, WITHIN_BLOCKS)]
    yield from (name for node in heads for name in _read(node) if name not in made)
    inner = made.union(*(_stored(node) for node in heads))
    for handler in getattr(statement, "handlers", []):
        yield from (name for node in [handler.type] if node for name in _read(node) if name not in made)
        yield from _used(handler.body, {*inner, handler.name or ""})
    for block in blocks[:3]:
        yield from _used(block, inner)


def _read(node: ast.AST) -> Iterator[str]:
    """Yield the names that ``node`` reads, except arguments and local names of functions."""
    own: set[str] = set()
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        given = (
            node.args.vararg,
            node.args.kwarg,
            *node.args.posonlyargs,
            *node.args.args,
            *node.args.kwonlyargs,
        )
        own = {each.arg for each in given if each}
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        own.update(name for each in body for name in _stored(each))
    elif isinstance(node, ast.ClassDef):
        yield from _used(node.body)
        own = set(_bound(node.body))
    elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        own = {name for each in node.generators for name in _stored(each.target)}
    for child in ast.iter_child_nodes(node):
        yield from (name for name in _read(child) if name not in own)


def _stored(node: ast.AST) -> Iterator[str]:
    """Yield the names that ``node`` assigns, not counting functions within it."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, DEFINITIONS):
        yield node.name
        return
    if not isinstance(node, ast.Lambda):
        for child in ast.iter_child_nodes(node):
            yield from _stored(child)


def _imported(tree: ast.Module) -> set[str]:
    imports = (node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom)))
    return set(_bound(imports)) | {"torch", "np", "math", "nn", "F"}


def _changed(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements may alter: x[0] = …, x.y = …, x += …, x.append(…), train(x)."""
    for statement in body:
        if isinstance(statement, DEFINITIONS):
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
    """Yield the object whose method is called, and the arguments; nothing for a call that only reads.

    ``train(model, task)`` changes the model; ``trained_short(task)`` makes a new one.
    """
    name = _name_of(call)
    if name in READING or name.startswith(("check_", "trained_")):
        return
    if isinstance(call.func, ast.Name) and (name == "train" or name.startswith("train_")):
        for model in call.args[:1]:
            yield from _owner(model)
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
