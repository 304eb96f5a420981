"""Find every name of PyTorch that Python code uses, with its keywords."""

import ast
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import torch

from posenc_lessons.export.in_page import RECORDED

ROOT = Path(__file__).parents[2]
# Names of methods of other classes. If a method has such a name, its class is not known.
_OTHERS = (str, dict, list, tuple, set, bytes, Path)
OTHER_MODULES = {"timeit"}  # includes functions that are called like methods of tensors
OF_OTHERS = {name for kind in _OTHERS for name in dir(kind)} | {"new", "names", "name", "solve", "type"}


def in_the_course() -> Iterator[str]:
    """Yield the code of each module that cells use, and of each notebook as one text, without cells that
    a page only shows."""
    for room in ("exercises", "probing", "encodings", "models"):
        for path in sorted((ROOT / "posenc_lessons" / room).rglob("*.py")):
            yield path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        runs = (cell for cell in cells if RECORDED not in cell["metadata"].get("tags", ()))
        code = ["".join(cell["source"]) for cell in runs if cell["cell_type"] == "code"]
        yield "\n".join(source for source in code if not source.startswith("%"))


def keywords_by_name(sources: Iterable[str]) -> dict[str, set[str]]:
    """Return the keywords with which ``sources`` use each name; a method is ``torch.Tensor.method``."""
    keywords: dict[str, set[str]] = {}
    for source in sources:
        for name, used in uses(source):
            keywords.setdefault(name, set()).update(used)
    return keywords


def uses(source: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the names in ``source`` that PyTorch has, each with its keywords."""
    tree = ast.parse(source)
    modules = dict(_imported(tree))
    calls = {id(node.func): node.keywords for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Attribute, ast.Name)):
            continue
        first, *rest = _path(node)
        if first in modules:
            name = ".".join([modules[first], *rest])
        elif first in OTHER_MODULES or not rest or rest[-1] in OF_OTHERS:
            continue
        elif hasattr(torch.Tensor, rest[-1]):
            name = f"torch.Tensor.{rest[-1]}"
        else:
            continue
        names_known = found_in(torch, name)[0]
        whole = "." in name and names_known == name
        keywords = calls.get(id(node), []) if whole else []
        yield names_known, [keyword.arg for keyword in keywords if keyword.arg is not None]


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "torch":
                    yield (alias.asname, alias.name) if alias.asname else ("torch", "torch")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "torch":
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _path(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Attribute):
        return [*_path(node.value), node.attr]
    return [node.id] if isinstance(node, ast.Name) else [""]


def found_in(module: Any, name: str) -> tuple[str, Any]:
    """Return the longest beginning of ``name`` that the module has, and its value."""
    parts, value = ["torch"], module
    for part in name.split(".")[1:]:
        if not hasattr(value, part):
            break
        value = getattr(value, part)
        parts.append(part)
    return ".".join(parts), value
