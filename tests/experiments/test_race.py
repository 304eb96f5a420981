"""A race gives the same numbers each time, and its models differ only in what their names say."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn

from posenc_lessons.encodings import CoPE, RotaryEncoding
from posenc_lessons.experiments import racing
from posenc_lessons.experiments.comparison import Entry, Race, Results
from posenc_lessons.experiments.hybrid import HYBRID
from posenc_lessons.experiments.hybrid import recorded as recorded_hybrid
from posenc_lessons.experiments.machine import threads
from posenc_lessons.experiments.race import recorded_race
from posenc_lessons.experiments.racing import new_model, order_blind, run_race, train_model, training_shape
from posenc_lessons.figures.encoding_looks import LOOKS

RACE = Race()
TINY = Race(
    tasks=("copy_back", "count_since_reset"),
    encodings=("none", "hybrid"),
    seeds=(0,),
    train_length=8,
    test_lengths=(5, 8, 9),
    steps=3,
    batch_size=4,
    d_model=8,
    n_heads=2,
    n_layers=4,
    window=4,
    test_sequences=8,
)
RECORDED = {"race": (RACE, recorded_race), "hybrid": (HYBRID, recorded_hybrid)}


@pytest.fixture(scope="module")
def whole() -> Results:
    return run_race(TINY, progress=False)


def test_every_run_of_a_race_has_its_result(whole: Results) -> None:
    assert [run.entry for run in whole.runs] == TINY.entries()
    for run in whole.runs:
        assert len(run.accuracy) == 3 and all(0 <= share <= 1 for share in run.accuracy)
    assert whole.machine["PyTorch"] == torch.__version__ and whole.date.count("-") == 2
    assert whole.accuracy("copy_back", "hybrid") == [whole.runs[1].accuracy]


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
        monkeypatch.setattr(racing, "new_model", lambda race, entry, begin=begin: RightLate(begin))
        monkeypatch.setattr(racing, "train_model", lambda *_: racing.History([1.0], [1.0]))
        assert racing.run_one(TINY, Entry("copy_back", "none", 0)).accuracy == accuracy


def test_a_variant_differs_from_its_encoding_in_one_respect() -> None:
    short, control = (
        [attention.encoding for attention in new_model(RACE, Entry("copy_back", name, 0)).attentions]
        for name in ("cope_short", "control")
    )
    assert all(isinstance(cope, CoPE) and cope.n_positions == 12 for cope in short)
    assert short[0] is not short[1]
    assert all(isinstance(encoding, RotaryEncoding) for encoding in control)


def test_the_layers_of_hybrids_and_their_controls() -> None:
    models = {name: new_model(HYBRID, Entry("look_up", name, 3)) for name in HYBRID.encodings}
    doors = {name: [a.encoding.doors for a in model.attentions] for name, model in models.items()}
    last_free = [(2,), (2,), (2,), ()]
    assert doors == {
        "rotary": [(2,)] * 4,
        "none": [()] * 4,
        "hybrid": last_free,
        "windowed": [(2,)] * 4,
        "last_free": last_free,
    }
    windows = {name: model.decoder.windows for name, model in models.items()}
    with_windows = ("hybrid", "windowed")
    assert windows == {
        name: [8, 8, 8, None] if name in with_windows else [None] * 4 for name in HYBRID.encodings
    }
    for weights in zip(*(model.parameters() for model in models.values()), strict=True):
        assert all(torch.equal(weights[0], other) for other in weights), "one seed, one start"


@pytest.mark.parametrize("name", RACE.tasks)
def test_a_control_trains_at_the_longest_length_with_equally_many_answers(name: str) -> None:
    def answers(shape: tuple[int, int]) -> float:
        counted = RACE.task(name).batch(512, shape[1], torch.Generator().manual_seed(1))[2]
        return shape[0] * counted.double().sum(dim=1).mean().item()

    usual, long = (training_shape(RACE, Entry(name, encoding, 0)) for encoding in ("rotary", "control"))
    assert usual == (16, 32) and long[1] == 128
    fewer = (long[0] - 1, long[1])
    assert answers(fewer) < answers(usual) <= answers(long) * 1.01, "just as many, a little noise aside"


@pytest.mark.parametrize("name", RACE.encodings)
def test_the_model_has_room_for_every_position_and_every_answer(name: str) -> None:
    for task in RACE.tasks:
        tokens, targets, counted = RACE.task(task).batch(2, RACE.test_lengths[-1])
        assert new_model(RACE, Entry(task, name, 0))(tokens).shape[-1] > targets[counted].max()


def test_every_encoding_of_a_race_has_its_own_look() -> None:
    drawn = {(LOOKS[name].color, LOOKS[name].dashed) for name in RACE.encodings}
    assert len(drawn) == len({LOOKS[name].name for name in RACE.encodings}) == len(RACE.encodings)


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_race_is_whole_and_made_by_its_command_as_it_stands(name: str) -> None:
    race, recorded = RECORDED[name][0], RECORDED[name][1]()
    assert recorded.race == race, "its command names no settings"
    assert [run.entry for run in recorded.runs] == race.entries()
    assert recorded.order_blind["copy_back"] == pytest.approx(order_blind(race, "copy_back"), abs=6e-5)


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        pytest.param(name, encoding, marks=() if encoding == "hybrid" else pytest.mark.sweep)
        for name, (race, _) in RECORDED.items()
        for encoding in race.encodings
    ],
)
def test_a_recorded_race_can_be_run_again(name: str, encoding: str) -> None:
    """Make the first steps on one of the tasks; the file keeps their mean loss."""
    race, recorded = RECORDED[name][0], RECORDED[name][1]()
    task = race.tasks[race.encodings.index(encoding) % len(race.tasks)]
    run = next(run for run in recorded.runs if run.entry == (task, encoding, 0))
    model = new_model(race, run.entry)
    history = train_model(race, run.entry, model, lambda so_far: len(so_far.loss) < racing.CHECKED_STEPS)
    assert racing.first_loss(history) == pytest.approx(run.first_loss, rel=2e-3)


def test_the_number_of_threads_is_restored_even_after_an_error() -> None:
    before = torch.get_num_threads()
    with pytest.raises(ZeroDivisionError), threads(before + 1):
        assert torch.get_num_threads() == before + 1
        raise ZeroDivisionError
    assert torch.get_num_threads() == before
