"""``python -m posenc_lessons.experiments.race --out FILE``: run a race, or go on with the one in FILE.

With ``--quick``: run the quick race, under the conditions of the recorded one, and overwrite FILE.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from posenc_lessons.experiments.race.quick import run_quick_race
from posenc_lessons.experiments.race.results import Results
from posenc_lessons.experiments.race.running import run_race
from posenc_lessons.experiments.race.settings import Race


def main() -> None:
    options = vars(_parser().parse_args())
    out, quick = options.pop("out"), options.pop("quick")
    try:
        if quick:
            run_quick_race(out or Path("quick.json"))
        else:
            print(table(run_race(Race(**options), out)))
    except (ValueError, OSError) as error:
        sys.exit(str(error))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m posenc_lessons.experiments.race", description=__doc__)
    parser.add_argument("--out", type=Path, help="the JSON file that finished runs go into, and come from")
    parser.add_argument(
        "--quick", action="store_true", help="the quick race; of the other options only --out counts"
    )
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
