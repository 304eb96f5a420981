"""Compare ways to give layers positions: all rotary, none at all, a hybrid with windows, and two controls.

In the hybrid, three of four layers rotate and see a window; the fourth sees all and has no positions, as in
Cohere 2 or EXAONE 4. It differs from all rotary in two things, and each control has one of them: in
"windowed" every layer rotates, and in "last_free" no layer has a window. All models are trained at one length
and tested at one, two and four times that length.

The command ``python -m posenc_lessons.experiments.hybrid`` does this with five seeds in about a quarter of an
hour and keeps the results with machine and date.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import NamedTuple

import torch

from posenc_lessons.experiments.machine import machine, threads
from posenc_lessons.experiments.race.one_run import TEST_SEED, by_length, order_blind, rounded
from posenc_lessons.experiments.recordings import make_record, read_record, write_record
from posenc_lessons.experiments.tasks.copying import copy_back, what_followed
from posenc_lessons.experiments.tasks.looking_up import look_up
from posenc_lessons.experiments.tasks.task import Task
from posenc_lessons.experiments.training import History, train
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models.settings import LayerEncodings, LayerWindows
from posenc_lessons.models.transformer import DecoderOnly

RECORDED = Path(__file__).with_name("recorded") / "hybrid.json"
COMMAND = "python -m posenc_lessons.experiments.hybrid"
CHECKED_STEPS = 20  # the mean loss of so many first steps of each run is kept, to repeat them

# The answers: the token three back; the one after this token's last occurrence; a value given far back.
TASKS: dict[str, Callable[[], Task]] = {
    "copy_back": lambda: copy_back(3),
    "what_followed": what_followed,
    "look_up": look_up,
}
KINDS = ("rotary", "none", "hybrid", "windowed", "last_free")


@dataclass(frozen=True)
class Sizes:
    """Sizes: one run takes about ten seconds on one core."""

    trained: int = 32
    test_lengths: tuple[int, ...] = (32, 64, 128)
    d_model: int = 32
    n_heads: int = 2
    n_layers: int = 4
    window: int = 8
    steps: int = 400
    batch_size: int = 32
    learning_rate: float = 5e-3
    test_sequences: int = 256

    def layers(self, kind: str) -> tuple[LayerEncodings, LayerWindows]:
        """Return the encoding and the window of the layers of one of ``KINDS``.

        Raises:
            ValueError: another kind.
        """
        if kind not in KINDS:
            raise BilingualValueError(
                f"kind 必须是 {'、'.join(KINDS)} 之一，收到 {kind!r}",
                f"kind must be one of {', '.join(KINDS)}; got {kind!r}",
            )
        if kind in ("rotary", "none"):
            return kind, None

        last = [(layer + 1) % 4 == 0 for layer in range(self.n_layers)]
        return (
            ["none" if free and kind != "windowed" else "rotary" for free in last],
            [None if free or kind == "last_free" else self.window for free in last],
        )


class Entry(NamedTuple):
    """A model of this kind, trained on this task from this seed."""

    task: str
    kind: str
    seed: int


@dataclass(frozen=True)
class Run:
    """A trained model and its ``accuracy`` at each test length: the share of right answers, 0 to 1.

    Only the last quarter of a sequence counts. ``first_loss`` is the mean loss of the first
    ``CHECKED_STEPS`` steps.
    """

    task: str
    kind: str
    seed: int
    accuracy: tuple[float, ...]
    first_loss: float

    @property
    def entry(self) -> Entry:
        return Entry(self.task, self.kind, self.seed)


def new_model(entry: Entry, sizes: Sizes | None = None) -> DecoderOnly:
    """Return the untrained model of a run, without changing the caller's random numbers."""
    sizes, task = sizes or Sizes(), TASKS[entry.task]()
    encoding, window = sizes.layers(entry.kind)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(entry.seed)
        return DecoderOnly(
            max(task.vocab_size, task.n_answers),
            sizes.d_model,
            sizes.n_heads,
            sizes.n_layers,
            encoding,
            n_answers=task.n_answers,
            window=window,
        )


