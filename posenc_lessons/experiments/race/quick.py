"""The quick race: one task, three encodings, a hundred steps, tested as they learn; about ten seconds.

``python -m posenc_lessons.experiments.race --quick --out FILE`` records it again. This is needed whenever the
conditions of the recorded race change.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from posenc_lessons.experiments.race.results import Results, Run, json_with_lines, recorded_race
from posenc_lessons.experiments.race.settings import Entry, Race

TEST_EVERY = 10  # steps
ENCODINGS = ("sinusoidal", "learned", "rotary")

Tested = Mapping[Entry, Mapping[int, tuple[float, ...]]]


@dataclass(frozen=True)
class LearningCurves:
    """The accuracies of a race's models while they learned, on ``machine``, on ``date`` (ISO 8601).

    ``tested`` {run: {steps done: accuracy at each test length, 0 to 1}} is taken with the weights of that
    step. (A finished run is tested with the best weights that it had.)
    """

    race: Race
    date: str
    machine: Mapping[str, str]
    tested: Tested

    @property
    def reached(self) -> int:
        """Return the last step at which any run was tested; 0 before any test."""
        return max((max(by_step) for by_step in self.tested.values()), default=0)

    def at(self, step: int) -> Results:
        """Return the results after ``step`` steps, or after as many as a run has done."""
        runs = []
        for entry, by_step in self.tested.items():
            done = [each for each in by_step if each <= step]
            if done:
                runs.append(Run(*entry, accuracy=by_step[max(done)], loss=(), seconds=0.0))
        order = {entry: place for place, entry in enumerate(self.race.entries())}
        runs.sort(key=lambda run: order[run.entry])
        # The recorded race has the same test lengths, and so the same accuracies without order.
        blind = {task: recorded_race().order_blind[task] for task in self.race.tasks}
        return Results(self.race, self.date, (self.machine,), tuple(runs), blind)

    def to_json(self) -> str:
        """Return the curves as JSON, a line for each test."""
        head = {"race": asdict(self.race), "date": self.date, "machine": dict(self.machine)}
        tests = [
            [*entry, step, *accuracy]
            for entry, by_step in self.tested.items()
            for step, accuracy in by_step.items()
        ]
        return json_with_lines(head, "tested", tests)


def quick_race(device: str = "cpu") -> Race:
    """Return the quick race: the recorded one with a hundred steps and fewer test sequences."""
    recorded = recorded_race().race
    return replace(
        recorded,
        tasks=recorded.tasks[:1],
        encodings=ENCODINGS,
        seeds=(0,),
        steps=100,
        test_sequences=32,
        device=device,
    )


def run_quick_race() -> LearningCurves:
    """Run the quick race in this process, one run after the other."""
    from posenc_lessons.experiments.machine import machine
    from posenc_lessons.experiments.race.one_run import run_one  # only training needs it

    race = quick_race()
    tested: dict[Entry, dict[int, tuple[float, ...]]] = {entry: {} for entry in race.entries()}

    def note(entry: Entry, done: int, accuracy: tuple[float, ...] | None) -> None:
        if accuracy is not None:
            tested[entry][done] = accuracy

    for entry in race.entries():
        run_one(race, entry, note, TEST_EVERY)
    return LearningCurves(race, datetime.date.today().isoformat(), machine(race.device), tested)


@cache
def recorded_quick_race() -> LearningCurves:
    """Return the quick race that comes with the package."""
    content = json.loads(Path(__file__).with_name("quick.json").read_text(encoding="utf-8"))
    tested: dict[Entry, dict[int, tuple[float, ...]]] = {}
    for task, encoding, seed, step, *accuracy in content["tested"]:
        tested.setdefault(Entry(task, encoding, seed), {})[step] = tuple(accuracy)
    return LearningCurves(Race(**content["race"]), content["date"], content["machine"], tested)
