"""The quick look before a commit: lint, types, and the tests of what differs from `main`.

    python tests/check.py         what differs from main, committed or not
    python tests/check.py COMMIT  … from another commit

A changed test runs. A changed file of the package runs the tests that mirror it: for
``posenc_lessons/encodings/rotary.py`` these are ``tests/encodings/test_rotary.py`` and
``tests/encodings/test_rotary_*.py``. A file without such tests (a new one, say) runs the tests of its folder
that import it, directly or through a helper; else the folder's ``test_every_*.py``; else the whole folder.
For a non-Python file, the tests that mention it are run, for JavaScript also types and eslint. ``SHARED`` has
what the page or a list of duties shares with a room. `make test` runs the rest: browser, other
oracles, notebooks.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE, TESTS = "posenc_lessons", "tests"
ROOMS = {"browser": "page"}  # rooms whose tests without a browser have another name
LEFT_OUT = ("tests/browser/", "tests/oracles/", "tests/classroom/")  # these take minutes
IN_PAGE = "page/test_numpy_torch_has_all.py"  # the page runs the modules of these rooms on NumPy
SCRIPTS = "javascript/test_javascript.py"  # types and eslint, for all of our JavaScript
SHARED = {
    "encodings": (IN_PAGE, "encodings/test_defaults.py"),
    "encodings/config": ("oracles/test_config_defaults.py", "oracles/test_config_descriptions.py"),
    "models": (IN_PAGE, "models/test_defaults.py"),
    "figures": (IN_PAGE, "figures/test_gallery.py::test_every_figure_function_is_in_the_gallery"),
    "explorers": (IN_PAGE, "page/test_host.py", "test_animations.py"),
}


def changed(base: str) -> list[str]:
    """Return the files that differ from the commit at which this branch left ``base``, new ones included."""
    parted = _git("merge-base", base, "HEAD")[0]
    files = {*_git("diff", "--name-only", parted), *_git("ls-files", "--others", "--exclude-standard")}
    return sorted(file for file in files if (ROOT / file).is_file())


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8")
    if done.returncode:
        sys.exit(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.splitlines()


def tests_of(files: Iterable[str], root: Path = ROOT) -> list[str]:
    """Return the tests that ``files`` concern."""
    found: set[Path] = set()
    for file in map(Path, files):
        if file.suffix in (".js", ".mjs") and _is_there(root / TESTS / SCRIPTS):
            found.add(Path(TESTS, SCRIPTS))
        if file.suffix == ".py" and file.name.startswith("test_"):
            found.update([file] if not str(file).startswith(LEFT_OUT) else [])
        elif file.parts[0] == PACKAGE:
            found.update(each for each in _mirror(file, root) if not each.as_posix().startswith(LEFT_OUT))
            room = SHARED.get(file.parts[1], ()) if file.suffix == ".py" else ()
            shared = (*room, *SHARED.get("/".join(file.parts[1:3]), ()))  # the latter for JSON files too
            found.update(Path(TESTS, each) for each in shared if _is_there(root / TESTS / each))
        elif file.suffix == ".py" and (root / TESTS / f"test_{file.name}").is_file():
            found.add(Path(TESTS, f"test_{file.name}"))  # of set_up.py, tests/stages.py
    return sorted(path.as_posix() for path in found)


def _is_there(test: Path) -> bool:
    return Path(str(test).partition("::")[0]).is_file()


def _mirror(file: Path, root: Path) -> list[Path]:
    """Return the tests of a file of the package."""
    folder, inside = Path(TESTS), file.relative_to(PACKAGE)
    for part in inside.parts[:-1]:
        part = ROOMS.get(part, part)
        if not (root / folder / part).is_dir():
            break  # the rooms are mirrored, and not each cupboard
        folder /= part
    for name in (inside.stem, *reversed(inside.parts[:-1])):
        found = [*(root / folder).glob(f"test_{name}.py"), *(root / folder).glob(f"test_{name}_*.py")]
        if found:
            return [path.relative_to(root) for path in found]
    there = {path: path.read_text(encoding="utf-8") for path in (root / folder).glob("*.py")}
    tests = [path for path in there if path.name.startswith("test_")]
    changed = _mention(file)
    helpers = [path.relative_to(root) for path in there.keys() - tests if changed.search(there[path])]
    mentions = [changed, *map(_mention, helpers)]
    found = [path for path in tests if any(each.search(there[path]) for each in mentions)]
    if not found and file.suffix == ".py":
        found = [path for path in tests if path.name.startswith("test_every_")] or tests
    return [path.relative_to(root) for path in found]


def _mention(file: Path) -> re.Pattern[str]:
    """Return a pattern that finds an import of the module ``file``, or the name of another file."""
    if file.suffix != ".py":
        return re.compile(rf"\b{re.escape(file.name)}\b")
    *package, name = file.with_suffix("").parts
    above = re.escape(".".join(package))
    listed = rf"{above} import (?:\([^)]*|[^\n(]*)\b{name}\b"
    return re.compile(rf"^(?:from|import) (?:{above}\.{name}\b|{listed})", re.M)


def _start(*command: str, stdout: int | None = None) -> subprocess.Popen[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONUTF8": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", *command], cwd=ROOT, env=environment, stdout=stdout, encoding="utf-8"
    )


def main() -> None:
    """Run lint, types and the tests; the exit status says whether all of them passed."""
    base = sys.argv[1] if len(sys.argv) > 1 else "main"
    files = changed(base)
    if not files:
        print(f"nothing differs from {base} · 与 {base} 没有差别")
        return
    tests = tests_of(files)
    python = [name for name in files if name.endswith(".py")]
    steps = {"lint": ("ruff", "check", "."), "format": ("ruff", "format", "--check", ".")}
    if tests:
        steps["tests"] = ("pytest", "-q", "-n", "auto", *tests)
    else:
        print("no tests are named after what changed · 改动没有对应的测试")
    types = _start("mypy", stdout=subprocess.PIPE) if python else None  # one process, beside the others
    failed = []
    for name, arguments in steps.items():
        print(f"\n=== {name} ===", flush=True)
        if _start(*arguments).wait():
            failed.append(name)
    if types is not None:
        printed, _ = types.communicate()
        print(f"\n=== types ===\n{printed}", end="", flush=True)
        if types.returncode:
            failed.append("types")
    sys.exit(f"\nfailed · 没有通过: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
