"""The race between the encodings of the course: three tasks, five seeds, lengths up to four times training's.

The command ``python -m posenc_lessons.experiments.race`` runs it and keeps the results with machine and date.
"""

from functools import cache

from posenc_lessons.experiments.comparison import Race, Results
from posenc_lessons.experiments.recordings import RECORDED, make_record, read_record


@cache
def recorded_race() -> Results:
    """Return the race that comes with the package, with its settings, machine and date."""
    return read_record(RECORDED / "race.json", Results)


if __name__ == "__main__":
    from posenc_lessons.experiments.racing import run_race

    make_record("race.json", __doc__, lambda seeds: run_race(Race(seeds=seeds)))
