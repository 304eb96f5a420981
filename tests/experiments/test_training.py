"""Training learns, is reproducible, and loses nothing when it is stopped."""

import math

import pytest
import torch
from torch import Tensor, nn

from posenc_lessons.experiments import History, PairTask, accuracy, copy_back, reverse, rewrite_date, train
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models import DecoderOnly, Seq2Seq


class Stumbling(nn.Module):
    """A model that raises an error, or multiplies its input, at the given call."""

    def __init__(self, call: int, what: BaseException | float) -> None:
        super().__init__()
        self.table, self.dropout = nn.Embedding(4, 4), nn.Dropout(0.1)
        self.calls, self.call, self.what = 0, call, what

    def forward(self, tokens: Tensor) -> Tensor:
        self.calls += 1
        logits = self.dropout(self.table(tokens))
        if self.calls <= self.call:
            return logits
        if isinstance(self.what, BaseException):
            raise self.what
        return logits * self.what


TASK, TINY = copy_back(3), copy_back(1, vocab_size=4)
BRIEFLY = {"steps": 6, "batch_size": 4, "length": 5, "progress": False}


@pytest.mark.parametrize("encoding", ["learned", "none"])
def test_a_small_model_learns_to_copy_only_with_a_table(encoding: str) -> None:
    torch.manual_seed(0)
    model = DecoderOnly(TASK.vocab_size, 32, 2, 1, encoding, max_len=16)
    history = train(model, TASK, steps=300, batch_size=32, length=16, progress=False)
    assert len(history.loss) == len(history.accuracy) == 300 and not history.interrupted
    assert history.accuracy[0] < 0.2 and history.loss[0] > 2.5
    assert history.loss[history.best_step] == min(history.loss)
    reached = accuracy(model, TASK, 16)
    assert reached < 0.5 if encoding == "none" else reached > 0.99, reached


def test_training_is_reproducible_and_keeps_the_callers_random_state() -> None:
    results = []
    for turn, seed in enumerate((7, 7, 8)):
        torch.manual_seed(0)
        model = Stumbling(99, 0.0)
        torch.rand(turn)  # dropout must not depend on the caller's random state
        before = torch.random.get_rng_state()
        results.append((train(model, TINY, **BRIEFLY, seed=seed), model.table.weight.detach().clone()))
        assert torch.equal(torch.random.get_rng_state(), before)
    (one, weights), (same, same_weights), (other, _) = results
    assert one == same and torch.equal(weights, same_weights)
    assert one.loss != other.loss


