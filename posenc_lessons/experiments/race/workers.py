"""Several runs at a time, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from posenc_lessons.experiments.race.results import Run
from posenc_lessons.experiments.race.settings import Entry, Race
from posenc_lessons.language import BilingualRuntimeError

OnStep = Callable[[Entry, int], object]
RunOne = Callable[[Race, Entry, OnStep], Run]


def finished_runs(
    race: Race, entries: Sequence[Entry], jobs: int, on_step: OnStep, run_one: RunOne
) -> Iterator[Run]:
    """The runs as they finish: here one after the other, or ``jobs`` at a time in other processes.

    Raises:
        RuntimeError: a run failed in its process, or the process died.
    """
    if jobs == 1:
        for entry in entries:
            yield run_one(race, entry, on_step)
        return
    spawn = multiprocessing.get_context("spawn")  # a copy of this process would share PyTorch's threads
    waiting, said = spawn.Queue(), spawn.Queue()
    for entry in entries:
        waiting.put(entry)
    count = min(jobs, len(entries))
    workers = [
        spawn.Process(target=_work, args=(race, waiting, said, run_one), daemon=True) for _ in range(count)
    ]
    for worker in workers:
        waiting.put(None)
        worker.start()
    try:
        yield from _collected(len(entries), workers, said, on_step)
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()


def _collected(count: int, workers: list[Any], said: Any, on_step: OnStep) -> Iterator[Run]:
    finished = 0
    while finished < count:
        try:
            kind, *rest = said.get(timeout=1)
        except queue.Empty:
            dead = [worker for worker in workers if worker.exitcode not in (None, 0)]
            if dead:
                raise BilingualRuntimeError(
                    f"比赛的一个进程意外结束（退出码 {dead[0].exitcode}）；已完成的训练都还在",
                    f"a process of the race died (exit code {dead[0].exitcode}); finished runs are kept",
                ) from None
            continue
        if kind == "step":
            on_step(*rest)
        elif kind == "run":
            finished += 1
            yield rest[0]
        else:
            raise RuntimeError(rest[0])


def _work(race: Race, waiting: Any, said: Any, run_one: RunOne) -> None:
    """In a process of its own: run after run, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to hear; it ends this process
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    while (entry := waiting.get()) is not None:
        try:
            run = run_one(race, entry, lambda *step: said.put(("step", *step)))
        except Exception as error:
            said.put(("error", f"{', '.join(map(str, entry))}: {type(error).__name__}: {error}"))
            return
        said.put(("run", run))


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
