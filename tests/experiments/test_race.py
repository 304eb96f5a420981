"""The race gives the same numbers each time and never loses a finished run."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from posenc_lessons.experiments.race import (
    Entry,
    Race,
    Results,
    Run,
    load_results,
    one_run,
    recorded_race,
    results_from_json,
    run_race,
    running,
)
from posenc_lessons.experiments.race.__main__ import main, table
from posenc_lessons.experiments.race.variants import RACE_ENCODINGS
from posenc_lessons.language import BilingualValueError
from tests.support.pace import patience, wait_until

SMALL: dict[str, Any] = {
    "tasks": ("copy_back", "flip_flop"),
    "encodings": ("none", "rotary"),
    "seeds": (0,),
    "n_back": 1,
    "train_length": 6,
    "test_lengths": (4, 6, 9),
    "counted": "new_positions",
    "steps": 3,
    "batch_size": 4,
    "d_model": 8,
    "n_heads": 2,
    "n_layers": 1,
    "test_sequences": 8,
}
TINY = Race(**SMALL)


def same(one: Results, other: Results) -> bool:
    """Return whether everything except the time is equal."""
    return [replace(r, seconds=0) for r in one.runs] == [replace(r, seconds=0) for r in other.runs]


@pytest.fixture(scope="module")
def whole() -> Results:
    return run_race(TINY, progress=False)


def test_every_run_of_a_race_has_its_result(whole: Results) -> None:
    assert [run.entry for run in whole.runs] == TINY.entries()
    assert len(TINY.entries()) == 4
    for run in whole.runs:
        assert len(run.accuracy) == 3 and all(0 <= share <= 1 for share in run.accuracy)
        assert len(run.loss) == 3 and run.seconds > 0
    assert whole.machines[0]["PyTorch"] == torch.__version__
    assert whole.date.count("-") == 2


def test_a_race_is_reproducible_and_keeps_the_callers_random_state(whole: Results) -> None:
    torch.manual_seed(99)
    threads = torch.get_num_threads()
    before = torch.random.get_rng_state()
    again = run_race(TINY, progress=False)
    assert same(again, whole)
    assert torch.equal(torch.random.get_rng_state(), before) and torch.get_num_threads() == threads
    other = run_race(replace(TINY, seeds=(1,)), progress=False)
    assert [run.loss for run in other.runs] != [run.loss for run in whole.runs]


def test_runs_in_processes_are_the_same(whole: Results) -> None:
    race = replace(TINY, tasks=("copy_back",), steps=10)
    assert same(run_race(race, jobs=2, progress=False), run_race(race, progress=False))


def test_beyond_the_trained_length_only_positions_beyond_it_count(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shortsighted(nn.Module):
        """A model that copies the token before, but only at positions within the trained length."""

        def __init__(self) -> None:
            super().__init__()
            self.one = nn.Parameter(torch.ones(1))

        def forward(self, tokens: Tensor) -> Tensor:
            right = nn.functional.one_hot(tokens.roll(1, dims=1), 16).float()
            right[:, TINY.train_length :] *= -1
            return right * self.one

    monkeypatch.setattr(one_run, "new_model", lambda race, entry: Shortsighted())
    run = one_run.run_one(TINY, Entry("copy_back", "none", 0))
    assert run.accuracy == (1, 1, 0)
    quarter = one_run.run_one(replace(TINY, counted="last_quarter"), Entry("copy_back", "none", 0))
    assert quarter.accuracy == (1, 1, 0)
    assert [replace(TINY, counted="last_quarter").counted_from(length) for length in (4, 6, 9)] == [3, 5, 7]


def test_a_race_has_order_blind_results_also_from_an_older_file(whole: Results, tmp_path: Path) -> None:
    assert whole.order_blind == {task: one_run.without_order(TINY, task) for task in TINY.tasks}
    assert all(0 < share <= 1 for shares in whole.order_blind.values() for share in shares)
    path = tmp_path / "race.json"
    replace(whole, order_blind={}).save(path)
    assert run_race(TINY, path, progress=False) == load_results(path) == whole


def test_recorded_losses_are_means_over_steps() -> None:
    assert one_run._thinned([3.0, 1.0]) == (3, 1)
    many = one_run._thinned([float(i) for i in range(400)])
    assert len(many) == 40 and many[0] == pytest.approx(4.5) and many[-1] == pytest.approx(394.5)


# ---- stopping and continuing ----


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


def command(*words: str, **options: Any) -> subprocess.Popen[str]:
    flags = [
        f"--{name.replace('_', '-')}={value}" for name, value in SMALL.items() if isinstance(value, int | str)
    ]
    lists = [
        word
        for name, value in SMALL.items()
        if isinstance(value, tuple)
        for word in (f"--{name.replace('_', '-')}", *map(str, value))
    ]
    return subprocess.Popen(
        [sys.executable, "-m", "posenc_lessons.experiments.race", *flags, *lists, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        **options,
    )


def test_a_killed_process_loses_no_finished_run(whole: Results, tmp_path: Path) -> None:
    path = tmp_path / "race.json"
    slow = command("--out", str(path), "--steps", "60")
    wait_until(lambda: path.exists() or slow.poll() is not None)
    slow.kill()
    slow.communicate()
    kept = load_results(path)
    assert kept.runs and kept.race.steps == 60
    done = run_race(kept.race, path, progress=False)
    assert set(kept.runs) <= set(done.runs), "finished runs are not made again"
    assert same(done, run_race(kept.race, progress=False))


def test_the_command_runs_saves_and_prints(
    whole: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "race.json"
    said, bar = command("--out", str(path)).communicate(timeout=patience())
    assert said.strip() == table(load_results(path)) and "12/12" in bar
    assert same(load_results(path), whole)
    path.write_text("{}")
    monkeypatch.setattr(sys, "argv", ["race", "--out", str(path)])
    with pytest.raises(SystemExit, match="no race was saved in it"):
        main()


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


# ---- the file ----


@settings(max_examples=20)
@given(
    st.lists(st.tuples(*[st.floats(0, 1)] * 3), min_size=4, max_size=4),
    st.lists(st.floats(0, 9), max_size=5).map(tuple),
    st.permutations(range(4)),
)
def test_results_survive_json(shares: list[Any], loss: tuple[float, ...], order: list[int]) -> None:
    results = Results(TINY, "2025-01-31", ({"processor": "计算机", "cores": "2"},))
    for i in order:
        results = results.with_run(Run(*TINY.entries()[i], accuracy=shares[i], loss=loss, seconds=1.5))
    assert results_from_json(results.to_json(), "x") == results
    assert [run.entry for run in results.runs] == TINY.entries()
    empty = replace(results, runs=())
    assert results_from_json(empty.to_json(), "x") == empty


def test_means_over_seeds() -> None:
    race = replace(TINY, seeds=(0, 1))
    results = Results(race, "2025-01-31", ())
    for seed, shares in ((0, (1.0, 0.8, 0.2)), (1, (0.5, 1.0, 0.4))):
        results = results.with_run(Run("copy_back", "none", seed, shares, (), 1.0))
    assert results.accuracy("copy_back", "none") == [(1.0, 0.8, 0.2), (0.5, 1.0, 0.4)]
    assert results.inside_and_outside("copy_back", "none") == pytest.approx((0.9, 0.3))
    assert results.inside_and_outside("copy_back", "rotary") is None
    assert "none    0.90 → 0.30  –" in table(results) and table(results).startswith("6 → 9\n")


def changed(**changes: Any) -> bytes:
    """Return a race's file with changed values; None removes a key."""
    race = Results(TINY, "2025-01-31", ({"processor": "计", "cores": "2"},))
    run = Run("copy_back", "none", 0, (1.0, 1.0, 0.5), (), 1.0)
    content = json.loads(race.with_run(run).to_json())
    for path, value in changes.items():
        *where, last = path.split("__")
        inner = content
        for key in where:
            inner = inner[int(key) if key.isdigit() else key]
        if value is None:
            del inner[last]
        else:
            inner[last] = value
    return json.dumps(content).encode()


