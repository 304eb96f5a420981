"""Which room of the package may import which: imports go one way."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from tests.support.duties import assert_complete

PACKAGE = Path(__file__).resolve().parents[1] / "posenc_lessons"

# The rooms that each room may import besides itself. All rooms may import OPEN_TO_ALL, which is pure Python.
STAIRS: dict[str, set[str]] = {
    "encodings": set(),
    "models": {"encodings"},
    "probing": {"encodings", "models"},
    "configs": {"encodings", "models", "probing"},
    "experiments": {"encodings", "models"},
    "figures": set(),
    "explorers": {"encodings", "models", "experiments", "figures"},
    "exercises": {"encodings", "models", "probing"},
    "course": set(),
    "browser": {"explorers", "figures", "serving"},
    "export": {"browser", "configs", "course", "encodings", "exercises", "explorers", "figures"},
    "serving": set(),
    "language": set(),
    "choices": set(),
    "progress": set(),
    "files": set(),
    "display": set(),
    "front_end": set(),
    "joined_modules": set(),
    "npm": set(),
    "config_command": {"configs"},
    "probe_command": {"probing"},
    "cli": {"browser", "config_command", "course", "export", "probe_command", "serving"},
}
OPEN_TO_ALL = {"language", "choices", "progress", "files", "display", "front_end", "joined_modules", "npm"}
# Libraries that a room must not import. (torch loads numpy and tqdm itself; encodings never name them.)
BARRED = {
    "encodings": {"matplotlib", "ipywidgets", "anywidget", "IPython", "jupyterlab", "numpy", "tqdm"},
    "models": {"matplotlib", "ipywidgets", "anywidget", "IPython", "jupyterlab", "numpy", "tqdm"},
    "experiments": {"matplotlib", "ipywidgets", "anywidget", "IPython", "jupyterlab"},
    "figures": {"torch", "ipywidgets", "anywidget", "jupyterlab"},
}
OUTSIDE = {"notebooks", "tests", "benchmarks"}


def imports_of(source: str, package: str) -> set[str]:
    """Return the full names of all modules that ``source``, a module in ``package``, imports, also later."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, base] if base else parents)
            # `from package import name` may import a module `name`, so it counts with its full name.
            found |= {f"{base}.{alias.name}" for alias in node.names}
    return found


def missteps(room: str, imported: set[str]) -> set[str]:
    """Return the ``imported`` names that a module in ``room`` may not import."""
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


def full_name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def package_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).parent.parts)


def test_every_room_has_its_allowed_imports() -> None:
    rooms = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in PACKAGE.rglob("*.py")}
    assert_complete(
        rooms - {"__init__"},
        STAIRS,
        "STAIRS above has no row for {}",
        "STAIRS above has a row {}, and no such room",
    )


def test_imports_go_one_way() -> None:
    wrong: dict[str, set[str]] = {}
    for path in modules():
        source = path.read_text(encoding="utf-8")
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if found := missteps(room, imports_of(source, package_of(path))):
            wrong[full_name(path)] = found
    assert wrong == {}


def test_encodings_load_nothing_of_pictures_or_widgets() -> None:
    """On a plain GPU machine torch is enough."""
    script = (
        "import sys, posenc_lessons.encodings, posenc_lessons.encodings.sinusoidal\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "torch" in loaded
    assert loaded & (BARRED["encodings"] - {"numpy", "tqdm"} | {"ipykernel", "jupyter_core"}) == set()


def test_explorers_answer_a_page_without_widgets_matplotlib_and_pillow() -> None:
    """A page without a kernel has none of them; only notebooks and stills need them."""
    script = (
        "import sys\n"
        "for name in ('matplotlib', 'PIL', 'ipywidgets', 'anywidget', 'traitlets', 'psutil'):\n"
        "    sys.modules[name] = None\n"
        "from posenc_lessons.explorers.host import NAMES, answer\n"
        "for name in NAMES:\n"
        "    assert answer('start', [name], name)['stage']['panels'], name\n"
        "try:\n"
        "    from posenc_lessons.explorers import RotationExplorer\n"
        "    RotationExplorer().widget\n"
        "except RuntimeError as error:\n"
        "    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0 and "A page without a kernel has no ipywidgets" in done.stdout, done.stderr
