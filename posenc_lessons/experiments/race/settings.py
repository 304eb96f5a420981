"""The settings of a race: which encodings learn which tasks, under the same conditions for all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from posenc_lessons.experiments.tasks.copying import copy_back
from posenc_lessons.experiments.tasks.counting import count_since_reset
from posenc_lessons.experiments.tasks.looking_up import look_up
from posenc_lessons.experiments.tasks.task import Task
from posenc_lessons.models.registry import COURSE_ENCODINGS

N_BACK = 3  # how far back ``copy_back`` copies
# Runs are made in this order, and pictures show them in this order.
RACE_TASKS: dict[str, Callable[[], Task]] = {
    "copy_back": lambda: copy_back(N_BACK),
    "count_since_reset": count_since_reset,
    "look_up": look_up,
}
SHORT_COPE = "cope_short"  # CoPE with a table that training reads to its end
CONTROL = "control"  # RoPE trained at the longest test length, with as many answers in a step
RACE_ENCODINGS: tuple[str, ...] = (*COURSE_ENCODINGS, SHORT_COPE, CONTROL)


class Entry(NamedTuple):
    """One run of a race: a model with this encoding, trained on this task from this seed."""

    task: str
    encoding: str
    seed: int


@dataclass(frozen=True)
class Race:
    """The same small causal Transformer for every encoding, trained short and tested long.

    Args:
        tasks: names from ``RACE_TASKS``.
        encodings: names from ``RACE_ENCODINGS``: those of the course, and two variants.
        seeds: one run each; a seed decides the starting weights and the batches.
        train_length: the length of every training sequence.
        test_lengths: lengths to test at, rising; ``train_length`` is one of them and not the last.
        steps, batch_size, learning_rate: settings of the training, see ``train``.
        d_model, n_heads, n_layers: sizes of the model, see ``DecoderOnly``. Its ``max_len`` is the last test
            length, so the learned table has rows for all positions, but those from ``train_length`` on are
            never trained.
        test_sequences: how many new sequences to test on, at each length; the same for every run.
    """

    tasks: tuple[str, ...] = tuple(RACE_TASKS)
    encodings: tuple[str, ...] = RACE_ENCODINGS
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    train_length: int = 32
    test_lengths: tuple[int, ...] = (16, 24, 32, 40, 48, 64, 96, 128)
    steps: int = 1000
    batch_size: int = 16
    learning_rate: float = 3e-3
    d_model: int = 64
    n_heads: int = 4
    n_layers: int = 2
    test_sequences: int = 256

    def task(self, name: str) -> Task:
        """Return the task of that name."""
        return RACE_TASKS[name]()

    def entries(self) -> list[Entry]:
        """Return all runs, every task and encoding with the first seed, then with the second, and so on."""
        return [Entry(t, e, seed) for seed in self.seeds for t in self.tasks for e in self.encodings]
