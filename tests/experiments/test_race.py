"""The race gives the same numbers each time, and says which settings it refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from posenc_lessons.experiments.race import (
    Entry,
    Race,
    Results,
    one_run,
    recorded_race,
    run_race,
)
from posenc_lessons.experiments.race.variants import RACE_ENCODINGS
from posenc_lessons.language import BilingualValueError
from tests.experiments.tiny_race import SMALL, TINY, same


def test_every_run_of_a_race_has_its_result(whole: Results) -> None:
    assert [run.entry for run in whole.runs] == TINY.entries()
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


def test_a_race_has_order_blind_results(whole: Results) -> None:
    assert whole.order_blind == {task: one_run.without_order(TINY, task) for task in TINY.tasks}
    assert all(0 < share <= 1 for shares in whole.order_blind.values() for share in shares)


def test_recorded_losses_are_means_over_steps() -> None:
    assert one_run._thinned([3.0, 1.0]) == (3, 1)
    many = one_run._thinned([float(i) for i in range(400)])
    assert len(many) == 40 and many[0] == pytest.approx(4.5) and many[-1] == pytest.approx(394.5)


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


def test_the_recorded_race_is_whole_and_made_by_the_command_as_it_stands() -> None:
    recorded = recorded_race()
    assert recorded.race == Race(), "its command names no settings"
    assert [run.entry for run in recorded.runs] == Race().entries()


@pytest.mark.sweep
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
