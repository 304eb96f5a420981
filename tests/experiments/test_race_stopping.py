"""A race that is stopped or killed loses no finished run, and goes on from its file."""

from __future__ import annotations

import math
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import psutil
import pytest

from posenc_lessons.experiments.race import Results, load_results, run_race, running
from posenc_lessons.experiments.race.__main__ import main, table
from posenc_lessons.language import BilingualRuntimeError
from tests.experiments.tiny_race import SMALL, TINY, same
from tests.support.pace import is_gone, patience, wait_until


class Bar:
    """A progress bar that presses Ctrl-C after the given number of steps or runs."""

    def __init__(self, steps: float = math.inf, runs: float = math.inf) -> None:
        self.limits, self.steps, self.runs = (steps, runs), 0, 0

    def __call__(self, **_: object) -> Bar:
        return self

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def update(self, steps: int) -> None:
        self.steps += steps
        if self.steps >= self.limits[0]:
            raise KeyboardInterrupt

    def set_postfix_str(self, _: str) -> None:
        self.runs += 1
        if self.runs >= self.limits[1]:
            raise KeyboardInterrupt


def test_a_stopped_race_keeps_its_finished_runs_and_goes_on(
    whole: Results, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "race.json"
    monkeypatch.setattr(running, "tqdm", Bar(runs=2))
    stopped = run_race(TINY, path)
    assert len(stopped.runs) == 2 and load_results(path) == stopped
    said = capsys.readouterr().out
    assert "完成了 2 次训练" in said and "2 runs are finished" in said

    monkeypatch.setattr(running, "tqdm", rest := Bar())
    assert same(run_race(TINY, path), whole)
    assert rest.runs == 2, "finished runs are not made again"
    assert [p.name for p in tmp_path.iterdir()] == ["race.json"]
    assert run_race(TINY, path) == load_results(path)
    assert rest.runs == 2


def test_stopping_in_the_middle_of_a_run_drops_that_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "tqdm", Bar(steps=20))  # in the second run, before it counts as finished
    assert len(run_race(replace(TINY, steps=10)).runs) == 1


def test_a_race_may_grow_but_not_change(tmp_path: Path) -> None:
    path = tmp_path / "race.json"
    run_race(replace(TINY, encodings=("none",), tasks=("copy_back",)), path, progress=False)
    grown = run_race(replace(TINY, tasks=("copy_back",), seeds=(0, 1)), path, progress=False)
    assert grown.race.encodings == ("none", "rotary") and grown.race.seeds == (0, 1)
    assert [run.entry for run in grown.runs] == grown.race.entries() and len(grown.runs) == 4
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"two different races .*steps \(3, 4\)"):
        run_race(replace(TINY, steps=4), path, progress=False)
    assert path.read_bytes() == before


def test_another_machine_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, race = tmp_path / "race.json", replace(TINY, tasks=("copy_back",), encodings=("none",))
    first = run_race(race, path, progress=False)
    monkeypatch.setattr(running, "machine", lambda device: {"processor": "another", "cores": "1"})
    later = run_race(replace(race, seeds=(0, 1)), path, progress=False)
    assert (
        later.machines == (*first.machines, {"processor": "another", "cores": "1"})
        and later.date == first.date
    )


def arguments(*words: str) -> list[str]:
    """Return the arguments of a command that runs a small race, and ``words``."""
    flags = []
    for name, value in SMALL.items():
        values = value if isinstance(value, tuple) else (value,)
        flags += [f"--{name.replace('_', '-')}", *map(str, values)]
    return [*flags, *words]


def command(*words: str, **options: Any) -> subprocess.Popen[str]:
    program = [sys.executable, "-m", "posenc_lessons.experiments.race"]
    pipes = {name: subprocess.PIPE for name in ("stdin", "stdout", "stderr")}
    return subprocess.Popen([*program, *arguments(*words)], text=True, encoding="utf-8", **pipes, **options)


@pytest.mark.sweep
def test_a_killed_process_loses_no_finished_run_and_its_workers_end(tmp_path: Path) -> None:
    path = tmp_path / "race.json"
    slow = command("--out", str(path), "--steps", "60", "--jobs", "2")
    wait_until(lambda: path.exists() or slow.poll() is not None)
    workers = psutil.Process(slow.pid).children(recursive=True)
    slow.kill()
    slow.communicate()
    for worker in workers:
        wait_until(lambda worker=worker: is_gone(worker))
    kept = load_results(path)
    assert kept.runs and kept.race.steps == 60
    done = run_race(kept.race, path, progress=False)
    assert set(kept.runs) <= set(done.runs), "finished runs are not made again"
    assert same(done, run_race(kept.race, progress=False))


def test_the_command_runs_saves_and_prints(
    whole: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "race.json"
    monkeypatch.setattr(sys, "argv", ["race", *arguments("--out", str(path))])
    main()
    captured = capsys.readouterr()
    assert captured.out.strip() == table(load_results(path)) and "12/12" in captured.err
    assert same(load_results(path), whole)
    path.write_text("{}")
    with pytest.raises(SystemExit, match="no race was saved in it"):
        main()


@pytest.mark.sweep
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs POSIX signals")
def test_ctrl_c_ends_the_command_and_its_workers(tmp_path: Path) -> None:
    path = tmp_path / "race.json"
    running_race = command("--out", str(path), "--steps", "1000", "--jobs", "2", start_new_session=True)
    wait_until(lambda: path.exists() or running_race.poll() is not None)
    os.killpg(running_race.pid, signal.SIGINT)  # the terminal sends it to all of them
    said, complaints = running_race.communicate(timeout=patience())
    assert "停下了" in said and running_race.returncode == 0
    assert "Traceback" not in complaints and "leaked" not in complaints
    assert load_results(path).runs


@pytest.mark.usefixtures("forked_workers")
def test_a_run_that_fails_in_its_process_is_named_in_both_languages() -> None:
    race = replace(TINY, encodings=("none",), learning_rate=1e30, steps=30)
    with pytest.raises(BilingualRuntimeError) as failed:
        run_race(race, jobs=2, progress=False)
    assert re.match(r"\w+, none, 0: BilingualValueError: the loss became nan", failed.value.text.en)
    assert "损失变成了 nan" in failed.value.text.zh


def test_a_process_that_dies_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def submit(*arguments: object) -> NoReturn:
        raise BrokenProcessPool

    monkeypatch.setattr(ProcessPoolExecutor, "submit", submit)
    with pytest.raises(BilingualRuntimeError, match="ended unexpectedly"):
        run_race(TINY, jobs=2, progress=False)
