"""The model of a run, with its encoding or a variant, and the sequences that it is trained on."""

from __future__ import annotations

import math

import torch

from posenc_lessons.encodings import CoPE
from posenc_lessons.experiments.race.settings import CONTROL, SHORT_COPE, Race
from posenc_lessons.experiments.tasks.task import Task
from posenc_lessons.models.transformer import DecoderOnly

COPE_ROWS = 12  # as many as lesson 06 leaves of its table
COURSE_ENCODING = {SHORT_COPE: "cope", CONTROL: "rotary"}  # of which a variant is one


def model_of(race: Race, task: str, encoding: str) -> DecoderOnly:
    """Return a new model for ``task`` of ``race``, with ``encoding``, one of ``RACE_ENCODINGS``."""
    chosen = race.task(task)
    model = DecoderOnly(
        max(chosen.vocab_size, chosen.n_answers),
        race.d_model,
        race.n_heads,
        race.n_layers,
        encoding=COURSE_ENCODING.get(encoding, encoding),
        max_len=race.test_lengths[-1],
    )
    if encoding == SHORT_COPE:
        for attention in model.attentions:
            attention.encoding = CoPE(race.d_model // race.n_heads, COPE_ROWS)
    return model


def training_shape(race: Race, task: str, encoding: str) -> tuple[int, int]:
    """Return how many sequences a training step has, and how long they are.

    The control has longer sequences, but fewer, so that about as many answers count as for the others.
    """
    if encoding != CONTROL:
        return race.batch_size, race.train_length
    longest = race.test_lengths[-1]
    answers_short, answers_long = (
        _answers(race.task(task), length) for length in (race.train_length, longest)
    )
    return max(math.ceil(race.batch_size * answers_short / answers_long), 1), longest


def _answers(task: Task, length: int) -> float:
    """Return how many positions of a sequence count, the mean of 256 sequences."""
    counted = task.batch(256, length, torch.Generator().manual_seed(0))[2]
    return counted.sum().item() / len(counted)
