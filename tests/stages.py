"""Run every check of `make test`, or the slow rest of `make sweep`; fail when a stage fails or ran nothing.

    python tests/stages.py                  all stages of `make test`
    python tests/stages.py types notebooks  these
    python tests/stages.py --sweep          the tests marked `sweep`, of every room and of the browser

Stages run in order, except those that wait more than they compute. These run beside the others from the
start, and their output is printed in one piece at the end. Each stage of tests writes a JUnit report, from
which the counts come, so a stage whose tests were all skipped or never collected does not count as passed.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
STAGE_SECONDS = 60 * 60  # a stage that takes longer is stuck; a slow machine takes half of it
BROWSER_REQUIRED = os.environ.get("POSENC_REQUIRE_BROWSER") == "1"
NPM_REQUIRED = os.environ.get("POSENC_REQUIRE_NPM") == "1"
# glibc keeps freed memory. Otherwise each array of some hundred kilobytes goes back to the system, which
# fills pages with zeros for the next one: a third of a training step's time. Other systems ignore these.
MALLOC = {"MALLOC_MMAP_THRESHOLD_": str(2**25), "MALLOC_TRIM_THRESHOLD_": str(2**29)}
FORKED = ("-p", "tests.support.forked_kernels") if sys.platform == "linux" else ()
NBVAL = (
    *("--nbval", "--nbval-cell-timeout=600", "--nbval-sanitize-with", "tests/notebooks/sanitize.cfg"),
    *((*FORKED, "--nbval-kernel-name", "python3") if FORKED else ("--nbval-current-env",)),
    *("-p", "tests.notebooks.shorter"),  # cells that train for minutes train for a tenth of their steps
)
EVERY_CORE = ("-n", "auto")
# A worker begins with consecutive tests, so that one worker makes what the tests of a file share.
SHARED_BY_FILE = (*EVERY_CORE, "--dist", "worksteal")
BY_FILE = ("--dist", "loadfile")  # one worker runs a file, or a notebook, from beginning to end


@dataclass(frozen=True)
class Stage:
    """One step: ``python -m module arguments``. If it runs pytest, at least ``least`` tests must pass.

    ``beside``: whether it runs beside the others.
    """

    module: str
    arguments: tuple[str, ...] = ()
    least: int | None = None
    beside: bool = False


@dataclass(frozen=True)
class Result:
    """How many tests of a stage passed, failed, were skipped. A check without tests counts as one."""

    passed: int
    failed: int
    skipped: int
    trouble: str | None
    seconds: float


def code_cells() -> int:
    """Return how many code cells the notebooks have: as many as nbval must run."""
    count = 0
    for path in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        if not any(part.startswith(".") for part in path.relative_to(ROOT).parts):
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            count += sum(cell["cell_type"] == "code" for cell in cells)
    return count


def stages() -> dict[str, Stage]:
    """Return the stages of `make test` by name, in order."""
    fast = ("-m", "not sweep")
    apart = ("--ignore=tests/browser", "--ignore=tests/javascript")
    return {
        "lint": Stage("ruff", ("check", ".")),
        "format": Stage("ruff", ("format", "--check", ".")),
        "types": Stage("mypy", beside=True),  # one process, a minute without its cache
        "javascript": Stage("pytest", ("tests/javascript",), least=1 if NPM_REQUIRED else 0, beside=True),
        "tests": Stage("pytest", ("tests", *apart, *fast, *SHARED_BY_FILE), least=1),
        "notebooks": Stage(
            "pytest", (*NBVAL, *EVERY_CORE, *BY_FILE, "notebooks"), least=max(1, code_cells())
        ),
        "browser": Stage(
            "pytest",
            ("tests/browser", *fast, *FORKED, "-n", "2", *BY_FILE),
            least=1 if BROWSER_REQUIRED else 0,
            beside=True,
        ),
    }


def sweep_stages() -> dict[str, Stage]:
    """Return the stages of `make sweep`: all that `make test` leaves out, room by room."""
    slow = ("-m", "sweep")
    apart = ("--ignore=tests/browser",)
    least = 1 if BROWSER_REQUIRED else 0
    return {
        "rooms": Stage("pytest", ("tests", *apart, *slow, *SHARED_BY_FILE), least=1),
        "browser": Stage("pytest", ("tests/browser", *slow, *FORKED, "-n", "2", *BY_FILE), least=least),
    }


def environment(home: Path) -> dict[str, str]:
    """Return an environment without the developer's settings: one thread a worker, offline."""
    return {
        **os.environ,
        "POSENC_LESSONS_HOME": str(home / "choices"),
        "JUPYTER_CONFIG_DIR": str(home / "jupyter"),
        "IPYTHONDIR": str(home / "ipython"),
        "MPLCONFIGDIR": str(home / "matplotlib"),
        "OMP_NUM_THREADS": "1",  # the workers are the parallelism
        "HF_HUB_OFFLINE": "1",  # the oracles need code, not weights
        "PYTHONUTF8": "1",
        **MALLOC,
    }


