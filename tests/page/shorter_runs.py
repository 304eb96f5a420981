"""Make the shorter runs of cells that train, over PyTorch, and ask whether the lesson's conclusions hold.

``python -m tests.page.shorter_runs`` makes all of them and writes
``posenc_lessons/browser/shorter_runs.json``; with names of cells, only those and the cells that they need.
It takes some twenty minutes on an idle core. Needed cells make their shorter runs too.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import torch

from posenc_lessons.browser.cells import Lesson
from posenc_lessons.browser.page_versions import Bar, install
from posenc_lessons.browser.shorter_runs import RECORDED, SHORTER, ShorterRun, recorded
from posenc_lessons.experiments import training
from posenc_lessons.language import choose
from tests.page.cell_sweep import cells_of

ASKED = "asked"  # our cell below the lesson's cells, with the question


def fingerprint(run: ShorterRun) -> str:
    """Return a hash of the code that was run and of the question asked about it."""
    cells = {cell.id: cell.source for cell in cells_of(run.lesson)}
    code = (run.shortened(cells[run.cell]) or "", *(cells[each] for each in run.after), run.holds)
    return hashlib.sha256("\n".join(code).encode()).hexdigest()[:12]


def made(lesson: str, runs: Collection[ShorterRun]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Make the shorter runs of one lesson; yield the result of each."""
    cells = Lesson([*((cell.id, cell.source) for cell in cells_of(lesson)), (ASKED, "")])
    drafts = {run.cell: _shortened(cells, run) for run in SHORTER if run.lesson == lesson and run.differs}
    for run in runs:
        said, steps = "", 0
        for each in (run.cell, *run.after):
            answer = _run(cells, each, {**drafts, run.cell: _shortened(cells, run)})
            said, steps = f"{said}{answer['text']}\n", steps + answer["steps"]
        shares = [float(share) for share in re.findall(r"≈ (-?\d+\.\d+)", said)]
        asked = cells.run(ASKED, f"shares = {shares}\nprint(bool({run.holds}))")
        assert asked["error"] is None, f"{run.cell}: {asked['text']}"
        holds = asked["text"].strip() == "True"
        print(
            f"{lesson}/{run.cell}: {steps} steps, {'holds' if holds else 'does not hold'}\n{said}", flush=True
        )
        yield run.cell, {"source": fingerprint(run), "steps": steps, "holds": holds, "shares": shares}


def _shortened(cells: Lesson, run: ShorterRun) -> str:
    code = run.shortened(cells.published[run.cell])
    assert code is not None, f"{run.cell} has no such line: {run.changes}"
    return code


def _run(cells: Lesson, cell: str, drafts: Mapping[str, str]) -> dict[str, Any]:
    """Run a cell and those that it needs."""
    for above in cells.needed(cell, None, drafts):
        answer = cells.run(above, drafts.get(above))
        assert answer["error"] is None, f"{above}: {answer['text']}"
    answer = cells.run(cell, drafts.get(cell))
    assert answer["error"] is None, f"{cell}: {answer['text']}"
    return answer


def main(wanted: Collection[str]) -> None:
    training.tqdm = Bar  # ends a cell that prints too much
    install()
    choose("en")
    torch.set_num_threads(1)
    for lesson, runs in itertools.groupby(SHORTER, key=lambda run: run.lesson):
        for cell, found in made(lesson, [run for run in runs if not wanted or run.cell in wanted]):
            write(cell, found)
    recorded.cache_clear()
    for run in SHORTER:
        if run.cell in recorded() and (run.differs is not None) != recorded()[run.cell]["holds"]:
            print(f"{run.cell}: offered and does not hold, or holds and is not offered", file=sys.stderr)


def write(cell: str, found: dict[str, Any]) -> None:
    """Write the result of one run; remove results of cells that no longer have an entry."""
    before = json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.is_file() else {}
    all_of = {**before, cell: found}
    kept = {run.cell: all_of[run.cell] for run in SHORTER if run.cell in all_of}
    RECORDED.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(set(sys.argv[1:]))
