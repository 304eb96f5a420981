"""The explorers show the same over the page's torch as over PyTorch.

``make test`` compares some settings, ``make sweep`` all hundreds of them.
"""

import os
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from posenc_lessons.browser.build import NUMPY_TORCH
from posenc_lessons.explorers import EXPLORERS
from tests.page.agreement import differences

ROOT = Path(__file__).parents[2]
SWEEP = Path(__file__).with_name("sweep.py")
SOME = 12  # one setting of so many by `make test`
NAMES = [explorer.name for explorer in EXPLORERS]

Sweeps = dict[str, list[dict[str, Any]]]  # by explorer

# Runs the sweep with the page's modules first on the path, and without modules that the page lacks.
OVER_NUMPY = """
import importlib.abc, runpy, sys

class Barred(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("matplotlib", "PIL", "tqdm", "ipykernel", "jupyter_core", "psygnal"):
            raise ModuleNotFoundError(f"{name} is not in the page")

sweep, numpy_torch, *rest = sys.argv[1:]
sys.meta_path.insert(0, Barred())
sys.path.insert(0, numpy_torch)
sys.argv = [sweep, *rest]
runpy.run_path(sweep, run_name="__main__")
"""


@cache
def swept(every: int) -> tuple[Sweeps, Sweeps]:
    """Return sweeps over PyTorch and over the page's torch, at one setting of ``every``."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    words = ([str(SWEEP)], ["-c", OVER_NUMPY, str(SWEEP), str(NUMPY_TORCH)])
    with TemporaryDirectory() as folder:
        files = Path(folder, "pytorch"), Path(folder, "numpy")
        processes = [
            subprocess.Popen([sys.executable, *argument, str(out), str(every)], env=environment, cwd=folder)
            for argument, out in zip(words, files, strict=True)
        ]
        assert [process.wait() for process in processes] == [0, 0]
        over_pytorch, over_numpy = (pickle.loads(file.read_bytes()) for file in files)
    return over_pytorch, over_numpy


@pytest.mark.parametrize("every", [SOME, pytest.param(1, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("name", NAMES)
def test_an_explorer_shows_the_same(name: str, every: int) -> None:
    differ = differences(*(sweep[name] for sweep in swept(every)))
    assert not differ, "\n".join(differ[:20])
