"""Make runs of a race in processes, several at a time."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from tqdm.auto import tqdm

from posenc_lessons.experiments.race.one_run import OnStep, run_one
from posenc_lessons.experiments.race.results import Run
from posenc_lessons.experiments.race.settings import Entry, Race
from posenc_lessons.language import BilingualRuntimeError, text_of

POLL = 0.1  # seconds between two looks at the processes' messages

_events: Any = None  # in a worker: the queue of (entry, steps done)


def runs_in_processes(
    race: Race, entries: Sequence[Entry], jobs: int, on_step: OnStep
) -> Generator[Run, None, None]:
    """Yield runs as they finish, ``jobs`` at a time.

    Workers end when the iteration ends, for whatever reason, or when this process dies: only this process
    holds one end of a pipe open, and each worker ends itself as soon as that end is closed.

    Raises:
        RuntimeError: a run failed in its process, or the process died.
    """
    if not entries:
        return
    spawn = multiprocessing.get_context("spawn")  # a copy of this process would share PyTorch's threads
    events = spawn.SimpleQueue()
    held_by_workers, held_here = spawn.Pipe(duplex=False)
    pool = ProcessPoolExecutor(min(jobs, len(entries)), spawn, _prepare, (held_by_workers, events))
    try:
        with _no_interrupts():  # workers inherit this, so that Ctrl-C does not reach them
            waiting = {pool.submit(_work, race, entry): entry for entry in entries}
        while waiting:
            finished, _ = wait(waiting, POLL, FIRST_COMPLETED)
            while not events.empty():
                on_step(*events.get())
            for future in finished:
                yield _result(future, waiting.pop(future))
    except BrokenProcessPool as error:
        raise BilingualRuntimeError(
            "比赛的一个进程意外结束；已完成的训练都还在",
            "a process of the race ended unexpectedly; finished runs are kept",
        ) from error
    finally:
        held_here.close()
        pool.shutdown(cancel_futures=True)  # a worker that is still starting needs the pipe
        held_by_workers.close()


def _result(future: Future[Run], entry: Entry) -> Run:
    try:
        return future.result()
    except BrokenProcessPool:
        raise
    except Exception as error:
        run, kind = ", ".join(map(str, entry)), type(error).__name__
        said = text_of(error)
        raise BilingualRuntimeError(f"{run}：{kind}：{said.zh}", f"{run}: {kind}: {said.en}") from error


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Block interrupts; processes that are started meanwhile never receive any."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare(held: Any, events: Any) -> None:
    """Set up a new worker: report steps to ``events``, and end when the other end of ``held`` is closed."""
    global _events
    _events = events
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tqdm.set_lock(threading.RLock())  # its default lock is a system semaphore, which would leak
    end_with(held)


def end_with(held: Any) -> None:
    """End this process as soon as the other end of the pipe ``held`` is closed, in a thread."""

    def wait() -> None:
        held.poll(None)
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def _work(race: Race, entry: Entry) -> Run:
    return run_one(race, entry, lambda *step: _events.put(step))
