"""The results of a race, in a JSON file that also says how, where and when they were made."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from posenc_lessons.experiments.race.settings import Entry, Race
from posenc_lessons.experiments.recordings import read_record, write_record

COMMAND = "python -m posenc_lessons.experiments.race"


@dataclass(frozen=True)
class Run:
    """One trained model. ``accuracy`` (0 to 1) is by the race's test lengths, in their order.

    Only the last quarter of a test sequence counts. ``first_loss`` is the mean training loss, in nats, of the
    first steps.
    """

    task: str
    encoding: str
    seed: int
    accuracy: tuple[float, ...]
    first_loss: float

    @property
    def entry(self) -> Entry:
        """Return which run of the race it is."""
        return Entry(self.task, self.encoding, self.seed)


@dataclass(frozen=True)
class Results:
    """The finished runs of ``race``, begun on ``date`` (ISO 8601), on ``machines`` (usually one).

    ``order_blind`` {task: accuracy by test length} is the accuracy of ``Task.order_blind``, without a model.
    """

    race: Race
    date: str
    machines: tuple[Mapping[str, str], ...]
    runs: tuple[Run, ...] = field(default=())
    order_blind: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def missing(self) -> list[Entry]:
        """Return the runs of the race that are not made yet, in the race's order."""
        finished = {run.entry for run in self.runs}
        return [entry for entry in self.race.entries() if entry not in finished]

    def with_run(self, run: Run) -> Results:
        """Return these results with ``run`` added; the order of runs is the race's."""
        return replace(self, runs=_in_order(self.race, (*self.runs, run)))

    def accuracy(self, task: str, encoding: str) -> list[tuple[float, ...]]:
        """Return the accuracies by test length, a row for each finished seed."""
        return [run.accuracy for run in self.runs if (run.task, run.encoding) == (task, encoding)]

    def inside_and_outside(self, task: str, encoding: str) -> tuple[float, float] | None:
        """Return the mean accuracy at the trained length and at the longest, None without runs."""
        rows = self.accuracy(task, encoding)
        if not rows:
            return None
        inside = self.race.test_lengths.index(self.race.train_length)
        return sum(row[inside] for row in rows) / len(rows), sum(row[-1] for row in rows) / len(rows)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write ``path`` in one step: a full disk or a killed kernel leaves the earlier file whole."""
        write_record(Path(path), self)


def load_results(path: str | os.PathLike[str]) -> Results:
    """Read the results in ``path``; ValueError if it cannot be read or holds no race."""
    return read_record(Path(path), Results, COMMAND)


@cache
def recorded_race() -> Results:
    """Return the race that comes with the package, with its settings, machine and date.

    ``python -m posenc_lessons.experiments.race --out FILE`` makes it, with this recording as FILE.
    """
    return load_results(Path(__file__).with_name("recorded.json"))


def _in_order(race: Race, runs: Iterable[Run]) -> tuple[Run, ...]:
    order = {entry: place for place, entry in enumerate(race.entries())}
    return tuple(sorted(runs, key=lambda run: order[run.entry]))
