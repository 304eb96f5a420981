"""The explorers show the same over the page's torch as over PyTorch.

``make test`` compares some settings, ``make sweep`` all hundreds of them, and a third in WebAssembly, in the
built page's own Python.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from functools import cached_property
from pathlib import Path
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


class BothSweeps:
    """Sweeps over PyTorch and over the page's torch, at one setting of ``every``, at the same time."""

    def __init__(self, folder: Path, every: int) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        words = ([str(SWEEP)], ["-c", OVER_NUMPY, str(SWEEP), str(NUMPY_TORCH)])
        self._files = folder / "pytorch", folder / "numpy"
        self._processes = [
            subprocess.Popen([sys.executable, *argument, str(out), str(every)], env=environment, cwd=folder)
            for argument, out in zip(words, self._files, strict=True)
        ]

    @cached_property
    def results(self) -> tuple[Sweeps, Sweeps]:
        """Wait for the end of the sweeps and return their results."""
        assert [process.wait() for process in self._processes] == [0, 0]
        over_pytorch, over_numpy = (pickle.loads(file.read_bytes()) for file in self._files)
        return over_pytorch, over_numpy


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> BothSweeps:
    return BothSweeps(tmp_path_factory.mktemp("some"), SOME)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> BothSweeps:
    return BothSweeps(tmp_path_factory.mktemp("whole"), 1)


@pytest.mark.parametrize("name", NAMES)
def test_an_explorer_shows_the_same_at_some_settings(name: str, some: BothSweeps) -> None:
    assert_alike(*(sweep[name] for sweep in some.results))


@pytest.mark.sweep
@pytest.mark.parametrize("name", NAMES)
def test_an_explorer_shows_the_same_at_every_setting(name: str, whole: BothSweeps) -> None:
    assert_alike(*(sweep[name] for sweep in whole.results))


def assert_alike(expected: list[dict[str, Any]], actual: list[dict[str, Any]]) -> None:
    differ = differences(expected, actual)
    assert not differ, "\n".join(differ[:20])


@pytest.mark.sweep
def test_hundreds_of_settings_were_looked_at(whole: BothSweeps) -> None:
    settings = [setting for sweep in whole.results[0].values() for setting in sweep]
    complaints = [setting for setting in settings if setting["view"]["alert"]]
    assert len(settings) >= 300 and len(complaints) >= 10
    assert len(complaints) < len(settings) / 4, "most settings show a picture"


@pytest.mark.parametrize("name", ["sinusoid", "rotation"])
def test_the_code_has_the_base_with_the_shown_digits(name: str, some: BothSweeps) -> None:
    bases = {
        line.split("base=")[1].split(",")[0]
        for setting in some.results[0][name]
        for line in (setting["code"] or "").splitlines()  # there is no code for a refused sentence
        if "base=" in line
    }
    assert bases and all(len(base.replace(".", "")) <= 8 for base in bases), bases
