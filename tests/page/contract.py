"""Find every name of PyTorch that lessons, solutions, question pages and exercises use, with its keywords.

``python -m tests.page.contract`` writes ``contract.json`` beside this file: {name: [keyword, …]}, where a
tensor's method is ``torch.Tensor.method``.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).with_name("contract.json")
# Names of methods of other classes. If a method has such a name, its class is not known.
_OTHERS = (str, dict, list, tuple, set, bytes, Path)
OTHER_MODULES = {"timeit"}  # includes functions that are called like methods of tensors
OF_OTHERS = {name for kind in _OTHERS for name in dir(kind)} | {"new", "names", "name", "solve", "type"}


def sources() -> Iterator[str]:
    """Yield the code of each module of exercises, and of each notebook as one text."""
    for path in sorted((ROOT / "posenc_lessons" / "exercises").rglob("*.py")):
        yield path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        yield "\n".join(each for each in code if not each.startswith("%"))


def uses(source: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the names in ``source`` that PyTorch has, each with its keywords."""
    tree = ast.parse(source)
    known = dict(_imported(tree))
    called = {id(node.func): node.keywords for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Attribute, ast.Name)):
            continue
        first, *rest = _path(node)
        if first in known:
            name = ".".join([known[first], *rest])
        elif (
            first not in OTHER_MODULES
            and rest
            and rest[-1] not in OF_OTHERS
            and hasattr(torch.Tensor, rest[-1])
        ):
            name = f"torch.Tensor.{rest[-1]}"
        else:
            continue
        whole = "." in name and _there(name) == name
        given = called.get(id(node), []) if whole else []
        yield _there(name), [each.arg for each in given if each.arg is not None]


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                if each.name.split(".")[0] == "torch":
                    yield (each.asname, each.name) if each.asname else ("torch", "torch")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "torch":
            yield from ((each.asname or each.name, f"{node.module}.{each.name}") for each in node.names)


def _path(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Attribute):
        return [*_path(node.value), node.attr]
    return [node.id] if isinstance(node, ast.Name) else [""]


def found_in(module: Any, name: str) -> tuple[str, Any]:
    """Return the longest beginning of ``name`` that the module has, and its value."""
    there, held = ["torch"], module
    for part in name.split(".")[1:]:
        if not hasattr(held, part):
            break
        held = getattr(held, part)
        there.append(part)
    return ".".join(there), held


def _there(name: str) -> str:
    return found_in(torch, name)[0]


def table() -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for source in sources():
        for name, keywords in uses(source):
            found.setdefault(name, set()).update(keywords)
    return {name: sorted(found[name]) for name in sorted(found)}


if __name__ == "__main__":
    TABLE.write_text(json.dumps(table(), indent=1) + "\n", encoding="utf-8")
