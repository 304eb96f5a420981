"""The model of a run, with its encoding or a variant, and the sequences that it is trained on."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from posenc_lessons.encodings import PositionEncoding
from posenc_lessons.experiments.race.settings import Race
from posenc_lessons.experiments.race.variants import Measures, variant_named
from posenc_lessons.experiments.tasks.task import Task
from posenc_lessons.models.transformer import DecoderOnly


class RandomPositions(nn.Module):
    """``model`` with random positions: L different whole numbers below ``limit``, in rising order.

    Each batch draws new ones, in training and in tests, so that training has already met the positions and
    distances of longer sequences. The positions no longer say how many tokens lie between two.

    Source: Ruoss et al. 2023, "Randomized Positional Encodings Boost Length Generalization of Transformers",
    §3 (arXiv:2305.16843).
    """

    def __init__(self, model: DecoderOnly, limit: int) -> None:
        super().__init__()
        self.model, self.limit = model, limit

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits [B, L, n_answers] for tokens [B, L]."""
        drawn = torch.randperm(self.limit)[: tokens.shape[1]].sort().values
        return self.model(tokens, positions=drawn.to(tokens.device))


class OrderBlind(nn.Module):
    """A model that knows which steps of ``task`` came before, but cannot know in which order.

    It has one layer and no encoding: attention is a sum over earlier tokens, and a sum has no order. (A
    second layer could learn the order from the causal mask.) The tokens of one step are read as one symbol.
    """

    def __init__(self, task: Task, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.step, self.symbols = task.step, max(task.vocab_size, task.n_answers) + 1
        self.model = DecoderOnly(self.symbols**self.step, d_model, n_heads, n_layers=1)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits [B, L, n_answers] for tokens [B, L]."""
        within = torch.arange(tokens.shape[1], device=tokens.device) % self.step
        symbols = tokens
        for back in range(1, self.step):  # the tokens of the same step so far, as digits of one number
            digit = (tokens.roll(back, dims=1) + 1) * self.symbols**back
            symbols = torch.where(within >= back, symbols + digit, symbols)
        return self.model(symbols)


def model_of(race: Race, task: str, encoding: str) -> nn.Module:
    """Return a new model for ``task`` of ``race``, with ``encoding``, one of ``RACE_ENCODINGS``."""
    variant, asked = variant_named(encoding), race.task(task)
    if variant.order_blind:
        return OrderBlind(asked, race.d_model, race.n_heads)
    longest = race.test_lengths[-1]
    limit = 2 * longest if variant.random_positions else longest
    model = DecoderOnly(
        max(asked.vocab_size, asked.n_answers),
        race.d_model,
        race.n_heads,
        race.n_layers,
        encoding=variant.of,
        max_len=limit,
    )
    if variant.sized is not None:
        measures = Measures(race.n_heads, race.d_model // race.n_heads, race.train_length, longest)
        for attention in model.attentions:
            attention.encoding = variant.sized(measures)
    if variant.last_layer_free:
        model.attentions[-1].encoding = PositionEncoding()
    return RandomPositions(model, limit) if variant.random_positions else model


def training_shape(race: Race, task: str, encoding: str) -> tuple[int, int]:
    """Return how many sequences a training step has, and how long they are.

    A control has longer sequences, but fewer, so that about as many answers count as for the others.
    """
    if not variant_named(encoding).trained_at_longest:
        return race.batch_size, race.train_length
    longest = race.test_lengths[-1]
    here, there = (_answers(race.task(task), length) for length in (race.train_length, longest))
    return max(math.ceil(race.batch_size * here / there), 1), longest


def _answers(task: Task, length: int) -> float:
    """Return how many positions of a sequence count, the mean of 256 sequences."""
    counted = task.batch(256, length, torch.Generator().manual_seed(0))[2]
    return counted.sum().item() / len(counted)
