"""A fixed penalty per step of distance, ALiBi (Press, Smith & Lewis 2021, "Train Short, Test Long: Attention
with Linear Biases Enables Input Length Extrapolation", §3)."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import check_heads, flag, whole_number
from posenc_lessons.encodings.distances import distance_of_pair, distances_between
from posenc_lessons.encodings.doors import PositionEncoding, ScoreMod
from posenc_lessons.encodings.positions import real_positions


def alibi_slopes(n_heads: int) -> Tensor:
    """How much score each head takes off per step of distance: float64 [n_heads].

    For n_heads a power of two, 2^(−8/n), 2^(−16/n), … down to 2^(−8). For any other number the paper's code
    takes those of the nearest smaller power of two, then every second one of the next larger.
    """
    n_heads = whole_number("n_heads", n_heads, 1)
    smaller = 1 << (n_heads.bit_length() - 1)
    exponents = [8 * (i + 1) / smaller for i in range(smaller)]
    exponents += [8 * (2 * i + 1) / (2 * smaller) for i in range(n_heads - smaller)]
    return torch.tensor([2.0**-exponent for exponent in exponents], dtype=torch.float64, device="cpu")


class ALiBi(PositionEncoding):
    """Door 3: take slope · distance off each score. No parameters, nothing to save, no longest sequence.

    Args:
        n_heads: heads of the attention it is for; each has its own slope, ``alibi_slopes(n_heads)``.
        signed: False: −slope · |n − m|, alike in both directions, as encoders use it. True: slope · (n − m),
            as the paper writes it: under a causal mask the two are one, but without it *later* keys gain,
            the more the further off they are.
    """

    def __init__(self, n_heads: int, signed: bool = False) -> None:
        super().__init__()
        self.n_heads, self.signed = whole_number("n_heads", n_heads, 1), flag("signed", signed)

    @property
    def slopes(self) -> Tensor:
        """``alibi_slopes(n_heads)``: never rounded with the model, for they are not part of its state."""
        return alibi_slopes(self.n_heads)

    def score_bias(
        self,
        query: Tensor,
        key: Tensor,
        query_positions: Tensor,
        key_positions: Tensor,
        scores: Tensor | None,
    ) -> Tensor:
        """The penalty of each head, query and key, float32 at least: [H, Lq, Lk], or [B, H, Lq, Lk]."""
        check_heads(query, self.n_heads)
        distances = distances_between(
            real_positions("query_positions", query_positions), real_positions("key_positions", key_positions)
        )
        slopes = self._slopes_for(query)[:, None, None]  # [H, 1, 1]
        ahead = (distances if self.signed else -distances.abs()).to(slopes.dtype)
        return slopes * ahead[..., None, :, :]

    def score_mod(
        self, query: Tensor, key: Tensor, query_positions: Tensor, key_positions: Tensor
    ) -> ScoreMod:
        """Adds −slope · |n − m|, or slope · (n − m)."""
        check_heads(query, self.n_heads)
        slopes, signed = self._slopes_for(query), self.signed
        ahead = distance_of_pair(query_positions, key_positions, len(query))

        def with_penalty(score: Tensor, b: Tensor, h: Tensor, i: Tensor, j: Tensor) -> Tensor:
            distance = ahead(b, i, j)
            return score + slopes[h] * (distance if signed else -distance.abs())

        return with_penalty

    def _slopes_for(self, query: Tensor) -> Tensor:
        wide = torch.promote_types(query.dtype, torch.float32)
        return self.slopes.to(wide).to(query.device)

    def extra_repr(self) -> str:
        return f"{self.n_heads}, signed={self.signed}"
