"""The explorers show the same over the page's torch as over PyTorch, at hundreds of settings."""

from __future__ import annotations

import pytest

from posenc_lessons.explorers import EXPLORERS
from tests.page.agreement import differences
from tests.page.conftest import ROOT, SWEEP, Sweeping, Sweeps

# Runs the sweep with the page's modules first on the path, and without modules that the page lacks.
IN_THE_PAGE = """
import importlib.abc, runpy, sys

class Barred(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("matplotlib", "PIL", "tqdm", "ipykernel", "jupyter_core", "psygnal"):
            raise ModuleNotFoundError(f"{name} is not in the page")

sweep, numpy_torch, out = sys.argv[1:]
sys.meta_path.insert(0, Barred())
sys.path.insert(0, numpy_torch)
sys.argv = [sweep, out]
runpy.run_path(sweep, run_name="__main__")
"""
NUMPY_TORCH = ROOT / "posenc_lessons" / "browser" / "numpy_torch"


@pytest.fixture(scope="module")
def sweeps(over_pytorch: Sweeping, tmp_path_factory: pytest.TempPathFactory) -> tuple[Sweeps, Sweeps]:
    folder = tmp_path_factory.mktemp("sweep")
    over_numpy_torch = Sweeping(folder / "numpy_torch", "-c", IN_THE_PAGE, str(SWEEP), str(NUMPY_TORCH))
    return over_pytorch.found, over_numpy_torch.found


@pytest.mark.parametrize("name", [explorer.name for explorer in EXPLORERS])
def test_an_explorer_shows_the_same_at_every_setting(name: str, sweeps: tuple[Sweeps, Sweeps]) -> None:
    expected, found = (each[name] for each in sweeps)
    differ = differences(expected, found)
    assert not differ, "\n".join(differ[:20])


def test_hundreds_of_settings_were_looked_at(sweeps: tuple[Sweeps, Sweeps]) -> None:
    settings = [setting for found in sweeps[0].values() for setting in found]
    complaints = [setting for setting in settings if setting["view"]["alert"]]
    assert len(settings) >= 300 and len(complaints) >= 10
    assert len(complaints) < len(settings) / 4, "most settings show a picture"


@pytest.mark.parametrize("name", ["sinusoid", "rotation"])
def test_the_code_has_the_base_with_the_shown_digits(name: str, sweeps: tuple[Sweeps, Sweeps]) -> None:
    bases = {
        line.split("base=")[1].split(",")[0]
        for setting in sweeps[0][name]
        for line in (setting["code"] or "").splitlines()  # there is no code for a refused sentence
        if "base=" in line
    }
    assert "10000.0" in bases and all(len(base.replace(".", "")) <= 8 for base in bases), bases
