"""Who may import whom: the stairs between the package's rooms go one way."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "posenc_lessons"

# What each room may import besides itself; `language`, `choices` and `files`, pure Python, are open to all.
STAIRS: dict[str, set[str]] = {
    "encodings": set(),
    "models": {"encodings"},
    "experiments": {"encodings", "models"},
    "figures": set(),
    "explorers": {"encodings", "models", "experiments", "figures"},
    "exercises": {"encodings", "models"},
    "course": set(),
    "export": {"course", "exercises", "explorers", "figures"},
    "classroom": {"course", "explorers", "figures", "serving"},
    "serving": set(),
    "language": set(),
    "choices": set(),
    "files": set(),
    "cli": {"classroom", "course", "export", "serving"},
}
OPEN_TO_ALL = {"language", "choices", "files"}
# The libraries a room does without. (torch loads numpy and tqdm by itself; encodings never name them.)
BARRED = {
    "encodings": {"matplotlib", "ipywidgets", "anywidget", "IPython", "jupyterlab", "voila", "numpy", "tqdm"},
    "models": {"matplotlib", "ipywidgets", "anywidget", "IPython", "jupyterlab", "voila", "numpy", "tqdm"},
    "experiments": {"matplotlib", "ipywidgets", "anywidget", "IPython", "jupyterlab", "voila"},
    "figures": {"torch", "ipywidgets", "anywidget", "jupyterlab", "voila"},
}
OUTSIDE = {"notebooks", "tests", "benchmarks"}


def imports_of(source: str, package: str) -> set[str]:
    """The full names of all modules that ``source``, a module in ``package``, imports anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, base] if base else parents)
            # `from package import name` may import a module called name: count it under its full name.
            found |= {f"{base}.{alias.name}" for alias in node.names}
    return found


def missteps(room: str, imported: set[str]) -> set[str]:
    """Which of the ``imported`` names a module in ``room`` may not import."""
    wrong: set[str] = set()
    for name in imported:
        first, _, inner = name.partition(".")
        if first != "posenc_lessons":
            if first in BARRED.get(room, set()) | OUTSIDE:
                wrong.add(name)
        elif inner and inner.partition(".")[0] in STAIRS:
            allowed = {room} | STAIRS[room] | OPEN_TO_ALL
            if not any(inner == step or inner.startswith(step + ".") for step in allowed):
                wrong.add(name)
    return wrong


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem in STAIRS)


def test_every_room_is_on_the_stairs() -> None:
    rooms = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in PACKAGE.rglob("*.py")}
    assert rooms - {"__init__"} == set(STAIRS)


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_go_one_way(path: Path) -> None:
    package = ".".join(path.relative_to(PACKAGE.parent).parent.parts)
    room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    assert missteps(room, imports_of(path.read_text(encoding="utf-8"), package)) == set()


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("encodings", "import numpy as np"),
        ("encodings", "from ..models import attention"),
        ("encodings", "def f():\n    from posenc_lessons.figures.style import Picture"),
        ("models", "from .. import explorers"),
        ("figures", "import torch.nn as nn"),
        ("figures", "from posenc_lessons.course.glossary import GLOSSARY"),
        ("figures", "from ..course.show import show"),
        ("course", "from ..explorers.sinusoid import SinusoidExplorer"),
        ("course", "from notebooks import solutions"),
    ],
)
def test_a_wrong_step_is_seen(room: str, source: str) -> None:
    assert missteps(room, imports_of(source, f"posenc_lessons.{room}"))


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("models", "from ..encodings.doors import PositionEncoding"),
        ("figures", "from ..language import Text"),
        ("figures", "from .. import language"),
        ("explorers", "from posenc_lessons.figures.style import Picture"),
        ("encodings", "from .arguments import check"),
    ],
)
def test_a_right_step_is_let_be(room: str, source: str) -> None:
    assert missteps(room, imports_of(source, f"posenc_lessons.{room}")) == set()


def test_encodings_load_nothing_of_pictures_or_widgets() -> None:
    """On a bare GPU box torch is enough."""
    script = (
        "import sys, posenc_lessons.encodings, posenc_lessons.encodings.sinusoidal\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "torch" in loaded
    assert loaded & (BARRED["encodings"] - {"numpy", "tqdm"} | {"ipykernel", "jupyter_core"}) == set()
