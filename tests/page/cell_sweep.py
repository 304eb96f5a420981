"""Every published cell of lessons, solutions and question pages over the page's torch.

``python -m tests.page.cell_sweep`` runs all of them in CPython and in WebAssembly, compares their outputs
with the committed ones, and writes ``benchmarks/cells.md``. Cells that train do so for a tenth of their
steps, in CPython only. It takes some ten minutes. ``python -m tests.page.training_pace`` measures how long
they train.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import numpy

from posenc_lessons.browser.build import (
    cells_files,
    cells_part,
    data_files,
    data_parts,
    page_modules,
    part_files,
    path_in_page,
    python_parts,
)
from posenc_lessons.browser.needs import Names, names_in_page, needed, trains
from posenc_lessons.course import sections
from posenc_lessons.export.cell_html import NOTE, OFFERS, for_one_reader
from tests.page.differing import DIFFERING
from tests.page.page_python import PagePython

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
STEPS_OF = 10  # share of its steps for which a cell trains
PICTURE = ("picture", "")  # recorded pictures and explorers, which other tests compare
PROGRESS = "progress"  # the rest of a progress bar
FRESH = "import torch\ntorch.set_printoptions(profile='default')"  # the imports at the start of a page

Where = Callable[[], AbstractContextManager[PagePython]]
Shown = list[tuple[str, str]]  # kind and text of an output


@dataclass(frozen=True)
class Found:
    """The result of one cell: ``error`` is the last line of a traceback that is not published."""

    cell: str
    trains: bool  # the cell itself, or a cell that it needs
    error: str
    ours: Shown
    published: Shown

    @property
    def runs(self) -> bool:
        return not self.error

    @property
    def same(self) -> bool:
        return self.runs and _same(self.ours, self.published)


def names() -> list[str]:
    """Return the notebooks whose cells run in a page."""
    patterns = ("[0-9]*.ipynb", "solutions/*.ipynb", "questions/*.ipynb")
    found = [path for pattern in patterns for path in sorted(NOTEBOOKS.glob(pattern))]
    return [path.relative_to(NOTEBOOKS).with_suffix("").as_posix() for path in found]


@cache
def cells_of(name: str) -> list[Any]:
    """Return the code cells of a notebook."""
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def sweep(
    page: PagePython, name: str, training: bool, without: Collection[str] = frozenset()
) -> Iterator[Found]:
    """Run the cells of a notebook in order, except those in ``without`` and cells that need one of them.

    If ``training`` is false, leave out cells that train and cells that need those, too.
    """
    cells = cells_of(name)
    sources = [("fresh", FRESH), *((cell.id, cell.source) for cell in cells)]
    if training:
        page.ask(steps_of=1)  # a sweep that failed may have left another language
    page.ask(lesson=name, call="define", args=[sources])
    page.ask(lesson=name, call="run", args=["fresh"])
    untrained: set[str] = set()  # cells that train less than published, and those that need them
    left_out: set[str] = set()  # cells ``without``, and those that need them
    for cell in cells:
        if sections.guesses(cell) or for_one_reader(cell):
            continue
        source, above = cell.source, set(_needed(sources, cell.id))
        if f"{name}/{cell.id}" in without or left_out & above:
            left_out.add(cell.id)
            continue
        if trains(source) or untrained & above:
            untrained.add(cell.id)
            if not training:
                continue
        if trains(source):
            source, told = shortened(source)
            page.ask(steps_of=1 if told else STEPS_OF)
        said = page.ask(lesson=name, call="run", args=[cell.id, source])
        answer = said["answer"]
        raises = any(output.output_type == "error" for output in cell.outputs)
        error = "" if raises else answer.get("error") or ""
        yield Found(
            f"{name}/{cell.id}",
            cell.id in untrained,
            error,
            _of_page(answer["outputs"]),
            _of_notebook(cell.outputs),
        )
        if trains(source):
            page.ask(steps_of=1)


@cache
def _names(source: str) -> Names:
    return names_in_page(source)


def _needed(sources: Sequence[tuple[str, str]], cell: str) -> list[str]:
    cells = [(each, _names(source)) for each, source in sources]
    return needed(cells, [each for each, _ in sources].index(cell))


def shortened(source: str) -> tuple[str, int]:
    """Return the cell with a tenth of its steps, and in how many places they were changed."""
    return re.subn(r"(?<=steps=|range\()(\d+)0\b", r"\1", source)


# ---- the text that a reader sees ----


def _of_page(outputs: Iterable[dict[str, str]]) -> Shown:
    printed, shown = "", Shown()
    for output in outputs:
        kind = output["kind"]
        if kind == "stream":
            printed += output["text"]
        elif kind in ("explorer", "recorded"):
            shown.append(PICTURE)
        elif kind == "data":
            shown.append(("html", output["html"]) if output["html"] else ("text", output["plain"]))
    return _tidy(printed, shown)


def _of_notebook(outputs: Iterable[Any]) -> Shown:
    printed, shown = "", Shown()
    for output in outputs:
        data = output.get("data", {})
        if output.output_type == "stream":
            printed += output.text
        elif "image/png" in data:
            shown.append(PICTURE)
        elif "text/html" in data:
            if NOTE not in data["text/html"]:
                shown.append(("html", data["text/html"]))
        elif "text/plain" in data and not data["text/plain"].startswith(OFFERS):
            shown.append(("text", data["text/plain"]))
    return _tidy(printed, shown)


def _tidy(printed: str, shown: Shown) -> Shown:
    """Return the printed text in one piece, then the displayed outputs, without progress bars."""
    found = [(kind, _sanitized(words).strip("\n")) for kind, words in [("printed", printed), *shown]]
    return [
        (kind, words)
        for kind, words in found
        if kind == "picture" or (words and not words.endswith(PROGRESS))
    ]


def _same(ours: Shown, published: Shown) -> bool:
    """Return whether the two are equal; an explorer or a recorded picture equals any displayed output."""
    pairs = zip(ours, published, strict=False)
    return len(ours) == len(published) and all(
        mine == theirs or (mine == PICTURE and theirs[0] != "printed") for mine, theirs in pairs
    )


def _sanitized(words: str) -> str:
    for pattern, other in _sanitizing():
        words = re.sub(pattern, other, words)
    return words


@cache
def _sanitizing() -> list[tuple[str, str]]:
    written = (ROOT / "tests" / "notebooks" / "sanitize.cfg").read_text(encoding="utf-8")
    return re.findall(r"^regex: (.*)\nreplace: (.*)$", written, re.MULTILINE)


# ---- the two Pythons ----


@contextmanager
def in_cpython() -> Iterator[PagePython]:
    """Yield the page's modules in this Python, where nothing but NumPy is installed."""
    with tempfile.TemporaryDirectory() as folder:
        for path in {*page_modules(), *data_files(), *cells_files()}:
            to = Path(folder, path_in_page(path))
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, to)
        installed = Path(folder, "installed")
        installed.mkdir()
        for each in Path(numpy.__file__).parents[1].glob("numpy*"):
            (installed / each.name).symlink_to(each)
        script = str(Path(__file__).with_name("cpython_page.py"))
        page = PagePython([sys.executable, "-S", "-OO", "-W", "error", script, folder], cwd=folder)
        try:
            yield page
        finally:
            page.close()


