"""The settings of a race between encodings, and its results: who learns which task, and how far it reaches.

The models are trained in ``racing.py``, so that looking at results needs no training.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from posenc_lessons.experiments.tasks.copying import copy_back, what_followed
from posenc_lessons.experiments.tasks.counting import count_since_reset
from posenc_lessons.experiments.tasks.looking_up import look_up
from posenc_lessons.experiments.tasks.task import Task
from posenc_lessons.models.registry import COURSE_ENCODINGS

N_BACK = 3  # how far back ``copy_back`` copies
TASKS: dict[str, Callable[[], Task]] = {
    "copy_back": lambda: copy_back(N_BACK),
    "count_since_reset": count_since_reset,
    "what_followed": what_followed,
    "look_up": look_up,
}
SHORT_COPE = "cope_short"  # CoPE with a table that training reads to its end
CONTROL = "control"  # RoPE trained at the longest test length, with as many answers in a step


class Entry(NamedTuple):
    """One run of a race: a model with this encoding, trained on this task from this seed."""

    task: str
    encoding: str
    seed: int


@dataclass(frozen=True)
class Race:
    """The same small causal Transformer for every encoding, trained short and tested long.

    Args:
        tasks: names from ``TASKS``.
        encodings: names of encodings and variants, see ``racing.new_model``.
        seeds: one run each; a seed decides the starting weights and the batches.
        train_length: the length of every training sequence.
        test_lengths: lengths to test at, rising; ``train_length`` is one of them and not the last.
        steps, batch_size, learning_rate: settings of the training, see ``train``.
        d_model, n_heads, n_layers: sizes of the model, see ``DecoderOnly``. Its ``max_len`` is the last test
            length, so the learned table has rows for all positions, but those from ``train_length`` on are
            never trained.
        window: how many tokens a layer with a window sees, in the variants that have such layers.
        spare_logits: whether a model has a logit for every token, not only for the answers of its task.
        test_sequences: how many new sequences to test on, at each length; the same for every run.
        sets_apart: between the seeds of two sets of test sequences; the length is added to them.
    """

    tasks: tuple[str, ...] = ("copy_back", "count_since_reset", "look_up")
    encodings: tuple[str, ...] = (*COURSE_ENCODINGS, SHORT_COPE, CONTROL)
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    train_length: int = 32
    test_lengths: tuple[int, ...] = (16, 24, 32, 40, 48, 64, 96, 128)
    steps: int = 1000
    batch_size: int = 16
    learning_rate: float = 3e-3
    d_model: int = 64
    n_heads: int = 4
    n_layers: int = 2
    window: int | None = None
    spare_logits: bool = True
    test_sequences: int = 256
    sets_apart: int = 8192

    def task(self, name: str) -> Task:
        """Return the task of that name."""
        return TASKS[name]()

    def entries(self) -> list[Entry]:
        """Return all runs, every task and encoding with the first seed, then with the second, and so on."""
        return [Entry(t, e, seed) for seed in self.seeds for t in self.tasks for e in self.encodings]


@dataclass(frozen=True)
class Run:
    """One trained model. ``accuracy`` (0 to 1) is by the race's test lengths, in their order.

    Only the last quarter of a test sequence counts. ``first_loss`` is the mean training loss, in nats, of the
    first steps.
    """

    task: str
    encoding: str
    seed: int
    accuracy: tuple[float, ...]
    first_loss: float

    @property
    def entry(self) -> Entry:
        """Return which run of the race it is."""
        return Entry(self.task, self.encoding, self.seed)


@dataclass(frozen=True)
class Results:
    """The runs of ``race``, in its order, made on ``date`` (ISO 8601) on ``machine``.

    ``order_blind`` {task: accuracy by test length} is the accuracy of ``Task.order_blind``, without a model.
    """

    race: Race
    date: str
    machine: Mapping[str, str]
    runs: tuple[Run, ...]
    order_blind: Mapping[str, tuple[float, ...]]

    def accuracy(self, task: str, encoding: str) -> list[tuple[float, ...]]:
        """Return the accuracies by test length, a row for each seed."""
        return [run.accuracy for run in self.runs if (run.task, run.encoding) == (task, encoding)]
