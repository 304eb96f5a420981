"""Make, train and test the model of one run of a race."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import TypeAlias

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot

from posenc_lessons.experiments.machine import threads
from posenc_lessons.experiments.race.models import model_of, training_shape
from posenc_lessons.experiments.race.results import Run
from posenc_lessons.experiments.race.settings import LONGEST, Entry, Race
from posenc_lessons.experiments.tasks.task import Task
from posenc_lessons.experiments.training import History, accuracy, train

LOSSES_KEPT = 40
TEST_SEED = 1_000_003  # far from the seeds of training, so that test sequences are new
BLIND_SETS = 8  # so many sets of test sequences are averaged for the accuracy without order

# Called with a run, how many of its steps are done and, if it was tested at this step, accuracy by length.
OnStep: TypeAlias = Callable[[Entry, int, "tuple[float, ...] | None"], object]


def run_one(
    race: Race, entry: Entry, on_step: OnStep = lambda entry, done, accuracy: None, test_every: int = 0
) -> Run:
    """Train one model and test it at every length, on one thread, so that rounding is always the same.

    With ``test_every`` it is also tested before the first step and after every ``test_every`` steps.
    """
    start = time.perf_counter()
    with threads(1):
        model = new_model(race, entry)

        def watch(history: History) -> bool:
            done = len(history.loss)
            if test_every and done % test_every == 0:
                on_step(entry, done, tested(race, entry.task, model))
            elif done % 10 == 0:
                on_step(entry, done, None)
            return True

        if test_every:
            on_step(entry, 0, tested(race, entry.task, model))
        history = train_model(race, entry, model, watch)
        if history.interrupted:
            raise KeyboardInterrupt
        shares = tested(race, entry.task, model)
    return Run(
        *entry, accuracy=shares, loss=_thinned(history.loss), seconds=round(time.perf_counter() - start, 2)
    )


def new_model(race: Race, entry: Entry) -> nn.Module:
    """Return the untrained model of a run, without changing the caller's random numbers."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(entry.seed)
        return model_of(race, entry.task, entry.encoding)


def tested(race: Race, task: str, model: nn.Module) -> tuple[float, ...]:
    """Return the accuracy at each test length, on the same sequences for every model."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(TEST_SEED)  # for the models that draw positions
        return tuple(round(share, 4) for share in _by_length(race, task, model, TEST_SEED))


def _by_length(race: Race, task: str, model: nn.Module, seed: int) -> list[float]:
    """Return the accuracy at each test length, on test sequences drawn with ``seed``."""
    return [
        accuracy(
            model,
            race.task(task),
            length,
            from_position=race.counted_from(length),
            batch_size=race.test_sequences,
            seed=seed + length,
        )
        for length in race.test_lengths
    ]


def without_order(race: Race, task: str) -> tuple[float, ...]:
    """Return the accuracy at each test length of the task's ``order_blind``; () for a task without it.

    Each is the mean of ``BLIND_SETS`` sets of test sequences; runs are tested on the first of them.
    """
    blind_task = race.task(task)
    if blind_task.order_blind is None:
        return ()
    with threads(1):
        sets = [
            _by_length(race, task, OrderBlindAnswers(blind_task), TEST_SEED + LONGEST * count)
            for count in range(BLIND_SETS)
        ]
    return tuple(round(sum(shares) / BLIND_SETS, 4) for shares in zip(*sets, strict=True))


class OrderBlindAnswers(nn.Module):
    """The answers of ``task.order_blind``, as logits."""

    def __init__(self, task: Task) -> None:
        super().__init__()
        self.task = task

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits [B, L, n_answers] for tokens [B, L]."""
        assert self.task.order_blind is not None
        return one_hot(self.task.order_blind(tokens), self.task.n_answers)


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
        device=race.device,
        progress=False,
        keep_going=keep_going,
    )


def _thinned(loss: list[float]) -> tuple[float, ...]:
    """Return the means of ``LOSSES_KEPT`` equal parts of ``loss``, or every loss if there are fewer."""
    ends = [round(len(loss) * i / LOSSES_KEPT) for i in range(LOSSES_KEPT + 1)]
    stretches = [loss[a:b] for a, b in itertools.pairwise(ends) if a < b]
    return tuple(round(sum(stretch) / len(stretch), 4) for stretch in stretches)
