"""The page's torch has every name of PyTorch in the explorers' modules, and reports missing names."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from posenc_lessons.browser.numpy_torch import torch as numpy_torch
from tests.page.contract import found_in, uses

# Names in the page's modules that no explorer reaches without a kernel, with reasons.
UNREACHED = {
    "torch.save": "weights are saved where they were trained",
    "torch.autocast": "nothing is computed in half precision there",
    "torch.func": "gradients of gradients",
    "torch.func.vjp": "…",
    "torch.cuda.get_device_name": "of a device that is there",
}
# Names of methods of other classes: Python's, NumPy's, ours (such as `solve` of a task).
_OTHERS = (str, dict, list, tuple, set, Path, re.Pattern, np.ndarray)
OF_OTHERS = {name for kind in _OTHERS for name in dir(kind)}
OF_OTHERS |= {"cross", "new", "norm", "solve", "type"}

# Prints the modules that are loaded after every explorer was shown, over PyTorch.
LOADED = """
import sys
from posenc_lessons.explorers.host import NAMES, answer
for name in NAMES:
    answer("start", [name], name)
    answer("code", [], name)
for name, module in sys.modules.items():
    if name.startswith("posenc_lessons") and module.__file__:
        print(module.__file__)
"""


def names_in(source: str) -> list[str]:
    """Return the names of PyTorch in a module that uses it, such as ``torch.Tensor.clamp``."""
    names = [name for name, _ in uses(source)]
    return names if any(not name.startswith("torch.Tensor.") for name in names) else []


def has(name: str) -> bool:
    return found_in(numpy_torch, name)[0] == name


def test_numpy_torch_has_every_name_that_the_explorers_modules_reach() -> None:
    ran = subprocess.run([sys.executable, "-c", LOADED], check=True, capture_output=True, text=True)
    modules = [Path(file) for file in ran.stdout.splitlines()]
    names = {name: path.name for path in modules for name in names_in(path.read_text(encoding="utf-8"))}
    assert len(names) > 100, "the modules were read"
    missing = [
        f"{file} names {name}, which the page's torch lacks"
        for name, file in names.items()
        if not (has(name) or name in UNREACHED or name.removeprefix("torch.Tensor.") in OF_OTHERS)
    ]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("name", ["hypot", "nn.Conv1d", "Tensor.svd"])
def test_a_missing_name_is_reported_in_both_languages(name: str) -> None:
    place = {"nn.Conv1d": numpy_torch.nn, "Tensor.svd": numpy_torch.zeros(1)}.get(name, numpy_torch)
    with pytest.raises(AttributeError, match=rf"没有 torch\.{name}.*lacks torch\.{name}"):
        getattr(place, name.split(".")[-1])
