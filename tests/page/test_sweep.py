"""The explorers show the same over what stands in for PyTorch as over PyTorch, at hundreds of settings."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from posenc_lessons.explorers import EXPLORERS
from tests.page.agreement import differences

ROOT = Path(__file__).parents[2]
STANDIN = ROOT / "posenc_lessons" / "browser" / "standin"
# Stands before the sweep where nothing of the kernel's may be loaded.
WITHOUT = """
import importlib.abc, runpy, sys
class Barred(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("matplotlib", "PIL", "tqdm", "ipykernel", "jupyter_core", "psygnal"):
            raise ModuleNotFoundError(f"{name} is not in the page")
sys.meta_path.insert(0, Barred())
sweep, out, standin = sys.argv[1:]
sys.path.insert(0, standin)
sys.argv = [sweep, out]
runpy.run_path(sweep, run_name="__main__")
"""

Sweeps = dict[str, list[dict[str, Any]]]


def both(folder: Path) -> tuple[Sweeps, Sweeps]:
    """Every explorer's sweep over PyTorch and over the stand-in, at the same time."""
    sweep = str(Path(__file__).with_name("sweep.py"))
    over = {
        "pytorch": [sweep, str(folder / "pytorch")],
        "standin": ["-c", WITHOUT, sweep, str(folder / "standin"), str(STANDIN)],
    }
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    running = [
        subprocess.Popen([sys.executable, *words], env=environment, cwd=folder) for words in over.values()
    ]
    assert [process.wait() for process in running] == [0, 0]
    found = [pickle.loads((folder / name).read_bytes()) for name in over]
    return found[0], found[1]


@pytest.fixture(scope="module")
def sweeps(tmp_path_factory: pytest.TempPathFactory) -> tuple[Sweeps, Sweeps]:
    return both(tmp_path_factory.mktemp("sweep"))


@pytest.mark.parametrize("name", [explorer.name for explorer in EXPLORERS])
def test_it_shows_the_same_at_every_setting(name: str, sweeps: tuple[Sweeps, Sweeps]) -> None:
    expected, found = (each[name] for each in sweeps)
    differ = differences(expected, found)
    assert not differ, "\n".join(differ[:20])


def test_hundreds_of_settings_were_looked_at(sweeps: tuple[Sweeps, Sweeps]) -> None:
    settings = [setting for found in sweeps[0].values() for setting in found]
    complaints = [setting for setting in settings if setting["view"]["alert"]]
    assert len(settings) >= 300 and len(complaints) >= 10
    assert len(complaints) < len(settings) / 4, "most settings show a picture"


@pytest.mark.parametrize("name", ["sinusoid", "rotation"])
def test_code_says_a_base_as_it_is_read_out(name: str, sweeps: tuple[Sweeps, Sweeps]) -> None:
    bases = {
        line.split("base=")[1].split(",")[0]
        for setting in sweeps[0][name]
        for line in setting["code"].splitlines()
        if "base=" in line
    }
    assert "10000.0" in bases and all(len(base.replace(".", "")) <= 8 for base in bases), bases
