"""Run the lessons with Colab's versions: exported, installed by their first cell, each by itself.

    python -m tests.notebooks.colab                                 every lesson and solution
    python -m tests.notebooks.colab notebooks/02_sinusoidal.ipynb   these

It takes minutes and, while it runs, some gigabytes. It needs a Python 3.12 (``python3.12`` or the one that
POSENC_COLAB_PYTHON names) and a package index for pip. It fails if the install replaces a package that
Colab's kernel needs, if ``pip check`` complains, or if an output differs from the committed one. Colab's own
page is not tested.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
from hatchling.builders.wheel import WheelBuilder
from packaging.utils import canonicalize_name

from posenc_lessons.export.install import CELL, with_install
from tests.notebooks import record
from tests.notebooks.alone import differences, run_alone

VERSIONS = Path(__file__).with_name("colab.txt")
# Packages whose replacement may crash Colab, and those that take gigabytes.
KEPT = (
    "ipython",
    "ipykernel",
    "tornado",
    "prompt-toolkit",
    "pyzmq",
    "jupyter-client",
    "traitlets",
    "torch",
    "numpy",
)
OTHER_LIBRARIES = "cell in-the-wild-measured "  # lesson 05 lists installed libraries; here there are none


def versions(text: str) -> dict[str, str]:
    """Return the versions in a list of ``name==version``, by normalised name."""
    return {
        canonicalize_name(name): version for name, version in re.findall(r"^([\w.-]+)==(\S+)", text, re.M)
    }


def make(home: Path) -> str:
    """Make an environment with Colab's packages in ``home``; return the path of its Python."""
    base = os.environ.get("POSENC_COLAB_PYTHON", "python3.12")
    subprocess.run([base, "-m", "venv", str(home)], check=True)
    python = str(home / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", str(VERSIONS)], check=True)
    return python


def frozen(python: str) -> dict[str, str]:
    """Return the versions installed there."""
    command = [python, "-m", "pip", "freeze", "--all"]
    return versions(subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout)


def try_lesson(path: Path, python: str, wheel: str, home: Path) -> list[str]:
    """Run the lesson like an export with ``--install``; return its differences from the committed one."""
    committed = with_install(nbformat.read(path, as_version=4), wheel, "both")
    ran = run_alone(committed, home, python)
    for notebook in (ran, committed):
        assert notebook.cells.pop(0).id == CELL
    return [found for found in differences(ran, committed) if not found.startswith(OTHER_LIBRARIES)]


def complaints(python: str, before: dict[str, str]) -> list[str]:
    """Return the changes by the install that would harm Colab."""
    after = frozen(python)
    replaced = {
        name: f"{name} {old} → {after.get(name)}" for name, old in before.items() if after.get(name) != old
    }
    print(f"replaced: {', '.join(replaced.values())}")
    print(
        f"new: {', '.join(f'{name} {after[name]}' for name in sorted(set(after) - set(before)))}", flush=True
    )
    check = subprocess.run([python, "-m", "pip", "check"], capture_output=True, encoding="utf-8")
    print(check.stdout.strip(), flush=True)
    found = [f"must stay: {replaced[name]}" for name in KEPT if name in replaced]
    return found + check.stdout.splitlines() * bool(check.returncode)


def main() -> None:
    """Make the environment, run the lessons in it, print the findings; exit with 1 if there are any."""
    found: list[str] = []
    with tempfile.TemporaryDirectory(prefix="posenc-colab-") as home:
        folder = Path(home)
        (wheel,) = WheelBuilder(str(record.ROOT)).build(directory=home, versions=["standard"])
        python = make(folder / "colab")
        before = frozen(python)
        for number, path in enumerate([Path(name) for name in sys.argv[1:]] or record.notebooks()):
            (folder / str(number)).mkdir()
            trouble = try_lesson(path, python, wheel, folder / str(number))
            if number == 0:  # its first cell has installed the wheel
                found += complaints(python, before)
            print(f"{path}: {trouble or 'as committed'}", flush=True)
            found += trouble
    sys.exit("\n".join(found) or 0)


if __name__ == "__main__":
    main()
