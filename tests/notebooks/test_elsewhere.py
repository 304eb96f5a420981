"""A lesson needs only the package: no other files, no repository, no settings.

Colab opens a notebook in this way; colab.txt lists its versions of packages.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
from hatchling.builders.wheel import WheelBuilder
from nbformat.v4 import new_code_cell
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.notebooks import record

# Lesson 00 reads remembered choices, 05 looks for other libraries.
LESSONS = ("00_start_here", "05_rotary")
VERSIONS = Path(__file__).with_name("colab.txt")
NBVAL = ("--nbval", "--nbval-current-env", "--nbval-cell-timeout=600", "--import-mode=importlib")
NBVAL += ("--nbval-sanitize-with", str(Path(__file__).with_name("sanitize.cfg")), "-p", "no:cacheprovider")
NEEDED = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "LANG", "LC_ALL")  # variables that a program needs


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheel's content, as pip would install it."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (wheel,) = WheelBuilder(str(record.ROOT)).build(directory=str(folder), versions=["standard"])
    target = folder / "installed"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target"]
    subprocess.run([*command, str(target), wheel], check=True)
    return target


@pytest.mark.sweep
@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_by_itself_has_the_committed_outputs(name: str, installed: Path, tmp_path: Path) -> None:
    """nbval runs it in an empty folder, without this user's settings."""
    lesson = nbformat.read(installed / "posenc_lessons" / "notebooks" / f"{name}.ipynb", as_version=4)
    where = f"import posenc_lessons\nassert posenc_lessons.__file__.startswith({str(installed)!r})"
    lesson.cells.append(new_code_cell(where))
    here, home = tmp_path / "here", tmp_path / "home"
    here.mkdir()
    nbformat.write(lesson, here / f"{name}.ipynb")
    environment = {key: os.environ[key] for key in NEEDED if key in os.environ}
    environment |= {"HOME": str(home), "USERPROFILE": str(home), "PYTHONPATH": str(installed)}
    environment |= {"OMP_NUM_THREADS": "1", "PYTHONUTF8": "1"}  # the last digits depend on the threads
    command = [sys.executable, "-m", "pytest", *NBVAL, f"{name}.ipynb"]
    run = subprocess.run(command, cwd=here, env=environment, capture_output=True, encoding="utf-8")
    assert run.returncode == 0, run.stdout
    assert [path.name for path in here.iterdir()] == [f"{name}.ipynb"]  # a lesson writes no files


def test_colab_has_everything_except_the_widgets() -> None:
    """An install must not replace Colab's kernel, because Colab would then warn of crashes."""
    pins = re.findall(r"^([\w.-]+)==(\S+)", VERSIONS.read_text(encoding="utf-8"), re.M)
    has = {canonicalize_name(name): version for name, version in pins}
    loaded = tomllib.loads((record.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [Requirement(line) for line in loaded["project"]["dependencies"]]
    there = {canonicalize_name(each.name): each for each in wanted if canonicalize_name(each.name) in has}
    replaced = {name for name, each in there.items() if not each.specifier.contains(has[name])}
    assert replaced == {"ipywidgets"}
    assert {"ipykernel", "torch", "numpy", "matplotlib", "anywidget", "nbclient"} < set(there)
