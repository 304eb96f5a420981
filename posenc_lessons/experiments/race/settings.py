"""The settings of a race: which encodings learn which tasks, under the same conditions for all."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from posenc_lessons.encodings.arguments import number, whole_number
from posenc_lessons.experiments.race.variants import RACE_ENCODINGS
from posenc_lessons.experiments.tasks.copying import copy_back, selective_copy
from posenc_lessons.experiments.tasks.counting import count_since_reset
from posenc_lessons.experiments.tasks.flip_flops import flip_flop
from posenc_lessons.experiments.tasks.looking_up import look_up
from posenc_lessons.experiments.tasks.task import Task, last_quarter
from posenc_lessons.language import BilingualValueError

# Runs are made in this order, and pictures show them in this order.
RACE_TASKS: dict[str, Callable[[int], Task]] = {
    "copy_back": copy_back,
    "count_since_reset": lambda n_back: count_since_reset(),
    "selective_copy": lambda n_back: selective_copy(),
    "flip_flop": lambda n_back: flip_flop(),
    "look_up": lambda n_back: look_up(),
}
COUNTED = ("new_positions", "last_quarter")
LONGEST = 8192  # tokens of a test: one sequence's scores in one head then take a quarter of a gigabyte
MOST_SEEDS = 100
_WHOLE = ("n_back", "train_length", "steps", "batch_size", "d_model", "n_heads", "n_layers", "test_sequences")
_LISTS = ("tasks", "encodings", "seeds", "test_lengths")


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
        encodings: names from ``RACE_ENCODINGS``: those of the course, and ``VARIANTS`` of them.
        seeds: one run each; a seed decides the starting weights and the batches.
        n_back: how far back ``copy_back`` copies.
        train_length: the length of every training sequence.
        test_lengths: lengths to test at, rising; ``train_length`` is one of them and not the last.
        counted: which answers of a test count. "last_quarter": those in the last quarter of each sequence.
            "new_positions": all at lengths up to ``train_length``; at longer ones, those at positions that no
            training sequence had. (Part of the drop beyond ``train_length`` then comes from the measure.)
        steps, batch_size, learning_rate: settings of the training, see ``train``.
        d_model, n_heads, n_layers: sizes of the model, see ``DecoderOnly``. Its ``max_len`` is the last test
            length, so the learned table has rows for all positions, but those from ``train_length`` on are
            never trained.
        test_sequences: how many new sequences to test on, at each length; the same for every run.
        device: where to compute; this machine must have it when the race is run.

    Raises:
        ValueError: an unknown name, a number out of range, lengths that do not rise past ``train_length``.
    """

    tasks: tuple[str, ...] = tuple(RACE_TASKS)
    encodings: tuple[str, ...] = RACE_ENCODINGS
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    n_back: int = 3
    train_length: int = 32
    test_lengths: tuple[int, ...] = (16, 24, 32, 40, 48, 64, 96, 128)
    counted: str = "last_quarter"
    steps: int = 1000
    batch_size: int = 16
    learning_rate: float = 3e-3
    d_model: int = 64
    n_heads: int = 4
    n_layers: int = 2
    test_sequences: int = 256
    device: str = "cpu"

    def __post_init__(self) -> None:
        for name in _LISTS:
            object.__setattr__(self, name, _list(name, getattr(self, name)))
        for name in _WHOLE:
            whole_number(name, getattr(self, name), 1)
        for name, known in (("tasks", tuple(RACE_TASKS)), ("encodings", RACE_ENCODINGS)):
            _known(name, getattr(self, name), known)
        _known("counted", (self.counted,), COUNTED)
        if len(self.seeds) > MOST_SEEDS:
            raise BilingualValueError(
                f"seeds 最多 {MOST_SEEDS} 个，每个都要从头训练，收到 {len(self.seeds)} 个",
                f"seeds may be {MOST_SEEDS} at most, since each means another training; "
                f"got {len(self.seeds)} of them",
            )
        for seed in self.seeds:
            whole_number("seeds", seed, 0)
        self._check_lengths()
        number("learning_rate", self.learning_rate, above=0)

    def _check_lengths(self) -> None:
        lengths = self.test_lengths
        for length in lengths:
            whole_number("test_lengths", length, 1)
            if length > LONGEST:
                raise BilingualValueError(
                    f"test_lengths 不能超过 {LONGEST}，因为分数占的内存随它的平方增长，收到 {length}",
                    f"test_lengths may not exceed {LONGEST}, scores take its square in memory; got {length}",
                )
        rising = all(a < b for a, b in itertools.pairwise(lengths))
        if not rising or self.train_length not in lengths[:-1]:
            raise BilingualValueError(
                f"test_lengths 必须从小到大，包含 train_length={self.train_length}，并且有比它更长的，"
                f"收到 {list(lengths)}",
                f"test_lengths must rise, contain train_length={self.train_length} and go beyond it; "
                f"got {list(lengths)}",
            )
        for name in self.tasks:  # if the shortest length is long enough for a task, all are
            self.task(name).batch(1, lengths[0])

    def task(self, name: str) -> Task:
        """Return the task of that name."""
        return RACE_TASKS[name](self.n_back)

    def counted_from(self, length: int) -> int:
        """Return the first position whose answer counts in a test of ``length`` tokens."""
        if self.counted == "last_quarter":
            return last_quarter(length)
        return self.train_length if length > self.train_length else 0

    def entries(self) -> list[Entry]:
        """Return all runs, every task and encoding with the first seed, then with the second, and so on."""
        return [Entry(t, e, seed) for seed in self.seeds for t in self.tasks for e in self.encodings]


def _list(name: str, values: Any) -> tuple[Any, ...]:
    if isinstance(values, str) or not isinstance(values, Sequence) or not values:
        raise BilingualValueError(
            f"{name} 必须是至少有一项的列表，收到 {values!r}",
            f"{name} must be a list with at least one entry; got {values!r}",
        )
    if len(set(values)) < len(values):
        raise BilingualValueError(
            f"{name} 里不能有重复的，收到 {list(values)}",
            f"{name} must not name anything twice; got {list(values)}",
        )
    return tuple(values)


def _known(name: str, values: Sequence[str], known: Sequence[str]) -> None:
    unknown = [value for value in values if value not in known]
    if unknown:
        raise BilingualValueError(
            f"{name} 只能从 {', '.join(known)} 里选，收到 {unknown[0]!r}",
            f"{name} must be among {', '.join(known)}; got {unknown[0]!r}",
        )
