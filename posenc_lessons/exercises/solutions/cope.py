"""Reference solutions of lesson 06's exercises. Plain functions, in the words of the lesson."""

import math

import torch
from torch import Tensor


def positions(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    """Return p [..., Lq, Lk] for ``scores`` of that shape; ``mask`` [Lq, Lk]: True may be seen."""
    gates = scores.masked_fill(~mask, -math.inf).sigmoid()  # hidden keys: σ(−∞) = 0
    counts = gates.flip(-1).cumsum(dim=-1).flip(-1)
    return counts.clamp(max=max_position).masked_fill(~mask, 0)


def nth_back(is_noun: Tensor, back: int, n_rows: int) -> tuple[Tensor, Tensor]:
    """Return q·k [L] and z [n_rows] with which the last token attends to the ``back``-th noun back."""
    products = torch.where(is_noun, 20.0, -20.0)  # σ(20) ≈ 1, σ(−20) ≈ 0: p counts nouns
    z = torch.zeros(n_rows)
    z[back] = 100.0
    return products, z


def table_for(query: Tensor, wanted: Tensor) -> Tensor:
    """Return a table [N, d] with query · table[r] = wanted[r], for ``query`` [d] and ``wanted`` [N]."""
    return wanted[:, None] * query / (query @ query)
