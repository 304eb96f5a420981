"""``python -m posenc_lessons.models.race --out FILE``: run a race, or go on with the one in FILE."""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
from dataclasses import MISSING, asdict, fields
from pathlib import Path
from typing import Any

from posenc_lessons.models.race.results import Results
from posenc_lessons.models.race.running import run_race
from posenc_lessons.models.race.settings import Entry, Race


def main() -> None:
    options = vars(_parser().parse_args())
    out, jobs, events = options.pop("out"), options.pop("jobs"), options.pop("events")
    try:
        race = Race(**options)
        if events:
            _tell_events(race, out, jobs)
        else:
            print(table(run_race(race, out, jobs=jobs)))
    except (ValueError, OSError, RuntimeError) as error:
        if events:
            _say({"error": str(error)})
        sys.exit(str(error))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m posenc_lessons.models.race", description=__doc__)
    parser.add_argument("--out", type=Path, help="the JSON file that finished runs go into, and come from")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time (1)")
    parser.add_argument("--events", action="store_true", help=argparse.SUPPRESS)
    for setting in fields(Race):
        default: Any = setting.default
        assert default is not MISSING, "every setting of a race has a default"
        several = isinstance(default, tuple)
        parser.add_argument(
            "--" + setting.name.replace("_", "-"),
            type=type(default[0] if several else default),
            nargs="+" if several else None,
            default=default,
            help=" ".join(map(str, default)) if several else str(default),
        )
    return parser


def table(results: Results) -> str:
    """Mean accuracy at the trained length → at the longest, a row for each encoding."""
    race = results.race
    rows = [["", *race.tasks]]
    for encoding in race.encodings:
        means = (results.inside_and_outside(task, encoding) for task in race.tasks)
        cells = ("–" if mean is None else f"{mean[0]:.2f} → {mean[1]:.2f}" for mean in means)
        rows.append([encoding, *cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([f"{race.train_length} → {race.test_lengths[-1]}", *lines])


def _tell_events(race: Race, out: Path | None, jobs: int) -> None:
    """For a program that started this one: a JSON line for each event, until its end of stdin closes."""
    threading.Thread(target=_leave_when_stdin_closes, daemon=True).start()

    def step(entry: Entry, done: int) -> None:
        _say({"step": done, "entry": entry})

    def run(results: Results) -> None:
        newest = [each for each in results.runs if each.entry not in told]
        told.update(each.entry for each in newest)
        _say({"runs": [asdict(each) for each in newest]})

    told: set[Entry] = set()
    results = run_race(race, out, jobs=jobs, on_run=run, on_step=step, progress=False)
    run(results)
    _say({"end": True})


def _say(event: dict[str, Any]) -> None:
    print(json.dumps(event), flush=True)


def _leave_when_stdin_closes() -> None:
    sys.stdin.buffer.read()
    os._exit(0)  # workers see that this process is gone, and leave too


if __name__ == "__main__":
    main()
