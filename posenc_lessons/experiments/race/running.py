"""Run a race, and keep each run as soon as it is finished."""

from __future__ import annotations

import datetime
import os
from pathlib import Path

from tqdm.auto import tqdm

from posenc_lessons.experiments.machine import machine
from posenc_lessons.experiments.race.one_run import run_one, without_order
from posenc_lessons.experiments.race.results import Results, load_results
from posenc_lessons.experiments.race.settings import Race
from posenc_lessons.language import BilingualValueError


def run_race(race: Race, path: str | os.PathLike[str] | None = None, *, progress: bool = True) -> Results:
    """Make the runs that ``race`` still lacks, one after the other, and return all its results.

    Args:
        path: a JSON file that keeps every run as soon as it is finished. Runs in the file are not made again,
            so a stopped race can be continued.
        progress: whether to show a bar.

    Stopping it (Ctrl-C, or ■ in Jupyter) returns the finished runs. The same race gives the same numbers on
    the same machine with the same versions.

    Raises:
        ValueError: ``path`` holds something else, or another race.
    """
    results = _begun(race, path)
    missing = results.missing()

    with tqdm(total=len(missing) * race.steps, disable=not progress, unit="step") as bar:
        try:
            for entry in missing:
                run = run_one(race, entry, lambda step: bar.update())
                results = results.with_run(run)
                if path is not None:
                    results.save(path)
                bar.set_postfix_str(f"{len(results.runs)} runs: {run.task}, {run.encoding}, {run.seed}")
        except KeyboardInterrupt:
            print(
                f"停下了：完成了 {len(results.runs)} 次训练，正在进行的不算\n"
                f"Stopped: {len(results.runs)} runs are finished, those under way do not count"
            )
    return results


def _begun(race: Race, path: str | os.PathLike[str] | None) -> Results:
    """Return the results in ``path`` with this machine added to theirs, or results without runs."""
    this_machine = machine()
    if path is None or not Path(path).exists():
        blind = {task: without_order(race, task) for task in race.tasks}
        return Results(race, datetime.date.today().isoformat(), (this_machine,), (), blind)
    results = load_results(path)
    if results.race != race:
        raise BilingualValueError(
            f"{Path(path).name} 里是另一场条件不同的比赛，请换一个文件",
            f"{Path(path).name} holds a race under other conditions; name another file",
        )
    machines = results.machines if this_machine in results.machines else (*results.machines, this_machine)
    return Results(race, results.date, machines, results.runs, results.order_blind)
