"""Record which tests run which lines of the package, and how long each test takes."""

from __future__ import annotations

import ast
import json
import time
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData

LONGEST = 30


class LinesRun:
    """The record that ``record`` wrote into ``folder``."""

    def __init__(self, folder: Path) -> None:
        data = CoverageData(str(folder / "lines"))
        data.read()
        self.by_row = {file: data.contexts_by_lineno(file) for file in data.measured_files()}
        self.seconds: dict[str, float] = json.loads((folder / "seconds.json").read_text("utf-8"))

    def tests(self, file: str, rows: Iterable[int] | None = None) -> set[str]:
        """Return the tests that run one of ``rows`` of ``file``, or any of its lines."""
        by_row = self.by_row.get(file, {})
        found = {test for row in (by_row if rows is None else rows) for test in by_row.get(row, ())}
        return found & self.seconds.keys()


class _Recorder:
    """A plugin of pytest that tells ``coverage`` which test is running, and times each."""

    def __init__(self, coverage: Coverage) -> None:
        self.coverage = coverage
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self.coverage.switch_context(item.nodeid)
        begun = time.perf_counter()
        result = yield
        self.seconds[item.nodeid] = time.perf_counter() - begun
        self.coverage.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)


def record(arguments: list[str], files: list[str], folder: Path) -> None:
    """Run pytest in the current folder; write into ``folder`` which tests run the lines of ``files``.

    A test that is skipped, fails without any change or takes more than ``LONGEST`` seconds is left out.
    """
    coverage = Coverage(data_file=str(folder / "lines"), config_file=False, include=files)
    coverage.set_option("run:relative_files", True)
    recorder = _Recorder(coverage)
    coverage.start()
    pytest.main(arguments, [recorder])
    coverage.stop()
    coverage.save()
    left_out = {test for test, seconds in recorder.seconds.items() if seconds > LONGEST} | recorder.failed
    passed = {test: seconds for test, seconds in recorder.seconds.items() if test not in left_out}
    (folder / "seconds.json").write_text(json.dumps(passed), encoding="utf-8")


def statement(source: str, row: int) -> tuple[range, bool]:
    """Return the rows of the innermost statement at ``row``, and whether it runs at import."""
    every = [each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.stmt)]
    around = [each for each in every if row in range(_first(each), (each.end_lineno or 0) + 1)]
    inner = min(around, key=lambda each: (each.end_lineno or 0) - _first(each))
    within = [each.lineno for each in ast.walk(inner) if isinstance(each, ast.stmt) and each.lineno > row]
    functions = [each for each in around if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
    at_import = all(row < each.body[0].lineno for each in functions)
    return range(_first(inner), min(within, default=(inner.end_lineno or row) + 1)), at_import


def _first(node: ast.stmt) -> int:
    return min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
