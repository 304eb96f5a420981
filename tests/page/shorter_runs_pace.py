"""Make shorter runs of cells that train in WebAssembly, and compare their time with the page's estimate.

``python -m tests.page.shorter_runs_pace CELL …`` prints for each cell the seconds that the page says, the
processor's seconds that it took, and their ratio. Without names it makes the three shortest runs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from posenc_lessons.browser.shorter_runs import SHORTER, ShorterRun, offered
from tests.page.cell_sweep import cells_of, in_webassembly
from tests.page.page_python import PagePython


def seconds_said(run: ShorterRun) -> int:
    """Return the seconds that the page says for the run; a large number if it offers no run."""
    sources = {cell.id: cell.source for cell in cells_of(run.lesson)}
    found = offered(run.cell, sources[run.cell])
    return found["seconds"] if found else sys.maxsize


def seconds_taken(page: PagePython, run: ShorterRun) -> float:
    """Make the run after the cells that it needs; return the processor's seconds that it took."""
    sources = {cell.id: cell.source for cell in cells_of(run.lesson)}
    code = run.shortened(sources[run.cell])
    page.ask(lesson=run.cell, call="define", args=[list(sources.items())])
    for above in page.ask(lesson=run.cell, call="needed", args=[run.cell, code])["answer"]:
        page.ask(lesson=run.cell, call="run", args=[above])
    said = page.ask(lesson=run.cell, call="run", args=[run.cell, code])
    assert not said["answer"].get("error"), said["answer"]["text"]
    return said["cpu_ms"] / 1000


def main(wanted: Sequence[str]) -> None:
    runs = [run for run in SHORTER if run.cell in wanted] or sorted(SHORTER, key=seconds_said)[:3]
    with in_webassembly() as page:
        for run in runs:
            said, took = seconds_said(run), seconds_taken(page, run)
            print(f"{run.cell}: {said} s said, {took:.0f} s taken, {took / said:.2f} times", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