DAMAGED = {
    "half": (changed()[:200], r"f.json is not a results file: it is no JSON "),
    "empty": (b"", r"it is no JSON "),
    "no text": (b"\xff\xfe\x00", r"it is no JSON "),
    "a list": (b"[1, 2]", r"no race was saved in it"),
    "foreign": (b'{"format": "something"}', r"no race was saved in it"),
    "newer": (changed(version=2), r"newer posenc_lessons \(file version 2.*update"),
    "no race": (changed(race=None), r"damaged.*KeyError\('race'\)"),
    "no machine": (changed(machines__0__cores=None), r"damaged.*'cores'"),
    "no date": (changed(date=None), r"damaged.*'date'"),
    "another measure": (changed(race__counted="all"), r"damaged.*counted must be among .*'all'"),
    "a setting gone": (changed(race__steps=None), r"damaged.*race: \['steps'\]"),
    "an unknown setting": (changed(race__speed=1), r"damaged.*race: \['speed'\]"),
    "no such task": (changed(race__tasks=["fly"]), r"damaged.*tasks must be among .*'fly'"),
    "a run too many": (changed(runs__0__seed=7), r"damaged.*run: \('copy_back', 'none', 7\)"),
    "too good": (changed(runs__0__accuracy=[1, 1, 1.5]), r"damaged.*run: "),
    "a length gone": (changed(runs__0__accuracy=[1, 1]), r"damaged.*run: "),
    "a word": (changed(runs__0__accuracy=["1", 1, 1]), r"damaged.*run: "),
    "a field gone": (changed(runs__0__seconds=None), r"damaged.*TypeError.*seconds"),
    "no runs": (changed(runs=3), r"damaged.*TypeError"),
    "no such line": (changed(order_blind={"copy_back": [0.5]}), r"damaged.*order_blind: \['copy_back'\]"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_file_that_is_not_a_race_is_refused_in_both_languages(case: str, tmp_path: Path) -> None:
    content, message = DAMAGED[case]
    path = tmp_path / "f.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        load_results(path)
    assert str(caught.value).count("\n") == 1
    with pytest.raises(ValueError, match=message):
        run_race(TINY, path, progress=False)
    assert path.read_bytes() == content, "what cannot be read is not overwritten"


def test_a_file_of_any_length_is_sorted_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    race = replace(TINY, seeds=tuple(range(100)))
    runs = tuple(Run(*entry, (1.0, 1.0, 0.5), (), 1.0) for entry in race.entries())
    backwards = Results(race, "2025-01-31", (), runs[::-1]).to_json()
    listed: list[Race] = []
    entries = Race.entries
    monkeypatch.setattr(Race, "entries", lambda race: listed.append(race) or entries(race))
    assert results_from_json(backwards, "f.json").runs == runs
    assert len(listed) <= 2, "not once for each of 400 runs"


def test_the_unchanged_file_is_accepted() -> None:
    assert len(results_from_json(changed(), "f.json").runs) == 1


def test_an_older_file_without_a_measure_gets_the_only_one_of_its_time() -> None:
    assert results_from_json(changed(race__counted=None), "f.json").race.counted == "new_positions"


def test_results_from_a_gpu_can_be_read_without_one() -> None:
    assert results_from_json(changed(race__device="cuda:7"), "f.json").race.device == "cuda:7"


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no task": ({"tasks": ()}, r"tasks must be a list .*got \(\)"),
    "a word": ({"encodings": "rotary"}, r"encodings must be a list .*'rotary'"),
    "twice": ({"seeds": (1, 1)}, r"seeds must not .*twice"),
    "too many": ({"seeds": range(101)}, r"seeds may be 100 at most.*got 101"),
    "unknown task": ({"tasks": ("fly",)}, r"tasks must be among copy_back, .*'fly'"),
    "unknown encoding": ({"encodings": ("rope",)}, r"encodings must be among none, .*'rope'"),
    "negative seed": ({"seeds": (-1,)}, r"seeds .*got -1"),
    "no steps": ({"steps": 0}, r"steps .*got 0"),
    "no length": ({"test_lengths": (0, 6, 9)}, r"test_lengths .*got 0"),
    "far too long": ({"test_lengths": (4, 6, 10**9)}, r"not exceed 8192.*got 1000000000"),
    "falling": ({"test_lengths": (6, 4, 9)}, r"test_lengths must rise.*\[6, 4, 9\]"),
    "not inside": ({"test_lengths": (4, 9)}, r"contain train_length=6 "),
    "not outside": ({"test_lengths": (4, 6)}, r"go beyond it"),
    "too short": ({"n_back": 5}, r"length 4 is too short.*copy_back\(5\)"),
    "no rate": ({"learning_rate": 0}, r"learning_rate .*got 0"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_in_both_languages(case: str) -> None:
    wrong, message = BAD[case]
    with pytest.raises(BilingualValueError, match=message):
        Race(**{**SMALL, **wrong})


def test_a_missing_device_is_refused_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"'cuda:9' is not on this machine"):
        run_race(replace(TINY, device="cuda:9"), tmp_path / "race.json", progress=False)
    with pytest.raises(ValueError, match=r"jobs .*got 0"):
        run_race(TINY, jobs=0, progress=False)


# ---- the recorded race ----


def test_the_recorded_race_is_whole_and_made_by_the_command_as_it_stands() -> None:
    recorded = recorded_race()
    assert recorded.race == Race(), "its command names no settings"
    assert [run.entry for run in recorded.runs] == Race().entries()


@pytest.mark.parametrize("encoding", RACE_ENCODINGS)
def test_the_recorded_race_can_be_run_again(encoding: str) -> None:
    """Make 25 of 1000 steps on one of the tasks; the file keeps their mean loss."""
    recorded = recorded_race()
    race, tasks = recorded.race, recorded.race.tasks
    task = tasks[race.encodings.index(encoding) % len(tasks)]
    run = next(run for run in recorded.runs if run.entry == (task, encoding, 0))
    steps = race.steps // one_run.LOSSES_KEPT
    model = one_run.new_model(race, run.entry)
    history = one_run.train_model(race, run.entry, model, lambda so_far: len(so_far.loss) < steps)
    assert sum(history.loss) / steps == pytest.approx(run.loss[0], rel=2e-3)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs an NVIDIA GPU")
def test_a_race_on_a_gpu_says_so() -> None:
    race = replace(TINY, device="cuda", tasks=("copy_back",))
    assert run_race(race, progress=False).machines[0]["GPU"]
