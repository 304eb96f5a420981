"""A small Transformer with CoPE that counts the increments since the last reset, and what its gates do."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from posenc_lessons.encodings import PositionEncoding
from posenc_lessons.encodings.cope import CoPE
from posenc_lessons.experiments.tasks.counting import count_since_reset
from posenc_lessons.experiments.tasks.task import Task
from posenc_lessons.experiments.trained.store import train_as_usual
from posenc_lessons.models.masks import causal_mask
from posenc_lessons.models.transformer import DecoderOnly

if TYPE_CHECKING:
    from posenc_lessons.experiments.training import History

N_LAYERS, N_HEADS, D_MODEL = 2, 2, 32
D_HEAD = D_MODEL // N_HEADS
LARGEST = 9  # a higher count is answered with this
LENGTH = 48  # of the sequences in training
# Rows of CoPE's table, far fewer than LENGTH: training then uses every row, also the last one, which all
# higher counts share, so longer sequences bring nothing new.
N_POSITIONS = 16
# A low learning rate: at a higher one, a change in the last digit of some number leads to other gates.
SETTINGS = {
    "steps": 1500,
    "batch_size": 32,
    "length": LENGTH,
    "learning_rate": 3e-3,
}  # half a minute on one core


def counting_task() -> Task:
    """Return the task that the counter is trained on."""
    return count_since_reset(LARGEST)


def new_counter(encoding: str | PositionEncoding | None = None, seed: int = 0) -> DecoderOnly:
    """Return the counter before training: the same ``seed``, the same weights.

    ``encoding`` None means CoPE with ``N_POSITIONS`` rows. For comparison it can be any other encoding with
    d_head = ``D_HEAD``, or a name.
    """
    door = CoPE(D_HEAD, N_POSITIONS) if encoding is None else encoding
    task = counting_task()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return DecoderOnly(
            task.vocab_size, D_MODEL, N_HEADS, N_LAYERS, door, max_len=LENGTH, n_answers=task.n_answers
        )


def train_counter(model: DecoderOnly, seed: int = 0, **settings: Any) -> History:
    """Train ``model`` in place; ``settings`` override ``SETTINGS``."""
    return train_as_usual(model, counting_task(), SETTINGS, seed=seed, **settings)


@torch.no_grad()
def gate_logits(model: DecoderOnly, tokens: Tensor) -> Tensor:
    """Return the scores q·k/√d_head of every head for ``tokens`` [L]: [n_layers, n_heads, L, L], −inf ahead.

    If the model has CoPE (with ``divide_gates``, the default), their sigmoid is the gates, and
    ``cope_positions`` of them are the counts.
    """
    outputs: list[Tensor] = []
    watched = [part for attention in model.attentions for part in (attention.w_query, attention.w_key)]
    hooks = [
        part.register_forward_hook(lambda _module, _inputs, output: outputs.append(output))
        for part in watched
    ]
    try:
        model(tokens[None])
    finally:
        for hook in hooks:
            hook.remove()
    # [2·n_layers, n_heads, L, d_head]
    heads = torch.cat(outputs).unflatten(-1, (model.attentions[0].n_heads, -1)).transpose(1, 2)
    query, key = heads[0::2], heads[1::2]
    logits = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return logits.masked_fill(~causal_mask(len(tokens), tokens.device), -math.inf)
