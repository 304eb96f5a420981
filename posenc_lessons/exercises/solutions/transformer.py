"""Reference solutions of lesson 07's exercises. Plain functions, in the words of the lesson."""

import math

import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor] | None  # keys and values so far, [B, h, t, d_head] each


def split_heads(fused: Tensor, n_heads: int) -> Tensor:
    """Split [B, L, n_heads · 3 · d_head], head by head q, k, v, into [3, B, n_heads, L, d_head]."""
    by_head = fused.unflatten(-1, (n_heads, 3, -1))  # [B, L, h, 3, d_head]
    return by_head.permute(3, 0, 2, 1, 4)


def causal_padding_mask(real: Tensor) -> Tensor:
    """Return who may look, bool [B, 1, L, L], for ``real`` [B, L], False at padding on either side."""
    length = real.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool, device=real.device).tril()
    itself = torch.eye(length, dtype=torch.bool, device=real.device)
    return (causal & real[:, None, None, :]) | itself


def cached_step(query: Tensor, key: Tensor, value: Tensor, cache: Cache) -> tuple[Tensor, Cache]:
    """Let one new token [B, h, 1, d_head] attend to those before and itself: output, longer cache."""
    if cache is not None:
        key = torch.cat([cache[0], key], dim=2)
        value = torch.cat([cache[1], value], dim=2)
    weights = (query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])).softmax(dim=-1)
    return weights @ value, (key, value)
