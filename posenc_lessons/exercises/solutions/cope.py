"""Reference solutions of lesson 06's exercises. Plain functions, in the words of the lesson."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def sentences_back(is_end: Tensor) -> Tensor:
    """``is_end`` [L] (bool) → int64 [L, L]: how many ends from key j through query i; 0 for j > i."""
    gates = is_end.long().expand(len(is_end), -1).tril()  # row i: the ends that query i can see
    return gates.flip(-1).cumsum(dim=-1).flip(-1)


def positions(scores: Tensor, mask: Tensor, max_position: float) -> Tensor:
    """p [..., Lq, Lk] from ``scores`` of that shape; ``mask`` (bool) is True where a key may be looked at."""
    gates = scores.masked_fill(~mask, -math.inf).sigmoid()  # hidden keys: σ(−∞) = 0
    counts = gates.flip(-1).cumsum(dim=-1).flip(-1)
    return counts.clamp(max=max_position).masked_fill(~mask, 0)


def interpolate(z: Tensor, p: Tensor) -> Tensor:
    """z [..., L, N] read at the fractional positions p [..., L, L], which lie between 0 and N − 1."""
    below, above = p.floor().long(), p.ceil().long()
    share = p - below
    return share * z.gather(-1, above) + (1 - share) * z.gather(-1, below)


def table_for(query: Tensor, wanted: Tensor) -> Tensor:
    """A table [N, d] with query · table[n] = wanted[n], for ``query`` [d] and ``wanted`` [N]."""
    return wanted[:, None] * query / (query @ query)


def cope_attention(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
    """Causal attention with CoPE, as the released code has it: [..., L, d] ×3, table [N, d] → [..., L, d]."""
    length, d = query.shape[-2:]
    products = query @ key.transpose(-2, -1)
    mask = torch.ones(length, length, dtype=torch.bool).tril()
    p = positions(products / math.sqrt(d), mask, len(table) - 1)
    scores = (products + interpolate(query @ table.T, p)) / math.sqrt(d)  # both terms are divided
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ value


def interpolate_with_slope(z: Tensor, p: Tensor) -> Tensor:
    """As ``interpolate``, but with the gradient z[n+1] − z[n] at a whole p = n < N − 1 too; N ≥ 2."""
    below = p.detach().long().clamp(max=z.shape[-1] - 2)
    start, end = z.gather(-1, below), z.gather(-1, below + 1)
    return start + (p - below) * (end - start)
