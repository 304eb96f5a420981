"""A race in the background gives the same numbers and leaves no process behind."""

from __future__ import annotations

import multiprocessing
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import psutil
import pytest

from posenc_lessons.experiments.race import Results, Run, load_results, run_race
from posenc_lessons.experiments.race.background import BackgroundRace
from tests.experiments.tiny_race import TINY, same
from tests.support.pace import is_gone, patience, wait_until

ENDLESS = replace(TINY, steps=10**6)
SCRIPT = f"""
import multiprocessing, sys, time
from posenc_lessons.experiments.race import Race
from posenc_lessons.experiments.race.background import BackgroundRace
race = BackgroundRace({ENDLESS!r})
while not race.steps_done:
    assert race.error is None, race.error
    time.sleep(0.01)
print(*(process.pid for process in multiprocessing.active_children()), flush=True)
sys.stdin.read()
"""


def the_worker() -> psutil.Process:
    """Return the only worker process, which has begun to train."""
    (process,) = multiprocessing.active_children()
    return psutil.Process(process.pid)


def test_a_race_continues_from_earlier_results_without_blocking(tmp_path: Path) -> None:
    path, so_far_on_disk, free = tmp_path / "race.json", [], threading.Event()
    wide, whole = replace(TINY, seeds=tuple(range(100))), run_race(TINY, progress=False)
    made_up = (Run(*entry, (1.0, 1.0, 1.0), (0.5,) * 40, 1.0) for entry in wide.entries()[4:])
    so_far = Results(wide, "2025-01-31", (), (whole.runs[0], *made_up))
    assert len(so_far.to_json()) > 2**16, "more than a pipe holds"

    def look() -> None:
        assert free.wait(patience()), "its starter waits for it"
        if path.exists():
            assert load_results(path) == race.results, "each run is on disk before it is told of"
            so_far_on_disk.append(len(race.results.runs))

    race = BackgroundRace(TINY, so_far, path=path, on_change=look)
    free.set()
    assert race.missing == TINY.entries()[1:] and race.wait(patience()) and race.error is None
    assert same(replace(race.results, runs=race.results.runs[:4]), whole)
    assert sorted(so_far_on_disk) == so_far_on_disk and set(so_far_on_disk) == {398, 399, 400}
    assert race.share_done == 1 and not race.running


@pytest.mark.parametrize("ending", ["killed", "at its end"])
def test_no_process_outlives_the_one_that_started_it(ending: str) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", SCRIPT], text=True, **pipes) as parent:
        worker = psutil.Process(int(parent.stdout.readline()))
        if ending == "killed":
            parent.kill()
        parent.communicate(timeout=patience())
    assert parent.returncode == (0 if ending == "at its end" else -signal.SIGKILL)
    wait_until(lambda: is_gone(worker))


def test_stopping_it_ends_its_processes() -> None:
    race = BackgroundRace(ENDLESS)
    wait_until(lambda: race.steps_done)
    worker = the_worker()
    race.stop()
    race.stop()
    assert not race.running and race.error is None and race.results.runs == ()
    wait_until(lambda: is_gone(worker))


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs POSIX signals")
def test_interrupting_a_cell_does_not_reach_its_processes() -> None:
    """Jupyter interrupts the whole process group, including processes that are starting."""
    race = BackgroundRace(replace(TINY, tasks=("copy_back",), encodings=("none",)))
    while race.running:
        for process in multiprocessing.active_children():
            with suppress(psutil.NoSuchProcess):  # it may be ending now
                psutil.Process(process.pid).send_signal(signal.SIGINT)
        time.sleep(0.02)
    assert race.error is None and len(race.results.runs) == 1


@pytest.mark.usefixtures("forked_workers")
def test_a_process_that_dies_is_reported() -> None:
    race = BackgroundRace(ENDLESS)
    wait_until(lambda: race.steps_done)
    the_worker().kill()
    assert race.wait(patience()) and race.error is not None
    assert "ended unexpectedly" in race.error.en and "意外结束" in race.error.zh


def test_a_process_that_dies_early_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def submit(*arguments: object) -> NoReturn:
        raise BrokenProcessPool

    monkeypatch.setattr(ProcessPoolExecutor, "submit", submit)
    race = BackgroundRace(TINY)
    assert race.wait(patience()) and race.error is not None
    assert "ended unexpectedly" in race.error.en


@pytest.mark.usefixtures("forked_workers")
def test_a_failed_run_is_reported_by_name_in_both_languages() -> None:
    race = BackgroundRace(replace(TINY, encodings=("none",), learning_rate=1e30, steps=30))
    assert race.wait(patience()) and race.error is not None
    assert race.error.en.startswith("copy_back, none, 0: BilingualValueError: the loss became nan")
    assert "损失变成了 nan" in race.error.zh


def test_an_impossible_race_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="two different races"):
        BackgroundRace(TINY, Results(replace(TINY, steps=4), "2025-01-31", ()))
    with pytest.raises(ValueError, match="'cuda:9' is not on this machine"):
        BackgroundRace(replace(TINY, device="cuda:9"))


@pytest.mark.usefixtures("forked_workers")
def test_results_that_cannot_be_saved_are_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    race = BackgroundRace(
        replace(TINY, tasks=("copy_back",), encodings=("none",)), path=tmp_path / "file" / "race.json"
    )
    assert race.wait(patience()) and len(race.results.runs) == 1, "the results are still there"
    assert race.error is not None and "could not be written" in race.error.en and "写不进去" in race.error.zh
