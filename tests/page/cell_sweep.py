"""Run the published cells of lessons, solutions and question pages over the page's torch, and compare what
they print and show with the committed outputs.

Cells that train do so for a tenth of their steps, in CPython only; what they and those after them print is
not compared.
"""

import re
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import numpy

from posenc_lessons.browser.build import cells_files, data_files, page_modules, path_in_page
from posenc_lessons.browser.needs import names_in, needed
from posenc_lessons.course import sections
from posenc_lessons.export.cells import NOTE
from posenc_lessons.export.in_page import RECORDED, SKIPPED, TRAINS, for_one_reader, tagged
from tests.page.page_python import PagePython

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
STEPS_OF = 10  # share of its steps for which a cell trains
PICTURE = ("picture", "")  # recorded pictures and explorers, which other tests compare
PROGRESS = "progress"  # the rest of a progress bar
FRESH = "import torch\ntorch.set_printoptions(precision=4, linewidth=80)"  # as when a page has started

Shown = list[tuple[str, str]]  # kind and text of an output


@dataclass(frozen=True)
class CellRun:
    """What one cell showed: ``error`` is the last line of a traceback that is not published."""

    cell: str
    trained: bool  # the cell itself, or a cell that it needs
    error: str
    ours: Shown
    published: Shown

    @property
    def same(self) -> bool:
        return not self.error and _same(self.ours, self.published)


def names() -> list[str]:
    """Return the notebooks whose cells run in a page."""
    patterns = ("[0-9]*.ipynb", "solutions/*.ipynb", "questions/*.ipynb")
    match = [path for pattern in patterns for path in sorted(NOTEBOOKS.glob(pattern))]
    return [path.relative_to(NOTEBOOKS).with_suffix("").as_posix() for path in match]


@cache
def cells_of(name: str) -> list[Any]:
    """Return the code cells of a notebook."""
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def trains(cell: Any) -> bool:
    """Return whether the notebook says that the cell trains a model."""
    return TRAINS in cell.metadata.get("tags", ())


def training(name: str) -> list[str]:
    """Return the ids of the cells of a notebook that train."""
    return [cell.id for cell in cells_of(name) if trains(cell)]


def sweep(
    page: PagePython, name: str, train: bool, without: Collection[str] = frozenset()
) -> Iterator[CellRun]:
    """Run the cells of a notebook in order, except those in ``without`` and cells that need one of them.

    If ``train`` is false, leave out cells that train and cells that need those, too.
    """
    cells = cells_of(name)
    names = [(cell.id, names_in(cell.source, trains=trains(cell))) for cell in cells]
    sources = [("fresh", FRESH), *((cell.id, cell.source) for cell in cells)]
    page.ask(lesson=name, call="define", args=[sources, training(name)])
    page.ask(lesson=name, call="run", args=["fresh"])
    trained: set[str] = set()  # cells that train less than published, and those that need them
    left_out: set[str] = set()  # cells ``without``, and those that need them
    for at, cell in enumerate(cells):
        if sections.guesses(cell) or for_one_reader(cell) or tagged(cell, SKIPPED) or tagged(cell, RECORDED):
            continue
        source, above = cell.source, set(needed(names, at))
        if f"{name}/{cell.id}" in without or left_out & above:
            left_out.add(cell.id)
            continue
        if trains(cell) or trained & above:
            trained.add(cell.id)
            if not train:
                continue
        if trains(cell):
            source, changes = shortened(source)
            page.ask(steps_of=1 if changes else STEPS_OF)
        answer = page.ask(lesson=name, call="run", args=[cell.id, source])["answer"]
        if trains(cell):
            page.ask(steps_of=1)
        raises = any(output.output_type == "error" for output in cell.outputs)
        yield CellRun(
            f"{name}/{cell.id}",
            cell.id in trained,
            "" if raises else answer.get("error") or "",
            _of_page(answer["outputs"]),
            _of_notebook(cell.outputs),
        )


def shortened(source: str) -> tuple[str, int]:
    """Return the cell with a tenth of its steps, and in how many places they were changed."""
    return re.subn(r"(?<=steps=|range\()(\d+)0\b", r"\1", source)


# ---- the text that a reader sees ----


def _of_page(outputs: Iterable[dict[str, str]]) -> Shown:
    printed, view = "", Shown()
    for output in outputs:
        kind = output["kind"]
        if kind == "stream":
            printed += output["text"]
        elif kind in ("explorer", "recorded"):
            view.append(PICTURE)
        elif kind == "data":
            view.append(("html", output["html"]) if output["html"] else ("text", output["plain"]))
    return _tidy(printed, view)


def _of_notebook(outputs: Iterable[Any]) -> Shown:
    printed, view = "", Shown()
    for output in outputs:
        data = output.get("data", {})
        if output.output_type == "stream":
            printed += output.text
        elif "image/png" in data:
            view.append(PICTURE)
        elif "text/html" in data:
            if NOTE not in data["text/html"]:
                view.append(("html", data["text/html"]))
        elif "text/plain" in data:
            view.append(("text", data["text/plain"]))
    return _tidy(printed, view)


def _tidy(printed: str, shown: Shown) -> Shown:
    """Return the printed text in one piece, then the displayed outputs, without progress bars."""
    match = [(kind, _sanitized(words).strip("\n")) for kind, words in [("printed", printed), *shown]]
    return [
        (kind, words)
        for kind, words in match
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


@contextmanager
def in_cpython() -> Iterator[PagePython]:
    """Yield the page's modules in this Python, where nothing but NumPy is installed."""
    with tempfile.TemporaryDirectory() as folder:
        files = {path_in_page(path): path.read_bytes() for path in {*page_modules(), *data_files()}}
        for name, content in {**files, **cells_files()}.items():
            to = Path(folder, name)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(content)
        installed = Path(folder, "installed")
        installed.mkdir()
        for item in Path(numpy.__file__).parents[1].glob("numpy*"):
            (installed / item.name).symlink_to(item)
        script = str(Path(__file__).with_name("cpython_page.py"))
        page = PagePython([sys.executable, "-S", "-OO", "-W", "error", script, folder], cwd=folder)
        try:
            yield page
        finally:
            page.close()
