"""The quick race: one task, three encodings, a hundred steps, tested as they learn; about ten seconds.

``python -m posenc_lessons.experiments.race --quick --out FILE`` records it again. This is needed whenever the
conditions of the recorded race change.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from posenc_lessons.experiments.race.results import COMMAND, Results, Run, recorded_race
from posenc_lessons.experiments.race.settings import Entry, Race
from posenc_lessons.experiments.recordings import read_record, write_record

TEST_EVERY = 10  # steps
ENCODINGS = ("sinusoidal", "learned", "rotary")


@dataclass(frozen=True)
class Measurement:
    """The accuracy (0 to 1, at each test length) of one run with its weights after ``step`` steps."""

    task: str
    encoding: str
    seed: int
    step: int
    accuracy: tuple[float, ...]


@dataclass(frozen=True)
class LearningCurves:
    """Tests of a race's models while they learned, on ``machine``, on ``date`` (ISO 8601).

    (A finished run of a race is tested with the best weights that it had, not with those of a step.)
    """

    race: Race
    date: str
    machine: Mapping[str, str]
    tests: tuple[Measurement, ...]

    @property
    def reached(self) -> int:
        """Return the last step at which any run was tested."""
        return max(test.step for test in self.tests)

    def at(self, step: int) -> Results:
        """Return the results of the last tests up to ``step``."""
        last = {
            Entry(test.task, test.encoding, test.seed): test.accuracy
            for test in self.tests  # in the order of steps
            if test.step <= step
        }
        runs = tuple(Run(*entry, last[entry], (), 0.0) for entry in self.race.entries() if entry in last)
        # The recorded race has the same test lengths, and so the same accuracies without order.
        blind = {task: recorded_race().order_blind[task] for task in self.race.tasks}
        return Results(self.race, self.date, (self.machine,), runs, blind)


def quick_race() -> Race:
    """Return the quick race: the recorded one with a hundred steps and fewer test sequences."""
    race = recorded_race().race
    return replace(race, tasks=race.tasks[:1], encodings=ENCODINGS, seeds=(0,), steps=100, test_sequences=32)


def run_quick_race(path: Path) -> LearningCurves:
    """Run the quick race, one run after the other, and keep its tests in ``path``."""
    from posenc_lessons.experiments.machine import machine
    from posenc_lessons.experiments.race.one_run import run_one  # only training needs it

    race = quick_race()
    tests: list[Measurement] = []

    def note(entry: Entry, step: int, accuracy: tuple[float, ...] | None) -> None:
        if accuracy is not None:
            tests.append(Measurement(*entry, step, accuracy))

    for entry in race.entries():
        run_one(race, entry, note, TEST_EVERY)
    curves = LearningCurves(race, datetime.date.today().isoformat(), machine(race.device), tuple(tests))
    write_record(path, curves)
    return curves


@cache
def recorded_quick_race() -> LearningCurves:
    """Return the quick race that comes with the package."""
    return read_record(Path(__file__).with_name("quick.json"), LearningCurves, f"{COMMAND} --quick")
