"""Make, train and test the model of one run of a race."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot

from posenc_lessons.experiments.machine import threads
from posenc_lessons.experiments.race.models import model_of, training_shape
from posenc_lessons.experiments.race.results import Run
from posenc_lessons.experiments.race.settings import Entry, Race
from posenc_lessons.experiments.tasks.task import Task, last_quarter
from posenc_lessons.experiments.training import History, accuracy, train

CHECKED_STEPS = 25  # the mean loss of so many first steps of each run is kept, to repeat them
TEST_SEED = 1_000_003  # far from the seeds of training, so that test sequences are new
SETS_APART = 8192  # between the seeds of two sets; the length of a sequence is added to them
BLIND_SETS = 8  # so many sets of test sequences are averaged for the accuracy without order


def run_one(race: Race, entry: Entry, on_step: Callable[[int], object] = lambda step: None) -> Run:
    """Train one model and test it at every length, on one thread, so that rounding is always the same.

    ``on_step`` is called with the number of steps after each of them.
    """

    def watch(history: History) -> bool:
        on_step(len(history.loss))
        return True

    with threads(1):
        model = new_model(race, entry)
        history = train_model(race, entry, model, watch)
        if history.interrupted:
            raise KeyboardInterrupt
        shares = by_length(model, race.task(entry.task), race.test_lengths, race.test_sequences, TEST_SEED)
    first = history.loss[:CHECKED_STEPS]
    return Run(*entry, accuracy=rounded(shares), first_loss=round(sum(first) / len(first), 4))


def new_model(race: Race, entry: Entry) -> nn.Module:
    """Return the untrained model of a run, without changing the caller's random numbers."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(entry.seed)
        return model_of(race, entry.task, entry.encoding)


def train_model(race: Race, entry: Entry, model: nn.Module, keep_going: Callable[[History], bool]) -> History:
    """Train ``model`` with the settings of the race."""
    batch_size, length = training_shape(race, entry.task, entry.encoding)
    return train(
        model,
        race.task(entry.task),
        steps=race.steps,
        batch_size=batch_size,
        length=length,
        learning_rate=race.learning_rate,
        seed=entry.seed,
        progress=False,
        keep_going=keep_going,
    )


def without_order(race: Race, task: str) -> tuple[float, ...]:
    """Return ``order_blind`` of one of the race's tasks."""
    return order_blind(race.task(task), race.test_lengths, race.test_sequences)


class OrderBlindAnswers(nn.Module):
    """The answers of ``task.order_blind``, as logits."""

    def __init__(self, task: Task) -> None:
        super().__init__()
        self.task = task

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits [B, L, n_answers] for tokens [B, L]."""
        assert self.task.order_blind is not None
        return one_hot(self.task.order_blind(tokens), self.task.n_answers)


def by_length(
    model: nn.Module, task: Task, lengths: Sequence[int], n_sequences: int, seed: int
) -> tuple[float, ...]:
    """Return the accuracy in the last quarter at each length, on sequences drawn with ``seed``."""
    return tuple(
        accuracy(
            model,
            task,
            length,
            from_position=last_quarter(length),
            batch_size=n_sequences,
            seed=seed + length,
        )
        for length in lengths
    )


def order_blind(
    task: Task, lengths: Sequence[int], n_sequences: int, apart: int = SETS_APART
) -> tuple[float, ...]:
    """Return the accuracy at each length of the task's ``order_blind``.

    Each is the mean of ``BLIND_SETS`` sets of sequences, whose seeds are ``apart``; models are tested on the
    first of them.
    """
    blind = OrderBlindAnswers(task)
    seeds = [TEST_SEED + apart * count for count in range(BLIND_SETS)]
    with threads(1):
        sets = [by_length(blind, task, lengths, n_sequences, seed) for seed in seeds]
    return rounded([sum(shares) / BLIND_SETS for shares in zip(*sets, strict=True)])


def rounded(shares: Sequence[float]) -> tuple[float, ...]:
    """Return shares with the four digits that a record keeps."""
    return tuple(round(share, 4) for share in shares)
