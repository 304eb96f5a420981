"""Run a race, and keep each run as soon as it is finished."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from tqdm.auto import tqdm

from posenc_lessons.encodings.arguments import present_device, whole_number
from posenc_lessons.experiments.machine import machine
from posenc_lessons.experiments.race.one_run import run_one, without_order
from posenc_lessons.experiments.race.results import Results, load_results
from posenc_lessons.experiments.race.settings import Entry, Race


def run_race(
    race: Race,
    path: str | os.PathLike[str] | None = None,
    *,
    jobs: int = 1,
    progress: bool = True,
) -> Results:
    """Make the runs that ``race`` still lacks, and return all its results.

    Args:
        path: a JSON file that keeps every run as soon as it is finished. Runs in the file are not made again.
            So a stopped or killed race can be continued, and a race with more tasks, encodings or seeds
            under the same conditions adds to the file.
        jobs: how many runs to make at a time, each in its own process with one thread; 1 stays in this
            process. The numbers do not depend on it.
        progress: whether to show a bar.

    Stopping it (Ctrl-C, or ■ in Jupyter) returns the finished runs. The same race gives the same numbers on
    the same machine with the same versions.

    Raises:
        ValueError: ``path`` holds something else, or a race under other conditions.
        RuntimeError: with several jobs, a run failed in its process, or the process died.
    """
    jobs = whole_number("jobs", jobs, 1)
    present_device(race.device)
    kept = load_results(path) if path is not None and Path(path).exists() else None
    results = begun(race, kept)
    if path is not None and kept is not None and results != kept:
        results.save(path)
    missing = [entry for entry in race.entries() if entry not in results.done()]
    steps_done: dict[Entry, int] = {}

    def advance(entry: Entry, done: int) -> None:
        bar.update(done - steps_done.get(entry, 0))
        steps_done[entry] = done

    def step(entry: Entry, done: int, _accuracy: tuple[float, ...] | None) -> None:
        advance(entry, done)

    if jobs == 1:
        runs = (run_one(race, entry, step) for entry in missing)
    else:
        from posenc_lessons.experiments.race.processes import runs_in_processes  # a page has no processes

        runs = runs_in_processes(race, missing, jobs, step)
    with closing(runs), tqdm(total=len(missing) * race.steps, disable=not progress, unit="step") as bar:
        try:
            for run in runs:
                advance(run.entry, race.steps)
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


def begun(race: Race, so_far: Results | None) -> Results:
    """Return the results to which runs of ``race`` on this machine can be added, with the runs of ``so_far``.

    Raises:
        ValueError: ``so_far`` has other conditions than ``race``.
    """
    here = machine(race.device)
    if so_far is None:
        return Results(race, datetime.date.today().isoformat(), (here,), (), _order_blind(race, {}))
    machines = so_far.machines if here in so_far.machines else (*so_far.machines, here)
    joined = so_far.race.joined(race)
    return Results(joined, so_far.date, machines, so_far.runs, _order_blind(joined, so_far.order_blind))


def _order_blind(race: Race, known: Mapping[str, tuple[float, ...]]) -> dict[str, tuple[float, ...]]:
    """Return the accuracy without order of each task of ``race``, by test length; keep what is ``known``."""
    return {task: known.get(task) or without_order(race, task) for task in race.tasks}
