"""Change single tokens of the package, one at a time, and see whether the tests tell.

    python -m tests.mutants                    200 changes
    python -m tests.mutants 50 --seed 3        fewer, and others
    python -m tests.mutants --seconds 1800     as many as fit into half an hour
    python -m tests.mutants --skip 40          the same 200 without the first 40

Each change is made in a copy of the repository and runs the tests that `make check` would run for that file;
a change they do not tell runs ``WIDER`` as well (not with --own). Survivors are printed, with the reason if
``REASONS`` has one. All of it takes hours on two cores, so it is not part of `make test`.
"""

from __future__ import annotations

import argparse
import ast
import io
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import check

ROOT = check.ROOT
CHANGED = {  # which files, and how many of 100 changes are made there
    "encodings/**/*.py": 45,
    "models/*.py": 25,
    "exercises/**/*.py": 12,
    "course/*.py": 12,
    "explorers/host.py": 6,
}
WIDER = {  # when the tests of the file itself have not told
    "encodings": ("tests/encodings", "tests/test_config_command.py", "tests/oracles/test_config_oracles.py"),
    "models": ("tests/models",),
    "exercises": ("tests/exercises/test_exercise.py", "tests/exercises/test_verdict.py"),
    "course": ("tests/course", "tests/test_language.py"),
    "explorers": ("tests/page/test_host.py", "tests/page/test_sweep.py"),
}
OTHER = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "/", "%": "*", "**": "*", "&": "|", "|": "&"}
OTHER |= {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "<<": ">>"}
OTHER |= {"and": "or", "or": "and", "not": "", "True": "False", "False": "True", "in": "not in"}
LONGEST = 600  # seconds for one run of tests
TOO_LONG = "too long"

QUESTION = "another question of the same kind: the right answer and every mistake are told by it as well"
MISTAKE = "the example of a mistake is data: only a second copy of it could tell"
# (file, line, change): why no test could tell, or why none needs to.
REASONS = {
    ("encodings/context_extension.py", "if len(factors) != rotary_dim // 2:", "// → /"): (
        "rotary_dim is even, so both are the same number"
    ),
    (
        "encodings/gate_counts.py",
        "height, several = max(QUERIES, math.ceil(len_q / 4)), max(1, heads)",
        "4 → 5",
    ): "the height of a strip changes only the speed",
    (
        "encodings/gate_counts.py",
        "height, several = max(QUERIES, math.ceil(len_q / 4)), max(1, heads)",
        "/ → *",
    ): "the height of a strip changes only the speed",
    (
        "exercises/learned/rows.py",
        ")(lambda is_real, padding_row, max_len: solutions.position_ids(is_real, padding_row, max_len - 1))",
        "1 → 2",
    ): MISTAKE,
    (
        "exercises/relative/biases.py",
        "lambda n_heads: torch.exp(-8 * torch.arange(1, n_heads + 1) / n_heads)",
        "- → +",
    ): MISTAKE,
    ("exercises/relative/shaw.py", "((), (0, 4), (0, 4), 2),", "0 → 1"): QUESTION,
    (
        "encodings/t5.py",
        "each = torch.arange(-self.max_distance, self.max_distance + 1, device=device)",
        "1 → 2",
    ): "one distance more than is ever asked for",
    ("encodings/rotating_in_parts.py", "if width < x.shape[-1]:", "< → <="): "it copies no feature then",
    (
        "exercises/sinusoidal/table.py",
        ")(lambda d_model, longest: float((longest * 2 * math.pi) ** (d_model / (d_model - 2))))",
        "** → *",
    ): MISTAKE,
    (
        "exercises/why_position/weights.py",
        "(2 * random_numbers(*front, n_queries, d, seed=d), random_numbers(*front, n_keys, d, seed=d + 10))",
        "2 → 3",
    ): QUESTION,
    (
        "exercises/longer_than_trained_llama.py",
        "lambda config: _mixed((_share(config, _turns(config)) >= 1).double(), config),",
        ">= → >",
    ): "no pair of a question has a share of exactly 1",
    ("exercises/relative/shaw.py", "((2,), (7, 1), (0, 8), 2),  # a step of decoding", "8 → 9"): QUESTION,
    ("exercises/cope/table.py", "([1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 1, 5),", "0 → 1"): QUESTION,
    (
        "models/cache.py",
        "elif self.keys is not None and self.values is not None and self.positions is not None:",
        "and → or",
    ): "all three are there or none; the condition tells mypy",
    (
        "models/decoding.py",
        "token = logits.argmax(dim=-1)",
        "- → +",
    ): "logits are [B, V], so both are the same axis",
}


