"""Make, train and test the models of a race."""

import math
from collections.abc import Callable
from datetime import date

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot
from tqdm.auto import tqdm

from posenc_lessons.encodings import CoPE
from posenc_lessons.experiments.comparison import CONTROL, SHORT_COPE, Entry, Race, Results, Run
from posenc_lessons.experiments.machine import machine, threads
from posenc_lessons.experiments.tasks.task import Task, last_quarter
from posenc_lessons.experiments.training import History, accuracy, train
from posenc_lessons.models.settings import LayerEncodings, LayerWindows
from posenc_lessons.models.transformer import DecoderOnly

COPE_ROWS = 12  # of the short CoPE: as many as lesson 06 leaves of its table
COURSE_ENCODING = {SHORT_COPE: "cope", CONTROL: "rotary"}  # of which a variant is one
# Variants whose every fourth layer differs: whether that one has no positions, and whether the others see a
# window only.
FOURTH = {"hybrid": (True, True), "windowed": (False, True), "last_free": (True, False)}
CHECKED_STEPS = 25  # the mean loss of so many first steps of each run is kept, to repeat them
TEST_SEED = 1_000_003  # far from the seeds of training, so that test sequences are new
BLIND_SETS = 8  # so many sets of test sequences are averaged for the accuracy without order


def run_race(race: Race, *, progress: bool = True) -> Results:
    """Make all runs of ``race``, one after the other, and return its results.

    The same race gives the same numbers on the same machine with the same versions.
    """
    blind = {task: order_blind(race, task) for task in race.tasks}
    runs = tuple(run_one(race, entry) for entry in tqdm(race.entries(), disable=not progress, unit="run"))
    return Results(race, date.today().isoformat(), machine(), runs, blind)


def run_one(race: Race, entry: Entry) -> Run:
    """Train one model and test it at every length, on one thread, so that rounding is always the same.

    Raises:
        KeyboardInterrupt: the training was stopped.
    """
    with threads(1):
        model = new_model(race, entry)
        history = train_model(race, entry, model)
        if history.interrupted:
            raise KeyboardInterrupt
        shares = by_length(race, entry.task, model)
    return Run(*entry, accuracy=shares, first_loss=first_loss(history))


def first_loss(history: History) -> float:
    """Return the mean loss of the first ``CHECKED_STEPS`` steps."""
    first = history.loss[:CHECKED_STEPS]
    return sum(first) / len(first)


def new_model(race: Race, entry: Entry) -> DecoderOnly:
    """Return the untrained model of a run, without changing the caller's random numbers.

    Its encoding is one of ``encoding_named``, ``"cope_short"``, ``"control"`` (as rotary, but trained at the
    longest test length) or one of ``FOURTH``.
    """
    task = race.task(entry.task)
    layers, windows = layers_of(race, entry.encoding)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(entry.seed)
        model = DecoderOnly(
            max(task.vocab_size, task.n_answers),
            race.d_model,
            race.n_heads,
            race.n_layers,
            layers,
            max_len=race.test_lengths[-1],
            n_answers=None if race.spare_logits else task.n_answers,
            window=windows,
        )
        if entry.encoding == SHORT_COPE:
            for attention in model.attentions:
                attention.encoding = CoPE(race.d_model // race.n_heads, COPE_ROWS)
    return model


def layers_of(race: Race, encoding: str) -> tuple[LayerEncodings, LayerWindows]:
    """Return the encoding of each layer, or of all, and the window of each."""
    if encoding not in FOURTH:
        return COURSE_ENCODING.get(encoding, encoding), None
    without_positions, windows = FOURTH[encoding]
    fourth = [(layer + 1) % 4 == 0 for layer in range(race.n_layers)]
    window = race.window if windows else None
    return (
        ["none" if is_fourth and without_positions else "rotary" for is_fourth in fourth],
        [None if is_fourth else window for is_fourth in fourth],
    )


def train_model(
    race: Race, entry: Entry, model: nn.Module, keep_going: Callable[[History], bool] | None = None
) -> History:
    """Train ``model`` with the settings of the race."""
    batch_size, length = training_shape(race, entry)
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


def training_shape(race: Race, entry: Entry) -> tuple[int, int]:
    """Return how many sequences a training step has, and how long they are.

    The control has longer sequences, but fewer, so that about as many answers count as for the others.
    """
    if entry.encoding != CONTROL:
        return race.batch_size, race.train_length
    task, longest = race.task(entry.task), race.test_lengths[-1]
    answers_short, answers_long = (_answers(task, length) for length in (race.train_length, longest))
    return max(math.ceil(race.batch_size * answers_short / answers_long), 1), longest


def _answers(task: Task, length: int) -> float:
    """Return how many positions of a sequence count, the mean of 256 sequences."""
    counted = task.batch(256, length, torch.Generator().manual_seed(0))[2]
    return counted.sum().item() / len(counted)


class OrderBlindAnswers(nn.Module):
    """The answers of ``task.order_blind``, as logits."""

    def __init__(self, task: Task) -> None:
        super().__init__()
        self.task = task

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits [B, L, n_answers] for tokens [B, L]."""
        assert self.task.order_blind is not None
        return one_hot(self.task.order_blind(tokens), self.task.n_answers)


def order_blind(race: Race, task: str) -> tuple[float, ...]:
    """Return the accuracy at each test length of the task's ``order_blind``.

    Each is the mean of ``BLIND_SETS`` sets of sequences; models are tested on the first of them.
    """
    blind = OrderBlindAnswers(race.task(task))
    seeds = [TEST_SEED + race.sets_apart * count for count in range(BLIND_SETS)]
    with threads(1):
        sets = [by_length(race, task, blind, seed) for seed in seeds]
    return tuple(sum(shares) / BLIND_SETS for shares in zip(*sets, strict=True))


def by_length(race: Race, task: str, model: nn.Module, seed: int = TEST_SEED) -> tuple[float, ...]:
    """Return the accuracy in the last quarter at each test length, on sequences drawn with ``seed``."""
    return tuple(
        accuracy(
            model,
            race.task(task),
            length,
            from_position=last_quarter(length),
            batch_size=race.test_sequences,
            seed=seed + length,
        )
        for length in race.test_lengths
    )