def run(stage: Stage, home: Path, output: IO[str] | None = None) -> Result:
    """Run one stage in an empty folder ``home`` and return its result; it prints to ``output``."""
    start = time.monotonic()
    report = home / "report.xml"
    command = [sys.executable, "-m", stage.module, *stage.arguments]
    if stage.least is not None:
        command += ["--junitxml", str(report)]
    try:
        status = subprocess.run(
            command,
            cwd=ROOT,
            env=environment(home),
            timeout=STAGE_SECONDS,
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
        ).returncode
    except subprocess.TimeoutExpired:
        status = -1
    seconds = time.monotonic() - start
    trouble = None if status == 0 else "took too long" if status == -1 else f"exit {status}"
    if stage.least is None:
        return Result(int(status == 0), int(status != 0), 0, trouble, seconds)
    passed, failed, skipped = counts(report)
    if trouble is None:
        trouble = shortfall(stage.least, passed, skipped)
    return Result(passed, max(failed, int(trouble is not None)), skipped, trouble, seconds)


def counts(report: Path) -> tuple[int, int, int]:
    """Return how many tests passed, failed, were skipped in a JUnit report; 0, 0, 0 without a report."""
    if not report.exists():
        return 0, 0, 0
    total, failed, skipped = 0, 0, 0
    for suite in ElementTree.parse(report).getroot().iter("testsuite"):
        total += int(suite.get("tests", 0))
        failed += int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        skipped += int(suite.get("skipped", 0))
    return max(0, total - failed - skipped), failed, skipped


def shortfall(least: int, passed: int, skipped: int) -> str | None:
    """Return why a stage with exit status 0 failed (it ran nothing, or too few tests passed), or None."""
    if passed + skipped == 0:
        return "ran nothing"
    if passed < least:
        return f"only {passed} passed, at least {least} had to"
    return None


def run_all(chosen: Mapping[str, Stage]) -> dict[str, Result]:
    """Run the stages, each in its own home, and print their output."""
    results: dict[str, Result] = {}
    with tempfile.TemporaryDirectory(prefix="posenc-tests-", ignore_cleanup_errors=True) as folder:
        homes = {name: Path(folder, name) for name in chosen}
        for home in homes.values():
            home.mkdir()
        with ThreadPoolExecutor() as others:
            beside = {
                name: others.submit(run_aside, stage, homes[name])
                for name, stage in chosen.items()
                if stage.beside
            }
            for name, stage in chosen.items():
                if name not in beside:
                    print(f"\n=== {name} ===", flush=True)
                    results[name] = run(stage, homes[name])
            for name, running in beside.items():
                results[name], printed = running.result()
                print(f"\n=== {name} ===\n{printed}", flush=True)
    return results


def run_aside(stage: Stage, home: Path) -> tuple[Result, str]:
    """Run one stage without printing; return its result and its output."""
    log = home / "log.txt"
    with log.open("w", encoding="utf-8") as output:
        result = run(stage, home, output)
    return result, log.read_text(encoding="utf-8", errors="replace")


def main() -> None:
    """Run all requested stages, even if one fails, then print the result of each."""
    names = [name for name in sys.argv[1:] if name != "--sweep"]
    known = sweep_stages() if "--sweep" in sys.argv else stages()
    if unknown := set(names) - set(known):
        sys.exit(f"no such stage: {', '.join(sorted(unknown))}; there are: {', '.join(known)}")
    results = run_all({name: known[name] for name in names or known})
    print()
    for name, result in results.items():
        how = result.trouble or ("skipped" if result.passed == 0 else "ok")
        print(f"{name:10} {how:40} {result.passed:6} passed {result.seconds:7.1f} s")
    passed, failed, skipped = (
        sum(getattr(result, count) for result in results.values())
        for count in ("passed", "failed", "skipped")
    )
    print(f"\ntotal: {passed} passed, {failed} failed, {skipped} skipped", flush=True)
    sys.exit(int(failed > 0))


if __name__ == "__main__":
    main()
