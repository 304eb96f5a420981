"""The quick look before a commit: lint, types, and the fast tests of the rooms that differ from `main`.

    python tests/check.py         what differs from main, committed or not
    python tests/check.py COMMIT  … from another commit

Whole rooms are tested. A change in `posenc_lessons/encodings/` runs `tests/encodings` and the rooms of
``ALSO``, which would tell a mistake there; a changed test runs its own room. `make test` runs everything.
"""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAMES = "tests/page/test_calls.py"  # the page runs the modules of these rooms on NumPy
SCRIPTS = "tests/javascript"
ALSO = {
    "encodings": ("tests/models", NAMES),
    "models": ("tests/encodings", NAMES),
    "probing": ("tests/configs", "tests/exercises"),
    "figures": ("tests/explorers",),
    "explorers": ("tests/page/test_host.py", NAMES),
    "exercises": ("tests/page/test_exercises.py",),
    "browser": ("tests/page",),
}


def changed(base: str) -> list[str]:
    """Return the files that differ from the commit at which this branch left ``base``, new ones included."""
    parted = _git("merge-base", base, "HEAD")[0]
    files = {*_git("diff", "--name-only", parted), *_git("ls-files", "--others", "--exclude-standard")}
    return sorted(file for file in files if (ROOT / file).is_file())


def _git(*arguments: str) -> list[str]:
    process = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8")
    if process.returncode:
        sys.exit(f"git {' '.join(arguments)}: {process.stderr.strip()}")
    return process.stdout.splitlines()


def tests_of(files: Iterable[str]) -> list[str]:
    """Return the folders and files of tests that ``files`` concern."""
    tests: set[str] = set()
    for file in files:
        first, *rest = Path(file).parts
        if file.endswith((".js", ".mjs", ".css")):
            tests.add(SCRIPTS)
        if first == "posenc_lessons":
            room = rest[0].removesuffix(".py")
            tests.update((f"tests/{room}", f"tests/test_{room}.py", *ALSO.get(room, ())))
        elif first == "tests":
            tests.add(file if len(rest) == 1 else f"tests/{rest[0]}")
        elif first == "notebooks":
            tests.add("tests/notebooks")
    folders = {test for test in tests if (ROOT / test).is_dir()}
    tests = {test for test in tests if Path(test).parent.as_posix() not in folders}
    return sorted(test for test in tests if _has_tests(ROOT / test))


def _has_tests(path: Path) -> bool:
    return path.is_dir() or (path.is_file() and path.name.startswith("test_"))


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
    steps = {"lint": ("ruff", "check", "."), "format": ("ruff", "format", "--check", ".")}
    if tests := tests_of(files):
        steps["tests"] = ("pytest", "-q", "-n", "auto", "-m", "not sweep", *tests)
    else:
        print("no tests concern what changed · 改动没有对应的测试")
    python = any(name.endswith(".py") for name in files)
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
