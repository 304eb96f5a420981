"""One run of a race: a model is made, trained and tested."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import TypeAlias

import torch
from torch import nn

from posenc_lessons.experiments.machine import threads
from posenc_lessons.experiments.race.models import model_of, training_shape
from posenc_lessons.experiments.race.results import Run
from posenc_lessons.experiments.race.settings import Entry, Race
from posenc_lessons.experiments.training import History, accuracy, train

LOSSES_KEPT = 40
TEST_SEED = 1_000_003  # far from the seeds of the training, so that no test sequence was trained on


# Called with a run, how many of its steps are done and, where it was tested then, its accuracy by length.
OnStep: TypeAlias = Callable[[Entry, int, "tuple[float, ...] | None"], object]


def run_one(
    race: Race, entry: Entry, on_step: OnStep = lambda entry, done, accuracy: None, test_every: int = 0
) -> Run:
    """Train one model and test it at every length; on one thread, so that the sums are always the same.

    ``test_every``: test it before the first step too, and after each so many; 0: after the last alone.
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
    """The untrained model of a run; the caller's random numbers stay as they were."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(entry.seed)
        return model_of(race, entry.task, entry.encoding)


def tested(race: Race, task: str, model: nn.Module) -> tuple[float, ...]:
    """The accuracy at each test length, on sequences that are the same for every model."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(TEST_SEED)  # for the models that draw positions
        shares = [
            accuracy(
                model,
                race.task(task),
                length,
                from_position=race.counted_from(length),
                batch_size=race.test_sequences,
                seed=TEST_SEED + length,
            )
            for length in race.test_lengths
        ]
    return tuple(round(share, 4) for share in shares)


def train_model(race: Race, entry: Entry, model: nn.Module, keep_going: Callable[[History], bool]) -> History:
    """``train`` as the race has it."""
    batch_size, length = training_shape(race, entry.encoding)
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
    """The mean of each of ``LOSSES_KEPT`` stretches, or of every step when there are not as many."""
    ends = [round(len(loss) * i / LOSSES_KEPT) for i in range(LOSSES_KEPT + 1)]
    stretches = [loss[a:b] for a, b in itertools.pairwise(ends) if a < b]
    return tuple(round(sum(stretch) / len(stretch), 4) for stretch in stretches)