class Mutant(NamedTuple):
    file: str  # within posenc_lessons
    row: int  # from 1
    column: int
    old: str
    new: str


def mutants_of(path: Path, package: Path) -> Iterator[Mutant]:
    """Yield the changes of single tokens that leave ``path`` a program: operators, truth values, numbers."""
    source = path.read_text(encoding="utf-8")
    annotations = set(_annotations(ast.parse(source)))
    before, inside = "", 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        inside += {"FSTRING_START": 1, "FSTRING_END": -1}.get(tokenize.tok_name[token.type], 0)
        text, (row, column) = token.string, token.start
        news = [OTHER[text]] if text in OTHER and token.type in (tokenize.OP, tokenize.NAME) else []
        if token.type == tokenize.NUMBER and text.isdecimal():
            news = [str(int(text) + 1)]
        elif token.type == tokenize.NUMBER and "j" not in text:
            news = [f"({text} * 1.5 + 1e-3)"]
        unpacked = text in ("*", "**") and before in ("(", ",", "[", "{", ":")
        if news and not inside and not unpacked and (row, column) not in annotations:
            mutant = Mutant(path.relative_to(package).as_posix(), row, column, text, news[0])
            if _is_program(changed(source, mutant)):
                yield mutant
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            before = text


def _annotations(tree: ast.AST) -> Iterator[tuple[int, int]]:
    """Yield the places of all that stands in annotations, which change nothing when the program runs."""
    for node in ast.walk(tree):
        for each in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(each, ast.expr) and each.end_col_offset is not None:
                yield from ((each.lineno, column) for column in range(each.col_offset, each.end_col_offset))


def changed(source: str, mutant: Mutant) -> str:
    lines = source.split("\n")
    line, end = lines[mutant.row - 1], mutant.column + len(mutant.old)
    lines[mutant.row - 1] = line[: mutant.column] + mutant.new + line[end:]
    return "\n".join(lines)


def _is_program(source: str) -> bool:
    try:
        compile(source, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def sample(number: int, choose: random.Random, package: Path) -> list[Mutant]:
    """Return ``number`` changes, mixed, with the share of each room as in ``CHANGED``."""
    chosen = []
    for pattern, share in CHANGED.items():
        every = [each for path in sorted(package.glob(pattern)) for each in mutants_of(path, package)]
        if not every:
            sys.exit(f"{pattern} of CHANGED is not there any more")
        chosen += choose.sample(every, min(number * share // 100, len(every)))
        print(f"{pattern}: {len(every)} possible changes", flush=True)
    choose.shuffle(chosen)
    return chosen


def copy_of_repository(folder: Path) -> None:
    for name in check._git("ls-files", "--cached", "--others", "--exclude-standard"):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)


def failure(tests: list[str], copy: Path) -> str:
    """Run ``tests`` in a forked process, which has PyTorch already.

    Return the first that fails, "" if all of them pass, and ``TOO_LONG`` after ``LONGEST`` seconds.
    """
    report = copy.with_name("failed")
    report.unlink(missing_ok=True)
    pid = os.fork()
    if pid == 0:
        _run(tests, copy, report)
    deadline = time.monotonic() + LONGEST
    while time.monotonic() < deadline:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            named = report.read_text("utf-8") if report.exists() else f"status {code}"
            return named if code else ""
        time.sleep(0.1)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return TOO_LONG


class _Reporter:
    """A plugin of pytest: writes the name of the first test that fails."""

    def __init__(self, report: Path) -> None:
        self.report = report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report)

    def _note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed and not self.report.exists():
            self.report.write_text(report.nodeid, encoding="utf-8")


def _run(tests: list[str], copy: Path, report: Path) -> None:
    """Run pytest in this child process, on the copy only, and leave."""
    os.setsid()
    os.chdir(copy)
    os.environ |= {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
    os.environ["TMPDIR"] = str(copy.with_name("tmp"))  # what an ended process leaves there goes with the copy
    tempfile.tempdir = None
    sys.path.insert(0, str(copy))
    sys.dont_write_bytecode = True
    for name in [name for name in sys.modules if name.split(".")[0] in ("tests", check.PACKAGE)]:
        del sys.modules[name]
    status = 99
    try:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        status = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests], [_Reporter(report)]))
    finally:
        os._exit(status)