def trained(
    entry: Entry,
    sizes: Sizes | None = None,
    *,
    progress: bool = True,
    keep_going: Callable[[History], bool] | None = None,
) -> tuple[DecoderOnly, History]:
    """Train the model of a run on sequences of ``sizes.trained`` tokens, on one thread as in the record."""
    sizes, model = sizes or Sizes(), new_model(entry, sizes)
    with threads(1):
        history = train(
            model,
            TASKS[entry.task](),
            steps=sizes.steps,
            batch_size=sizes.batch_size,
            length=sizes.trained,
            learning_rate=sizes.learning_rate,
            seed=entry.seed,
            progress=progress,
            keep_going=keep_going,
        )
    return model, history


def run_one(entry: Entry, sizes: Sizes | None = None, *, progress: bool = True) -> Run:
    """Train one model and test it at every length, on the same sequences as all other models.

    Raises:
        KeyboardInterrupt: the training was stopped.
    """
    sizes = sizes or Sizes()
    model, history = trained(entry, sizes, progress=progress)
    if history.interrupted:
        raise KeyboardInterrupt
    with threads(1):
        shares = by_length(model, TASKS[entry.task](), sizes.test_lengths, sizes.test_sequences, TEST_SEED)
    first = history.loss[:CHECKED_STEPS]
    return Run(*entry, accuracy=rounded(shares), first_loss=round(sum(first) / len(first), 4))


def without_order(task: str, sizes: Sizes | None = None) -> tuple[float, ...]:
    """Return the best accuracy at each test length with earlier steps known, but not their order."""
    sizes = sizes or Sizes()
    return order_blind(TASKS[task](), sizes.test_lengths, sizes.test_sequences, apart=10_000)


@dataclass(frozen=True)
class Record:
    """Runs, with the date and the machine.

    ``chance`` {task: share} is the accuracy of guessing, ``order_blind`` {task: a share for each test length}
    that of ``without_order``.
    """

    date: str
    machine: Mapping[str, str]
    sizes: Sizes
    seeds: tuple[int, ...]
    chance: Mapping[str, float]
    order_blind: Mapping[str, tuple[float, ...]]
    runs: tuple[Run, ...]

    def accuracies(self, task: str, kind: str) -> list[tuple[float, ...]]:
        """Return the accuracies of all seeds, each by test length."""
        return [run.accuracy for run in self.runs if (run.task, run.kind) == (task, kind)]


def record(seeds: Sequence[int], path: Path = RECORDED, sizes: Sizes | None = None) -> Record:
    """Make all runs, and keep them in ``path``."""
    sizes = sizes or Sizes()
    entries = [Entry(task, kind, seed) for task in TASKS for kind in KINDS for seed in seeds]
    whole = Record(
        date.today().isoformat(),
        machine(),
        sizes,
        tuple(seeds),
        {name: make().chance for name, make in TASKS.items()},
        {name: without_order(name, sizes) for name in TASKS},
        tuple(run_one(entry, sizes) for entry in entries),
    )
    write_record(path, whole)
    return whole


def recorded(path: Path = RECORDED) -> Record:
    """Read the runs that come with the course; ValueError if the file does not hold such runs."""
    return read_record(path, Record, COMMAND)


def table(whole: Record) -> str:
    """Return a table: mean accuracy at each test length, and in brackets the worst and the best seed's."""
    lines = [f"{'':30}" + "".join(f"{length:>20}" for length in whole.sizes.test_lengths)]
    for task in whole.chance:
        for kind in KINDS:
            columns = list(zip(*whole.accuracies(task, kind), strict=True))
            cells = (f"{sum(c) / len(c):.2f} ({min(c):.2f} – {max(c):.2f})" for c in columns)
            lines.append(f"{task:15}{kind:15}" + "".join(f"{cell:>20}" for cell in cells))
        blind = "".join(f"{share:>20.2f}" for share in whole.order_blind[task])
        lines.append(f"{task:15}{'order_blind':15}{blind}   guessing {whole.chance[task]:.2f}")
    return "\n".join(lines)


def main() -> None:
    print(table(make_record(COMMAND, __doc__, RECORDED, record)))


if __name__ == "__main__":
    main()
