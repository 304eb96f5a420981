"""The results of a race, in a JSON file that also says how, where and when they were made."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from posenc_lessons.experiments.race.settings import Entry, Race
from posenc_lessons.files import write_atomically
from posenc_lessons.language import BilingualValueError, Text, text_of

FORMAT, VERSION = "posenc_lessons race", 1


@dataclass(frozen=True)
class Run:
    """One trained model. ``accuracy`` (0 to 1) is by the race's test lengths, in their order.

    ``loss`` is the training loss in nats, averaged to a few dozen values; ``seconds`` is the time of the run.
    """

    task: str
    encoding: str
    seed: int
    accuracy: tuple[float, ...]
    loss: tuple[float, ...]
    seconds: float

    @property
    def entry(self) -> Entry:
        """Return which run of the race it is."""
        return Entry(self.task, self.encoding, self.seed)


@dataclass(frozen=True)
class Results:
    """The finished runs of ``race``, begun on ``date`` (ISO 8601), on ``machines`` (mostly one).

    ``order_blind`` {task: accuracy by test length} is the accuracy of ``Task.order_blind``, without a model.
    """

    race: Race
    date: str
    machines: tuple[Mapping[str, str], ...]
    runs: tuple[Run, ...] = field(default=())
    order_blind: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def done(self) -> set[Entry]:
        """Return the runs that need not be made again."""
        return {run.entry for run in self.runs}

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

    def to_json(self) -> str:
        """Return the results as JSON, a line for each run."""
        head = {
            "format": FORMAT,
            "version": VERSION,
            "date": self.date,
            "machines": [dict(each) for each in self.machines],
            "race": asdict(self.race),
            "order_blind": dict(self.order_blind),
        }
        return json_with_lines(head, "runs", map(asdict, self.runs))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write ``path`` in one step: a full disk or a killed kernel leaves the earlier file whole."""
        write_atomically(path, self.to_json().encode())


def json_with_lines(head: Mapping[str, Any], name: str, rows: Iterable[object]) -> str:
    """Return ``head`` as JSON that ends in the list ``name``, with a line for each of ``rows``."""
    lines = ",\n".join(f"    {json.dumps(row)}" for row in rows)
    return json.dumps(head, indent=2, ensure_ascii=False)[:-2] + f',\n  "{name}": [\n{lines}\n  ]\n}}\n'


def load_results(path: str | os.PathLike[str]) -> Results:
    """Read the results in ``path``; FileNotFoundError without a file, ValueError if it holds no race."""
    return results_from_json(Path(path).read_bytes(), Path(path).name)


@cache
def recorded_race() -> Results:
    """Return the race that comes with the package, with its settings, machine and date.

    ``python -m posenc_lessons.experiments.race --jobs 2 --out FILE`` makes it, with this recording as FILE.
    """
    return load_results(Path(__file__).with_name("recorded.json"))


def results_from_json(text: str | bytes, name: str) -> Results:
    """Read the results in ``text``, which errors call ``name``.

    Raises:
        ValueError: not JSON, not a race, from a newer version of the package, or damaged.
    """
    try:
        content = json.loads(text)
    except ValueError as error:  # bytes that are not text raise it too
        raise BilingualValueError(
            f"{name} 不是结果文件：内容不是 JSON（{error}）。残缺的文件无法修复，请删掉它或者换一个文件",
            f"{name} is not a results file: it is no JSON ({error}). Half a file cannot be repaired; "
            f"delete it or choose another",
        ) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BilingualValueError(
            f"{name} 是 JSON，但里面没有比赛的结果；请选一个由比赛写出的文件",
            f"{name} is JSON, but no race was saved in it; choose a file that a race has written",
        )
    version = content.get("version")
    if isinstance(version, int) and version > VERSION:
        raise BilingualValueError(
            f"{name} 是由更新版本的 posenc_lessons 写的（文件版本 {version}，这里只能读 {VERSION}）：请升级",
            f"{name} was written by a newer posenc_lessons "
            f"(file version {version}, this one reads {VERSION}): please update",
        )
    try:
        return _read(content)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        said = text_of(error) if isinstance(error, ValueError) else Text(repr(error), repr(error))
        raise BilingualValueError(
            f"{name} 已损坏，或者被手工改过：{said.zh}",
            f"{name} is damaged, or was changed by hand: {said.en}",
        ) from error


def _read(content: dict[str, Any]) -> Results:
    known = {each.name for each in fields(Race)}
    named = {"counted": "new_positions", **content["race"]}  # older files have only this measure
    if set(named) != known:
        raise ValueError(f"race: {sorted(set(named) ^ known)}")
    race = Race(**named)
    machines = tuple(
        {"processor": each["processor"], "cores": each["cores"], **each} for each in content["machines"]
    )
    runs, missing = [], set(race.entries())
    for found in content["runs"]:
        run = Run(**{**found, "accuracy": tuple(found["accuracy"]), "loss": tuple(found["loss"])})
        shares = all(isinstance(share, float | int) and 0 <= share <= 1 for share in run.accuracy)
        if run.entry not in missing or len(run.accuracy) != len(race.test_lengths) or not shares:
            raise ValueError(f"run: {tuple(run.entry)}")
        missing.remove(run.entry)  # raises if the same run comes twice
        runs.append(run)
    kept = content.get("order_blind", {})
    blind = {task: tuple(kept[task]) for task in race.tasks if task in kept}
    if any(len(shares) != len(race.test_lengths) for shares in blind.values()):
        raise ValueError(f"order_blind: {sorted(blind)}")
    return Results(race, str(content["date"]), machines, _in_order(race, runs), blind)


def _in_order(race: Race, runs: Iterable[Run]) -> tuple[Run, ...]:
    order = {entry: place for place, entry in enumerate(race.entries())}
    return tuple(sorted(runs, key=lambda run: order[run.entry]))
