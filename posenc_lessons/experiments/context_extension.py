"""Tune a small model on several times its trained length, with and without a repair of its encoding.

The command ``python -m posenc_lessons.experiments.context_extension`` repeats it with several seeds and keeps
the results with machine and date. Lesson 08 shows them beside the reader's own run.
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import cast

import torch
from torch import Tensor, nn

from posenc_lessons.encodings import ContextExtension, ExtensionMethod, RotaryEncoding
from posenc_lessons.experiments.machine import machine, threads
from posenc_lessons.experiments.recordings import RECORDED, make_record, read_record
from posenc_lessons.experiments.tasks.copying import copy_back, what_followed
from posenc_lessons.experiments.tasks.task import Task, last_quarter
from posenc_lessons.experiments.training import accuracy, train
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models.transformer import DecoderOnly

WAYS = ("none", "linear", "ntk", "yarn")  # "none": frequencies unchanged
OTHERS = {"sinusoidal": ("none", "squeezed"), "alibi": ("none",)}  # their ways
TASKS: dict[str, Callable[[], Task]] = {"what_followed": what_followed, "copy_back": lambda: copy_back(12)}

Outcomes = dict[str, list["Outcome"]]  # {way: one outcome for each seed}


@dataclass(frozen=True)
class Sizes:
    """Sizes: trained on ``trained`` tokens, tuned on ``factor`` times as many; about 20 s on one core."""

    trained: int = 32
    factor: int = 4
    d_model: int = 64
    n_heads: int = 4
    n_layers: int = 2
    steps: int = 300
    batch_size: int = 64
    learning_rate: float = 3e-3
    tune_steps: int = 40
    tune_batch_size: int = 16
    tune_learning_rate: float = 1e-3

    @property
    def longer(self) -> int:
        return self.factor * self.trained


USUAL = Sizes()


@dataclass(frozen=True)
class Outcome:
    """Shares of right answers, 0 to 1, of one way at one seed.

    ``before`` and ``after`` the tuning are measured on long sequences, ``short_before`` and ``short_after``
    on sequences of the trained length; in all four only the last quarter counts.
    """

    before: float
    after: float
    short_before: float
    short_after: float


class Squeezed(nn.Module):
    """``model`` with every position divided by ``factor``; it needs an encoding for fractional positions."""

    def __init__(self, model: nn.Module, factor: float) -> None:
        super().__init__()
        self.model, self.factor = model, factor

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits [B, L, n_answers] for tokens [B, L]."""
        positions = torch.arange(tokens.shape[1], device=tokens.device) / self.factor  # [L]
        return self.model(tokens, positions=positions)


def set_extension(model: nn.Module, extension: ContextExtension | None) -> None:
    """Give every rotary encoding in ``model`` this extension; None removes any extension.

    Raises:
        ValueError: ``model`` has no rotary encoding.
    """
    turning = [part for part in model.modules() if isinstance(part, RotaryEncoding)]
    if not turning:
        raise BilingualValueError(
            f"{type(model).__name__} 里没有 RotaryEncoding，没有可以延长的东西",
            f"{type(model).__name__} has no RotaryEncoding to extend",
        )
    for encoding in turning:
        encoding.extension = extension


def trained_short(
    task: Task,
    seed: int = 0,
    sizes: Sizes = USUAL,
    *,
    encoding: str = "rotary",
    progress: bool = True,
) -> DecoderOnly:
    """Return a model of these ``sizes`` and this ``encoding``, trained on sequences of ``sizes.trained``."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = DecoderOnly(
            task.vocab_size, sizes.d_model, sizes.n_heads, sizes.n_layers, encoding, n_answers=task.n_answers
        )
    train(
        model,
        replace(task, name=f"{task.name}, L = {sizes.trained}"),
        steps=sizes.steps,
        batch_size=sizes.batch_size,
        length=sizes.trained,
        learning_rate=sizes.learning_rate,
        seed=seed,
        progress=progress,
    )
    return model


def lengthened(
    model: nn.Module,
    task: Task,
    way: str,
    seed: int = 0,
    sizes: Sizes = USUAL,
    *,
    progress: bool = True,
) -> Outcome:
    """Extend a copy of ``model`` in one ``way``, and measure it before and after tuning on long sequences.

    ``way`` is "none" to change nothing, "squeezed" to divide all positions by the factor, or a method of
    ``ContextExtension`` for a rotary model.
    """
    model = copy.deepcopy(model)
    if way == "squeezed":
        model = Squeezed(model, sizes.factor)
    elif way != "none":
        method = cast(ExtensionMethod, way)  # ContextExtension refuses any other word
        set_extension(model, ContextExtension(method, sizes.factor, sizes.trained))

    def measured() -> tuple[float, float]:
        long, short = (
            accuracy(model, task, length, from_position=last_quarter(length), batch_size=512)
            for length in (sizes.longer, sizes.trained)
        )
        return long, short

    long_untuned, short_untuned = measured()
    train(
        model,
        replace(task, name=f"{way}, L = {sizes.longer}"),
        steps=sizes.tune_steps,
        batch_size=sizes.tune_batch_size,
        length=sizes.longer,
        learning_rate=sizes.tune_learning_rate,
        seed=seed,
        progress=progress,
    )
    long_tuned, short_tuned = measured()
    return Outcome(long_untuned, long_tuned, short_untuned, short_tuned)


@dataclass(frozen=True)
class Record:
    """Comparisons, with the date and the machine.

    ``tasks`` {task: {way: an outcome for each seed}} are of RoPE; ``others`` {"encoding way": an outcome for
    each seed} are of other encodings on ``what_followed``.
    """

    date: str
    machine: Mapping[str, str]
    seeds: tuple[int, ...]
    sizes: Sizes
    tasks: Mapping[str, Outcomes]
    others: Outcomes


def compared(seeds: Sequence[int], sizes: Sizes = USUAL) -> Record:
    """Compare on all of ``TASKS``; at a seed all ways start from the same trained model."""

    def outcomes_of(task: Task, encoding: str, ways: Sequence[str]) -> Outcomes:
        models = {seed: trained_short(task, seed, sizes, encoding=encoding) for seed in seeds}
        return {
            way: [lengthened(model, task, way, seed, sizes) for seed, model in models.items()] for way in ways
        }

    tasks = {name: outcomes_of(make(), "rotary", WAYS) for name, make in TASKS.items()}
    others = {
        f"{encoding} {way}": outcomes
        for encoding, ways in OTHERS.items()
        for way, outcomes in outcomes_of(what_followed(), encoding, ways).items()
    }
    return Record(date.today().isoformat(), machine(), tuple(seeds), sizes, tasks, others)


def recorded() -> Record:
    """Return the comparisons that come with the course."""
    return read_record(RECORDED / "context_extension.json", Record)


if __name__ == "__main__":
    with threads(1):
        make_record("context_extension.json", __doc__, compared)
