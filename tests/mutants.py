"""Change single tokens of the package, one at a time, and see whether the tests tell.

    python -m tests.mutants                    200 changes
    python -m tests.mutants 50 --seed 3        fewer, and others
    python -m tests.mutants --jobs 2           two at a time

First all of ``TESTS`` run once, to record which tests run which line (kept in build/ until a file changes).
Then each change is made in a copy of the repository, and the tests of its line run: first those that mirror
the file, then others, up to a minute of each kind and the fastest first. For a line that runs at import, all
tests of the file run. Survivors are printed, with their ``REASONS``.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import itertools
import multiprocessing
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests import check
from tests.support.lines_run import LinesRun, record, statement
from tests.support.single_tokens import Change, changes_of

ROOT = check.ROOT
REASONS = ROOT / "benchmarks/mutants.md"  # lists survivors, as they are printed, with reasons
CHANGED = {  # groups of files, and how many of 100 changes are made in each
    "encodings/**/*.py": 45,
    "models/*.py": 25,
    "exercises/**/*.py": 12,
    "course/*.py": 12,
    "explorers/host.py": 6,
}
TESTS = [
    f"tests/{each}" for each in ("encodings", "models", "exercises", "course", "oracles", "page/test_host.py")
]
TESTS += [
    "tests/page/test_sweep.py",
    "tests/explorers/test_panel.py",
    "tests/test_config_command.py",
    "tests/test_language.py",
]
MINUTE = 60
NO_END = "no end"
CANNOT_RUN = 99
# It warns that modules are already loaded, which is intended.
PYTEST = ("-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
GROUPS = {
    "own": "their file's own tests",
    "line": "others that run the line",
    "file": "others of their file's own",
}
GROUPS |= {NO_END: "a test that takes ten times as long"}
PRELOADED = ("torch", "matplotlib.pyplot", "IPython", "ipywidgets", "transformers")
# Examples are the same each time, and the first failing one is enough.
settings.register_profile(
    "mutants",
    derandomize=True,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow],
)


class Outcome(NamedTuple):
    by: str  # one of ``GROUPS``, or "" if no test fails
    test: str
    seconds: float


class Runner:
    """Makes changes in its own copy of the repository, and runs the tests there."""

    def __init__(self, copy: Path, lines: LinesRun) -> None:
        self.copy, self.lines = copy, lines

    def __call__(self, change: Change) -> Outcome:
        begun = time.monotonic()
        path = self.copy / check.PACKAGE / change.file
        source = path.read_text(encoding="utf-8")
        groups = self._groups(change, source)
        path.write_text(change.of(source), encoding="utf-8")
        try:
            for by, tests in groups.items():
                if tests and (test := self._failure(tests)):
                    return Outcome(test if test == NO_END else by, test, time.monotonic() - begun)
            return Outcome("", "", time.monotonic() - begun)
        finally:
            path.write_text(source, encoding="utf-8")

    def _groups(self, change: Change, source: str) -> dict[str, list[str]]:
        name = f"{check.PACKAGE}/{change.file}"
        rows, at_import = statement(source, change.row)
        files = {each.partition("::")[0] for each in check.tests_of([name], self.copy)}
        own = {each for each in self.lines.seconds if each.partition("::")[0] in files}
        of_file = self.lines.tests(name)
        of_line = (of_file | own) if at_import else self.lines.tests(name, rows)
        groups = {"own": of_line & own, "line": of_line - own, "file": own - of_line}
        return {by: self._fastest(tests) for by, tests in groups.items()}

    def _fastest(self, tests: set[str]) -> list[str]:
        """Return the fastest of ``tests`` that together take a minute, in order of time."""
        ordered = sorted(tests, key=self.lines.seconds.__getitem__)
        until = itertools.accumulate(map(self.lines.seconds.__getitem__, ordered))
        return [test for test, seconds in zip(ordered, until, strict=True) if seconds < MINUTE]

    def _failure(self, tests: list[str]) -> str:
        """Return the first of ``tests`` that fails, or ""."""
        report = self.copy.with_name(f"{self.copy.name}-failed")
        report.unlink(missing_ok=True)
        limits = {test: 30 + 10 * self.lines.seconds[test] for test in tests}
        status = _in_child(self.copy, lambda: _first_failure(limits, report))
        if status == -signal.SIGALRM:
            return NO_END
        return report.read_text("utf-8") if report.exists() else f"status {status}" * bool(status)


class _Chosen:
    """A plugin of pytest: runs the tests in ``limits`` in order, and writes the name of the first that fails.

    A test that takes longer than its limit, in seconds, ends the process.
    """

    def __init__(self, limits: dict[str, float], report: Path) -> None:
        self.limits, self.report = limits, report
        signal.alarm(300)  # until the first test begins

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        place = {test: place for place, test in enumerate(self.limits)}
        items[:] = sorted(
            (each for each in items if each.nodeid in place), key=lambda each: place[each.nodeid]
        )

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        signal.alarm(round(self.limits[nodeid]))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report)

    def _note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed and not self.report.exists():
            self.report.write_text(report.nodeid, encoding="utf-8")


def _first_failure(limits: dict[str, float], report: Path) -> int:
    files = dict.fromkeys(test.partition("::")[0] for test in limits)
    options = [*PYTEST, "-x", "--hypothesis-profile=mutants", *files]
    return int(pytest.main(options, [_Chosen(limits, report)]))


def _in_child(copy: Path, work: Callable[[], int | None]) -> int:
    """Do ``work`` in a forked process, which imports from ``copy`` and has PyTorch. Return its status."""
    sys.stdout.flush()
    printed = copy.with_name(f"{copy.name}-printed")
    pid = os.fork()
    if pid == 0:
        _child(copy, printed, work)
    _, status = os.waitpid(pid, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)  # processes that it started and did not end
    code = os.waitstatus_to_exitcode(status)
    if code == CANNOT_RUN:
        raise RuntimeError(printed.read_text("utf-8"))
    return code


def _child(copy: Path, printed: Path, work: Callable[[], int | None]) -> NoReturn:
    status = CANNOT_RUN
    try:
        os.setsid()
        os.chdir(copy)
        os.environ["PYTHONPATH"] = str(copy)
        os.environ["TMPDIR"] = str(
            copy.with_name("tmp")
        )  # files of an ended process are deleted with the copy
        tempfile.tempdir = None
        sys.path.insert(0, str(copy))
        for name in [name for name in sys.modules if name.split(".")[0] in ("tests", check.PACKAGE)]:
            del sys.modules[name]
        with open(printed, "w") as kept:
            os.dup2(kept.fileno(), 1)
            os.dup2(kept.fileno(), 2)
        status = work() or 0
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(status)


def sample(number: int, choose: random.Random, package: Path) -> list[Change]:
    """Return ``number`` changes in random order, with the shares of groups in ``CHANGED``."""
    chosen = []
    for pattern, share in CHANGED.items():
        every = [each for path in sorted(package.glob(pattern)) for each in changes_of(path, package)]
        if not every:
            sys.exit(f"{pattern} of CHANGED is not there any more")
        chosen += choose.sample(every, min(number * share // 100, len(every)))
        print(f"{pattern}: {len(every)} possible changes", flush=True)
    choose.shuffle(chosen)
    return chosen


def copy_of_repository(folder: Path) -> str:
    """Copy the files that git tracks into ``folder``; return a hash of the Python files."""
    holds = hashlib.sha256()
    for name in sorted(check._git("ls-files", "--cached", "--others", "--exclude-standard")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
            if name.startswith((check.PACKAGE, check.TESTS)) and name.endswith(".py"):
                holds.update(name.encode() + (ROOT / name).read_bytes())
    return holds.hexdigest()[:12]


def lines_run(copy: Path, name: str) -> LinesRun:
    """Return which tests run which lines, from build/ or by running all tests; also compile the copy."""
    kept = ROOT / "build" / f"mutants-{name}"
    _in_child(copy, lambda: pytest.main([*PYTEST, "--collect-only", *TESTS]))  # which also writes bytecode
    if not (kept / "seconds.json").exists():
        print(f"running {' '.join(TESTS)} once ...", flush=True)
        kept.mkdir(parents=True, exist_ok=True)
        files = [f"{check.PACKAGE}/{re.sub(r'[*].*', '*', pattern)}" for pattern in CHANGED]
        _in_child(copy, lambda: record([*PYTEST, *TESTS], files, kept))
    return LinesRun(kept)


_runner: Runner


def _begin(copy: Path, lines: LinesRun) -> None:
    """Give this process of the pool its own copy, with the bytecode of unchanged files."""
    global _runner
    own = copy.with_name(f"copy-{os.getpid()}")
    shutil.copytree(copy, own)
    _runner = Runner(own, lines)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.dont_write_bytecode = True


def _try(change: Change) -> tuple[Change, Outcome]:
    return change, _runner(change)


def main() -> None:
    """Print each change with the test that failed, and the survivors at the end."""
    os.environ["OMP_NUM_THREADS"] = "1"
    options = argparse.ArgumentParser(description="Do the tests tell single changed tokens?")
    options.add_argument("number", type=int, nargs="?", default=200)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--skip", type=int, default=0, help="leave out the first of the changes")
    options.add_argument("--only", default="", help="those whose file, line and change contain this text")
    asked = options.parse_args()
    for name in PRELOADED:
        importlib.import_module(name)
    changes = sample(asked.number, random.Random(asked.seed), ROOT / check.PACKAGE)
    chosen = [each for each in changes[asked.skip :] if asked.only in str(each)]
    told, survived = Counter[str](), []
    with tempfile.TemporaryDirectory(prefix="posenc-mutants-") as folder:
        copy = Path(folder, "repository")
        Path(folder, "tmp").mkdir()
        lines = lines_run(copy, copy_of_repository(copy))
        with multiprocessing.get_context("fork").Pool(asked.jobs, _begin, (copy, lines)) as pool:
            for change, outcome in pool.imap_unordered(_try, chosen):
                told[outcome.by] += 1
                print(
                    f"{outcome.by or 'SURVIVED':8} {outcome.seconds:4.0f} s {change}  {outcome.test}",
                    flush=True,
                )
                survived += [change] if not outcome.by else []
    _report(told, survived)


def _report(told: Counter[str], survived: list[Change]) -> None:
    known = dict(re.findall(r"^- (`.+? → .*?`(?: [(]\d+[)])?): (.+)$", REASONS.read_text("utf-8"), re.M))
    unknown = [each for each in survived if str(each) not in known]
    counts = ", ".join(f"{told[by]} by {tests}" for by, tests in GROUPS.items())
    print(f"\n{told.total()} changes, {told.total() - len(survived)} told: {counts};")
    print(f"{len(survived)} survived, {len(survived) - len(unknown)} of them with a reason")
    for change in survived:
        print(f"- {change}: {known.get(str(change), 'NO REASON')}")


if __name__ == "__main__":
    main()