@contextmanager
def in_webassembly() -> Iterator[PagePython]:
    """Yield the built page's own Python, under Node."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in part_files(
            [*python_parts(), *data_parts(), cells_part()], from_disk=False
        ).items():
            Path(folder, name).parent.mkdir(exist_ok=True)
            Path(folder, name).write_bytes(content)
        page = PagePython.under_node(Path(folder))
        try:
            for part in data_parts():
                page.ask(call="start data", args={"name": part.name})
            page.ask(call="start cells", args={})
            yield page
        finally:
            page.close()


# ---- the table ----


def table(cpython: Sequence[Found], webassembly: Sequence[Found]) -> str:
    """Return the table of ``benchmarks/cells.md``."""
    rows = [
        "| cells of | cells | CPython: run | the same | WebAssembly: run | the same | trained, or after |"
    ]
    rows.append("|---|---:|---:|---:|---:|---:|---:|")
    groups = {name: [name] for name in names() if "/" not in name}
    groups |= {
        kind: [name for name in names() if name.startswith(kind)] for kind in ("solutions/", "questions/")
    }
    groups["all"] = names()
    for title, members in groups.items():
        here = [each for each in cpython if each.cell.rpartition("/")[0] in members]
        there = [each for each in webassembly if each.cell.rpartition("/")[0] in members]
        still = [each for each in here if not each.trains]
        counts = (len(still), sum(each.runs for each in still), sum(each.same for each in still))
        counts += (sum(each.runs for each in there), sum(each.same for each in there), len(here) - len(still))
        rows.append(f"| {title.rstrip('/')} | " + " | ".join(map(str, counts)) + " |")
    return "\n".join(rows)


HEAD = """# Cells in the page

Every published code cell of lessons, solutions and question pages, over the page's torch: does it run, and is
what it prints and displays what is committed? `python -m tests.page.cell_sweep` writes this file. Guesses and
the choice of a language are the page's own and not counted. Cells that train did so in CPython, for a tenth
of their steps; what they and those after them print is not compared.

"""


def main() -> None:
    halves = names()[::2], names()[1::2]
    with ThreadPoolExecutor() as at_once:  # each waits for another process
        cpython, webassembly = (
            [at_once.submit(_swept, where, half, where is in_cpython) for half in halves]
            for where in (in_cpython, in_webassembly)
        )
    write(
        [each for half in cpython for each in half.result()],
        [each for half in webassembly for each in half.result()],
    )


def _swept(where: Where, listed: Sequence[str], training: bool) -> list[Found]:
    with where() as page:
        return [each for name in listed for each in sweep(page, name, training)]


def write(cpython: Sequence[Found], webassembly: Sequence[Found]) -> None:
    """Write the table, and print differences without a reason."""
    differing = sorted({each.cell for each in (*cpython, *webassembly) if not each.trains and not each.same})
    reasons = [f"| {cell} | {DIFFERING.get(cell, 'no reason is given')} |" for cell in differing]
    parts = (
        HEAD,
        table(cpython, webassembly),
        "\n\n## Those that differ\n\n| cell | why |\n|---|---|\n",
        "\n".join(reasons),
    )
    (ROOT / "benchmarks" / "cells.md").write_text("".join(parts) + "\n", encoding="utf-8")
    for each in (*cpython, *webassembly):
        if each.error or (not each.trains and not each.same and each.cell not in DIFFERING):
            print(each.cell, each.error, *(() if each.error else (each.ours, each.published)), sep="\n  ")


if __name__ == "__main__":
    main()
