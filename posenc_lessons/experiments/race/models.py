"""The model of a run: with its encoding, or a variant of it, and with the positions that this asks for."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from posenc_lessons.encodings import PositionEncoding
from posenc_lessons.experiments.race.settings import Race
from posenc_lessons.experiments.race.variants import variant_named
from posenc_lessons.models.transformer import DecoderOnly


class RandomPositions(nn.Module):
    """``model`` with its tokens numbered at random: L whole numbers below ``limit``, rising, all different.

    Drawn anew for each batch, in training and in use, so that numbers and distances met beyond the trained
    length were met in training too. What they no longer say is how many tokens lie between two.

    Source: Ruoss et al. 2023, "Randomized Positional Encodings Boost Length Generalization of Transformers",
    §3 (arXiv:2305.16843).
    """

    def __init__(self, model: DecoderOnly, limit: int) -> None:
        super().__init__()
        self.model, self.limit = model, limit

    def forward(self, tokens: Tensor) -> Tensor:
        """tokens [B, L] → logits [B, L, n_answers]."""
        drawn = torch.randperm(self.limit)[: tokens.shape[1]].sort().values
        return self.model(tokens, positions=drawn.to(tokens.device))


def model_of(race: Race, task: str, encoding: str) -> nn.Module:
    """A fresh model for that task of ``race``, with one of ``RACE_ENCODINGS``."""
    variant, asked = variant_named(encoding), race.task(task)
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
        for attention in model.attentions:
            attention.encoding = variant.sized(race)
    if variant.last_layer_free:
        model.attentions[-1].encoding = PositionEncoding()
    return RandomPositions(model, limit) if variant.random_positions else model


def training_shape(race: Race, encoding: str) -> tuple[int, int]:
    """How many sequences a training step of ``race`` has, and how long they are."""
    if not variant_named(encoding).trained_at_longest:
        return race.batch_size, race.train_length
    longest = race.test_lengths[-1]
    return max(race.batch_size * race.train_length // longest, 1), longest