def told_by(mutant: Mutant, copy: Path, wider: bool, recent: list[str]) -> tuple[str, str]:
    """Return which tests tell the change, "own" or "wider", and the first of them; "" twice if none does.

    A run without an end is ``TOO_LONG``: it may have told the change, or the machine may be busy.
    The files of ``recent``, which told other changes, run first; the last to tell stands at its head.
    """
    path = copy / check.PACKAGE / mutant.file
    source = path.read_text(encoding="utf-8")
    of_file = check.tests_of([f"{check.PACKAGE}/{mutant.file}"], copy)
    own = [test for test in of_file if check.IN_PAGE not in test]  # which is about names
    own.sort(key=lambda test: recent.index(test) if test in recent else len(recent))
    path.write_text(changed(source, mutant), encoding="utf-8")
    try:
        more = [test for test in _files(WIDER[mutant.file.split("/")[0]], copy) if test not in own]
        for which, tests in (("own", own), ("wider", more if wider else [])):
            if tests and (test := failure(tests, copy)):
                recent.insert(0, test.partition("::")[0])
                return (TOO_LONG if test == TOO_LONG else which), test
    finally:
        path.write_text(source, encoding="utf-8")
    return "", ""


def _files(tests: tuple[str, ...], copy: Path) -> list[str]:
    """Return the files of ``tests``, which may name folders."""
    paths = [path for each in tests for path in (sorted((copy / each).glob("test_*.py")) or [copy / each])]
    return [path.relative_to(copy).as_posix() for path in paths]


def main() -> None:
    """Print each change with what told it, and at the end the survivors."""
    options = argparse.ArgumentParser(description="Do the tests tell single changed tokens?")
    options.add_argument("number", type=int, nargs="?", default=200)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--skip", type=int, default=0, help="leave out the first of the changes")
    options.add_argument("--seconds", type=float, default=float("inf"))
    options.add_argument("--own", action="store_true", help="run only the tests of the file itself")
    asked = options.parse_args()
    import torch

    torch.set_num_threads(1)
    begun, package = time.monotonic(), ROOT / check.PACKAGE
    chosen = sample(asked.number, random.Random(asked.seed), package)
    told, survived, recent = {"own": 0, "wider": 0, TOO_LONG: 0}, [], []
    with tempfile.TemporaryDirectory(prefix="posenc-mutants-") as folder:
        copy = Path(folder, "repository")
        Path(folder, "tmp").mkdir()
        copy_of_repository(copy)
        for mutant in chosen[asked.skip :]:
            if time.monotonic() - begun > asked.seconds:
                break
            started = time.monotonic()
            by, test = told_by(mutant, copy, not asked.own, recent)
            took = f"{time.monotonic() - started:4.0f} s"
            print(
                f"{by or 'SURVIVED':8} {took} {mutant.file}:{mutant.row} {mutant.old} → {mutant.new}  {test}",
                flush=True,
            )
            if by:
                told[by] += 1
            else:
                line = (
                    (copy / check.PACKAGE / mutant.file)
                    .read_text("utf-8")
                    .split("\n")[mutant.row - 1]
                    .strip()
                )
                survived.append((mutant, line, f"{mutant.old} → {mutant.new}"))
    reasons = [REASONS.get((mutant.file, line, change), "") for mutant, line, change in survived]
    counts = f"{told['own']} told by their own tests, {told['wider']} by wider ones"
    counts += f", {told[TOO_LONG]} ran too long to say"
    accepted = f"{len(survived)} survived, {sum(map(bool, reasons))} of them with a reason"
    print(f"\n{sum(told.values()) + len(survived)} of {asked.number} run: {counts}; {accepted}")
    for (mutant, line, change), reason in zip(survived, reasons, strict=True):
        print(f"{mutant.file}:{mutant.row}: {change}: {line}\n    {reason or 'NO REASON'}")


if __name__ == "__main__":
    main()
