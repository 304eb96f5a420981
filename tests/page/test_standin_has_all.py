"""Whatever of PyTorch the explorers' modules name, the page's stand-in has; what it lacks, it says."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from posenc_lessons.browser.standin import torch as standin

# Named in modules that the page has too, where no explorer comes without a kernel: why.
UNREACHED = {
    "torch.save": "weights are saved where they were trained",
    "torch.func": "gradients of gradients",
    "torch.func.vjp": "…",
    "torch.cuda.get_device_name": "of a device that is there",
}
# What methods of other classes are called too: Python's, NumPy's, ours (a task's solve, a widget's layout).
_OTHERS = (str, dict, list, tuple, set, Path, re.Pattern, np.ndarray)
OF_OTHERS = {name for kind in _OTHERS for name in dir(kind)}
OF_OTHERS |= {"cross", "layout", "new", "norm", "solve", "type"}

# Prints the modules that are loaded when every explorer was shown, computed by PyTorch.
LOADED = """
import sys
from posenc_lessons.browser.host import NAMES, answer
for name in NAMES:
    answer("start", [name], name)
    answer("code", [], name)
for name, module in sys.modules.items():
    if name.startswith("posenc_lessons") and module.__file__:
        print(module.__file__)
"""


def names_in(source: str) -> Iterator[str]:
    """The names of PyTorch in a module, such as ``torch.nn.Linear``; of tensors, ``torch.Tensor.clamp``."""
    tree, known = ast.parse(source), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            theirs = [each for each in node.names if each.name.split(".")[0] == "torch"]
            known |= {each.asname or "torch": each.name for each in theirs}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "torch":
            known |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    yield from known.values()
    for node in ast.walk(tree) if known else ():
        if isinstance(node, ast.Attribute):
            first, *names = _path(node)
            if first in known:
                yield ".".join([known[first], *names])
            elif first not in ("math", "np") and hasattr(torch.Tensor, node.attr):
                yield f"torch.Tensor.{node.attr}"


def _path(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Attribute):
        return [*_path(node.value), node.attr]
    return [node.id] if isinstance(node, ast.Name) else [""]


def has(name: str) -> bool:
    found: Any = standin
    for part in name.split(".")[1:]:
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True


def test_the_standin_has_every_name_that_the_explorers_modules_reach() -> None:
    ran = subprocess.run([sys.executable, "-c", LOADED], check=True, capture_output=True, text=True)
    modules = [Path(file) for file in ran.stdout.splitlines()]
    names = {name: path.name for path in modules for name in names_in(path.read_text(encoding="utf-8"))}
    assert len(names) > 100, "the modules were read"
    missing = [
        f"{file} names {name}, which the page's stand-in for PyTorch lacks"
        for name, file in names.items()
        if not (has(name) or name in UNREACHED or name.removeprefix("torch.Tensor.") in OF_OTHERS)
    ]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("name", ["hypot", "nn.Conv1d", "Tensor.svd"])
def test_what_is_lacking_is_said_in_both_languages(name: str) -> None:
    place = {"nn.Conv1d": standin.nn, "Tensor.svd": standin.zeros(1)}.get(name, standin)
    with pytest.raises(AttributeError, match=rf"没有 torch\.{name}.*lacks torch\.{name}"):
        getattr(place, name.split(".")[-1])
