"""Measure how long the cells that train take in WebAssembly.

``python -m tests.page.training_pace`` writes ``posenc_lessons/browser/training.json``, in some ten minutes.
With names of cells, only those are measured again.
A training with a progress bar is ended when its pace is known; others run to their end. Times are the
processor's.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from posenc_lessons.browser.needs import trains
from posenc_lessons.browser.training import RECORDED, training_paces
from tests.page.cell_sweep import FRESH, cells_of, in_webassembly, names
from tests.page.page_python import PagePython

TIMED_BAR = Path(__file__).with_name("timed_bar.py")


def pace(page: PagePython, lesson: str, cell: str) -> dict[str, int]:
    """Run a cell of a defined lesson after the cells that it needs; return its steps and seconds."""
    for above in page.ask(lesson=lesson, call="needed", args=[cell])["answer"]:
        page.ask(lesson=lesson, call="run", args=[above])
    page.run("begin()")
    said = page.ask(lesson=lesson, call="run", args=[cell])
    assert not said["answer"].get("error"), said["answer"]["text"]
    steps, ms = json.loads(page.run("left_out()"))
    return {"steps": said["answer"]["steps"] + steps, "seconds": math.ceil((said["cpu_ms"] + ms) / 1000)}


def main(wanted: Sequence[str]) -> None:
    found = dict(training_paces()) if wanted else {}
    with in_webassembly() as page:
        page.run(TIMED_BAR.read_text(encoding="utf-8") + "\nbegin()")
        for lesson in names():
            cells = [(cell.id, cell.source) for cell in cells_of(lesson)]
            page.ask(lesson=lesson, call="define", args=[[("fresh", FRESH), *cells]])
            for cell, source in cells:
                if trains(source) and (not wanted or cell in wanted):
                    found[cell] = pace(page, lesson, cell)
                    print(cell, found[cell], file=sys.stderr, flush=True)
    RECORDED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
