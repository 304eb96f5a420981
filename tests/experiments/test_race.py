"""The race gives the same numbers each time, and its models differ only in what their names say."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn

from posenc_lessons.encodings import CoPE, RotaryEncoding
from posenc_lessons.experiments.race import RACE_TASKS, Entry, Race, Results, one_run, recorded_race, run_race
from posenc_lessons.experiments.race.models import model_of, training_shape
from posenc_lessons.experiments.race.settings import RACE_ENCODINGS
from posenc_lessons.figures.encoding_looks import LOOKS
from tests.experiments.tiny_race import TINY

RACE = Race()


def test_every_run_of_a_race_has_its_result(whole: Results) -> None:
    assert [run.entry for run in whole.runs] == TINY.entries()
    for run in whole.runs:
        assert len(run.accuracy) == 3 and all(0 <= share <= 1 for share in run.accuracy)
    assert whole.machines[0]["PyTorch"] == torch.__version__
    assert whole.date.count("-") == 2
    assert whole.order_blind == {task: one_run.without_order(TINY, task) for task in TINY.tasks}


def test_a_race_is_reproducible_and_keeps_the_callers_random_state(whole: Results) -> None:
    torch.manual_seed(99)
    threads = torch.get_num_threads()
    state = torch.random.get_rng_state()
    assert run_race(TINY, progress=False).runs == whole.runs
    assert torch.equal(torch.random.get_rng_state(), state) and torch.get_num_threads() == threads
    other = run_race(replace(TINY, seeds=(1,)), progress=False)
    assert [run.first_loss for run in other.runs] != [run.first_loss for run in whole.runs]


def test_only_the_last_quarter_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    class RightLate(nn.Module):
        """A model that copies three back, but only from ``begin`` on."""

        def __init__(self, begin: int) -> None:
            super().__init__()
            self.one, self.begin = nn.Parameter(torch.ones(1)), begin

        def forward(self, tokens: Tensor) -> Tensor:
            right = nn.functional.one_hot(tokens.roll(3, dims=1), 16).float()
            right[:, : self.begin] *= -1
            return right * self.one

    for begin, accuracy in ((4, (1, 1, 1)), (5, (0, 1, 1)), (8, (0, 0, 0.5))):
        monkeypatch.setattr(one_run, "new_model", lambda race, entry, begin=begin: RightLate(begin))
        monkeypatch.setattr(one_run, "train_model", lambda *_: one_run.History([1.0], [1.0]))
        assert one_run.run_one(TINY, Entry("copy_back", "none", 0)).accuracy == accuracy


def test_a_variant_differs_from_its_encoding_in_one_respect() -> None:
    short = [attention.encoding for attention in model_of(RACE, "copy_back", "cope_short").attentions]
    assert all(isinstance(cope, CoPE) and cope.n_positions == 12 for cope in short)
    assert short[0] is not short[1]
    control = model_of(RACE, "copy_back", "control").attentions
    assert all(isinstance(attention.encoding, RotaryEncoding) for attention in control)


@pytest.mark.parametrize("name", RACE_TASKS)
def test_a_control_trains_at_the_longest_length_with_equally_many_answers(name: str) -> None:
    def answers(shape: tuple[int, int]) -> float:
        counted = RACE.task(name).batch(512, shape[1], torch.Generator().manual_seed(1))[2]
        return shape[0] * counted.double().sum(dim=1).mean().item()

    usual, long = (training_shape(RACE, name, encoding) for encoding in ("rotary", "control"))
    assert usual == (16, 32) and long[1] == 128
    fewer = (long[0] - 1, long[1])
    assert answers(fewer) < answers(usual) <= answers(long) * 1.01, "just as many, a little noise aside"


@pytest.mark.parametrize("name", RACE_ENCODINGS)
def test_the_model_has_room_for_every_position_and_every_answer(name: str) -> None:
    for task in RACE_TASKS:
        tokens, targets, counted = RACE.task(task).batch(2, RACE.test_lengths[-1])
        assert model_of(RACE, task, name)(tokens).shape[-1] > targets[counted].max()


def test_every_encoding_of_a_race_has_its_own_look() -> None:
    drawn = {(LOOKS[name].color, LOOKS[name].dashed) for name in RACE_ENCODINGS}
    assert len(drawn) == len({LOOKS[name].name for name in RACE_ENCODINGS}) == len(RACE_ENCODINGS)


def test_the_recorded_race_is_whole_and_made_by_the_command_as_it_stands() -> None:
    recorded = recorded_race()
    assert recorded.race == Race(), "its command names no settings"
    assert [run.entry for run in recorded.runs] == Race().entries()


@pytest.mark.sweep
@pytest.mark.parametrize("encoding", RACE_ENCODINGS)
def test_the_recorded_race_can_be_run_again(encoding: str) -> None:
    """Make the first steps on one of the tasks; the file keeps their mean loss."""
    recorded = recorded_race()
    race, tasks = recorded.race, recorded.race.tasks
    task = tasks[race.encodings.index(encoding) % len(tasks)]
    run = next(run for run in recorded.runs if run.entry == (task, encoding, 0))
    steps = one_run.CHECKED_STEPS
    model = one_run.new_model(race, run.entry)
    history = one_run.train_model(race, run.entry, model, lambda so_far: len(so_far.loss) < steps)
    assert sum(history.loss) / steps == pytest.approx(run.first_loss, rel=2e-3)
