"""Running a race: run by run, each kept as soon as it is finished."""

from __future__ import annotations

import datetime
import itertools
import os
import time
from collections.abc import Callable
from pathlib import Path

import torch
from tqdm.auto import tqdm

from posenc_lessons.encodings.arguments import present_device, whole_number
from posenc_lessons.experiments.machine import machine
from posenc_lessons.experiments.race.results import Results, Run, load_results
from posenc_lessons.experiments.race.settings import Entry, Race
from posenc_lessons.experiments.race.workers import finished_runs
from posenc_lessons.experiments.threads import one_thread
from posenc_lessons.experiments.training import History, accuracy, train
from posenc_lessons.models.transformer import DecoderOnly

LOSSES_KEPT = 40
TEST_SEED = 1_000_003  # far from the seeds of the training, so that no test sequence was trained on


def run_race(
    race: Race,
    path: str | os.PathLike[str] | None = None,
    *,
    so_far: Results | None = None,
    jobs: int = 1,
    on_run: Callable[[Results], object] | None = None,
    on_step: Callable[[Entry, int], object] | None = None,
    progress: bool = True,
) -> Results:
    """Run what is still missing of ``race``, and return all its results.

    Args:
        path: a JSON file that every finished run goes into at once. When it exists, its runs are not made
            again: a race that was stopped, or whose kernel was killed, goes on where it was; a race with
            more tasks, encodings or seeds under the same conditions adds to it.
        so_far: results to go on from when there is no such file.
        jobs: how many runs at a time, each in a process of its own with one thread. 1 stays in this process.
            The numbers do not depend on it.
        on_run: called after each finished run with all results so far.
        on_step: called now and then with a run and how many of its steps are done.
        progress: whether to show a bar.

    Stopping it (Ctrl-C, or ■ in Jupyter) returns what is finished. The same race gives the same numbers on
    the same machine and versions, whatever else PyTorch does beside it.

    Raises:
        ValueError: ``path`` holds something else, or a race under other conditions.
    """
    jobs = whole_number("jobs", jobs, 1)
    present_device(race.device)
    results = begun(race, load_results(path) if path is not None and Path(path).exists() else so_far)
    missing = [entry for entry in race.entries() if entry not in results.done()]
    steps_done: dict[Entry, int] = {}

    def advance(entry: Entry, done: int) -> None:
        bar.update(done - steps_done.get(entry, 0))
        steps_done[entry] = done

    def step(entry: Entry, done: int) -> None:
        advance(entry, done)
        if on_step is not None:
            on_step(entry, done)

    with tqdm(total=len(missing) * race.steps, disable=not progress, unit="step") as bar:
        try:
            for run in finished_runs(race, missing, jobs, step, run_one):
                advance(run.entry, race.steps)
                results = results.with_run(run)
                if path is not None:
                    results.save(path)
                if on_run is not None:
                    on_run(results)
                bar.set_postfix_str(f"{len(results.runs)} runs: {run.task}, {run.encoding}, {run.seed}")
        except KeyboardInterrupt:
            print(
                f"停下了：完成了 {len(results.runs)} 次训练，正在进行的不算\n"
                f"Stopped: {len(results.runs)} runs are finished, those under way do not count"
            )
    return results


def run_one(race: Race, entry: Entry, on_step: Callable[[Entry, int], object] | None = None) -> Run:
    """Train one model and test it at every length; on one thread, so that the sums are always the same."""
    start = time.perf_counter()
    task = race.task(entry.task)
    with one_thread():
        model = new_model(race, entry)

        def watch(history: History) -> bool:
            if on_step is not None and len(history.loss) % 10 == 0:
                on_step(entry, len(history.loss))
            return True

        history = train_model(race, entry, model, watch)
        if history.interrupted:
            raise KeyboardInterrupt
        shares = [
            accuracy(
                model,
                task,
                length,
                from_position=race.train_length if length > race.train_length else 0,
                batch_size=race.test_sequences,
                seed=TEST_SEED + length,
            )
            for length in race.test_lengths
        ]
    return Run(
        *entry,
        accuracy=tuple(round(share, 4) for share in shares),
        loss=_thinned(history.loss),
        seconds=round(time.perf_counter() - start, 2),
    )


def new_model(race: Race, entry: Entry) -> DecoderOnly:
    """The untrained model of a run; the caller's random numbers stay as they were."""
    task = race.task(entry.task)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(entry.seed)
        return DecoderOnly(
            max(task.vocab_size, task.n_answers),
            race.d_model,
            race.n_heads,
            race.n_layers,
            encoding=entry.encoding,
            max_len=race.test_lengths[-1],
        )


def train_model(
    race: Race, entry: Entry, model: DecoderOnly, keep_going: Callable[[History], bool]
) -> History:
    """``train`` as the race has it."""
    return train(
        model,
        race.task(entry.task),
        steps=race.steps,
        batch_size=race.batch_size,
        length=race.train_length,
        learning_rate=race.learning_rate,
        seed=entry.seed,
        device=race.device,
        progress=False,
        keep_going=keep_going,
    )


def begun(race: Race, so_far: Results | None) -> Results:
    """``so_far`` with room for the runs of ``race``, on this machine; without any runs for None.

    Raises:
        ValueError: the two were run under different conditions.
    """
    here = machine(race.device)
    if so_far is None:
        return Results(race, datetime.date.today().isoformat(), (here,))
    machines = so_far.machines if here in so_far.machines else (*so_far.machines, here)
    return Results(so_far.race.joined(race), so_far.date, machines, so_far.runs)


def _thinned(loss: list[float]) -> tuple[float, ...]:
    """The mean of each of ``LOSSES_KEPT`` stretches, or of every step when there are not as many."""
    ends = [round(len(loss) * i / LOSSES_KEPT) for i in range(LOSSES_KEPT + 1)]
    stretches = [loss[a:b] for a, b in itertools.pairwise(ends) if a < b]
    return tuple(round(sum(stretch) / len(stretch), 4) for stretch in stretches)
