"""``python -m posenc_lessons.experiments.race --out FILE``: run the race, or go on with the one in FILE."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from posenc_lessons.experiments.race.results import COMMAND, Results
from posenc_lessons.experiments.race.running import run_race
from posenc_lessons.experiments.race.settings import Race


def main() -> None:
    parser = argparse.ArgumentParser(COMMAND, description=__doc__)
    parser.add_argument("--out", type=Path, help="the JSON file that finished runs go into, and come from")
    parser.add_argument("--seeds", type=int, nargs="+", default=Race().seeds)
    options = parser.parse_args()
    try:
        print(table(run_race(Race(seeds=tuple(options.seeds)), options.out)))
    except (ValueError, OSError) as error:
        sys.exit(str(error))


def table(results: Results) -> str:
    """Return a table of mean accuracy at the trained length → at the longest, a row for each encoding."""
    race = results.race
    rows = [["", *race.tasks]]
    for encoding in race.encodings:
        means = (results.inside_and_outside(task, encoding) for task in race.tasks)
        cells = ("–" if mean is None else f"{mean[0]:.2f} → {mean[1]:.2f}" for mean in means)
        rows.append([encoding, *cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([f"{race.train_length} → {race.test_lengths[-1]}", *lines])


if __name__ == "__main__":
    main()