def test_the_learning_rate_climbs_for_a_tenth_of_the_steps_and_falls_to_zero(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rates: list[float] = []
    take_step = torch.optim.Adam.step

    def noted(self: torch.optim.Adam, *args: object) -> object:
        rates.append(self.param_groups[0]["lr"])
        return take_step(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(torch.optim.Adam, "step", noted)
    train(Stumbling(99, 0.0), TINY, **{**BRIEFLY, "steps": 40}, learning_rate=0.5)
    climb, fall = rates[:5], rates[4:]
    assert climb[:4] == pytest.approx([0.125, 0.25, 0.375, 0.5]) and climb[4] == 0.5
    assert fall == sorted(fall, reverse=True) and fall[18] == pytest.approx(0.25), "half-way down the cosine"
    assert 0 < fall[-1] < 0.002


def test_the_model_comes_back_with_its_best_weights_in_eval_mode() -> None:
    class Noted(nn.Module):
        """A model that records its weights at each call. Its loss is noise: the best step is in between."""

        def __init__(self) -> None:
            super().__init__()
            self.logits, self.weights = nn.Parameter(torch.zeros(4)), []

        def forward(self, tokens: Tensor) -> Tensor:
            self.weights.append(self.logits.detach().clone())
            return self.logits.expand(*tokens.shape, 4)

    model = Noted()
    history = train(model, TINY, **{**BRIEFLY, "steps": 30}, learning_rate=0.5)
    assert 0 < history.best_step < 29
    assert torch.equal(model.logits.detach(), model.weights[history.best_step])
    assert not model.training


def test_stopping_keeps_the_best_weights_and_is_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    model = Stumbling(4, KeyboardInterrupt())
    history = train(model, TINY, **BRIEFLY)
    assert history.interrupted and len(history.loss) == 4
    said = capsys.readouterr().out
    assert "停在第 4 步（共 6 步）" in said and "Stopped after 4 of 6 steps" in said
    assert f"第 {history.best_step} 步" in said and f"of step {history.best_step}" in said
    assert not model.training


def test_a_loss_that_is_no_number_ends_it_with_the_best_weights_kept() -> None:
    model = Stumbling(3, math.nan)
    with pytest.raises(ValueError, match=r"(?s)the loss became nan at step 3"):
        train(model, TINY, **BRIEFLY)
    assert model.table.weight.isfinite().all()


class Copier(nn.Module):
    """A model that, in eval mode, is right up to position 9 and wrong afterwards."""

    def forward(self, tokens: Tensor) -> Tensor:
        logits = nn.functional.one_hot(tokens.roll(1, dims=1), 4).float()
        logits[:, 10:] *= -1
        return -logits if self.training else logits


def test_accuracy_counts_from_the_given_position_without_dropout() -> None:
    model = Copier()
    assert accuracy(model, TINY, 10) == 1
    assert accuracy(model, TINY, 20) == pytest.approx(9 / 19)  # position 0 has no answer
    assert accuracy(model, TINY, 20, from_position=10) == 0
    assert accuracy(model, TINY, 20, from_position=5) == pytest.approx(5 / 15)
    assert model.training
    assert accuracy(model.eval(), TINY, 10) == 1 and not model.training


BAD = {
    "no steps": ({"steps": 0}, r"steps .*got 0"),
    "no batch": ({"batch_size": 0}, r"batch_size .*got 0"),
    "too short": ({"length": 1}, r"length 1 is too short"),
    "no rate": ({"learning_rate": 0}, r"learning_rate .*got 0"),
    "nan rate": ({"learning_rate": math.nan}, r"learning_rate .*nan"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_in_both_languages(case: str) -> None:
    wrong, message = BAD[case]
    with pytest.raises(BilingualValueError, match=message):
        train(Stumbling(99, 0.0), TINY, **{**BRIEFLY, **wrong})


def test_a_caller_may_stop_it_and_the_best_so_far_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    seen = []

    def three_steps(history: History) -> bool:
        seen.append(len(history.loss))
        return len(history.loss) < 3

    history = train(Stumbling(99, 0.0), TINY, **BRIEFLY, keep_going=three_steps)
    assert seen == [1, 2, 3] and len(history.loss) == 3 and history.interrupted
    assert capsys.readouterr().out == ""
    assert not train(Stumbling(99, 0.0), TINY, **BRIEFLY, keep_going=lambda history: True).interrupted


def test_a_task_of_two_sequences_is_trained_and_counted() -> None:
    task = reverse("ab")
    source, so_far = task.batch(2, 4)[0]
    assert source.shape == (2, 4) and so_far.shape == (2, 5)

    class Pupil(nn.Module):
        """A model that reads a source, backwards with the end token last, and the target so far."""

        def __init__(self) -> None:
            super().__init__()
            self.source, self.target = nn.Embedding(5, 5), nn.Embedding(5, 5)

        def forward(self, source: Tensor, target: Tensor) -> Tensor:
            backwards = nn.functional.pad(source, (1, 0), value=task.end).flip(1)
            return self.target(target) + self.source(backwards)[:, : target.shape[1]]

    model = Pupil()
    history = train(model, task, **{**BRIEFLY, "steps": 200}, learning_rate=0.1)
    assert history.loss[-1] < 0.1 < history.loss[0]
    assert accuracy(model, task, 4) == 1
    assert accuracy(model, task, 4, from_position=4) == 1  # the end
    with pytest.raises(ValueError, match="from_position"):
        accuracy(model, task, 4, from_position=5)


@pytest.mark.parametrize(
    ("task", "padded"),
    [(reverse(), False), (reverse(shortest=3), True), (rewrite_date(), True)],
    ids=lambda value: value.name if isinstance(value, PairTask) else str(value),
)
def test_only_tasks_with_padding_pass_source_real(task: PairTask, padded: bool) -> None:
    recorded: list[Tensor] = []

    class Listening(Seq2Seq):
        def forward(self, source: Tensor, target: Tensor, **more: Tensor) -> Tensor:
            recorded.extend(more.values())
            assert set(more) == ({"source_real"} if padded else set())
            if padded:
                assert torch.equal(more["source_real"], source != PairTask.pad)
            return super().forward(source, target, **more)

    model = Listening(task.source_vocab, task.target_vocab, 8, 2, 1)
    train(model, task, **{**BRIEFLY, "length": 18, "steps": 2})
    accuracy(model, task, 18)
    assert len(recorded) == (3 if padded else 0)
