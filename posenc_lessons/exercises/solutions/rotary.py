"""Reference solutions of lesson 05's exercises. Plain functions, in the words of the lesson."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor, base: float) -> Tensor:
    """Turn the pairs (x_i, x_i+d/2) of x [..., L, d] by positions [L] times θ_i; the shape of x."""
    d = x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angles = positions.double()[:, None] * theta  # [L, d/2]
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


def rotary_score(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
    """qᵀ R_distance k for query and key [d], distance = n − m: one number, interleaved pairs."""
    d = len(key)
    angles = distance * base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    cos, sin = angles.cos().to(key.dtype), angles.sin().to(key.dtype)
    a, b = key[0::2], key[1::2]
    return query @ torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten()


def partial_rotate(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    """Turn the first d_head · fraction features of x [..., L, d_head], made even, in neighbours."""
    width = int(x.shape[-1] * fraction) // 2 * 2
    theta = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    angles = positions.double()[:, None] * theta  # [L, width/2]
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b, rest = x[..., 0:width:2], x[..., 1:width:2], x[..., width:]
    turned = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)
    return torch.cat([turned, rest], dim=-1)


def to_half_split(weight: Tensor, n_heads: int) -> Tensor:
    """A query or key weight [n_heads · d_head, d_model] of the interleaved kind, rows ordered for halves."""
    heads = weight.unflatten(0, (n_heads, -1))  # [H, d_head, d_model]
    return torch.cat([heads[:, 0::2], heads[:, 1::2]], dim=1).flatten(0, 1)


def attend(
    query: Tensor, key: Tensor, value: Tensor, positions: Tensor, turn: Callable[[Tensor, Tensor], Tensor]
) -> Tensor:
    """Attention with rotated values, turned back: [B, L, H, d_head] each and back, positions [L]."""
    q, k, v = (turn(x.transpose(1, 2), positions) for x in (query, key, value))  # [B, H, L, d_head]
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(dim=-1)
    return turn(weights @ v, -positions).transpose(1, 2)


def tables(
    store: dict[object, tuple[Tensor, Tensor]], length: int, d: int, base: float, dtype: torch.dtype
) -> tuple[Tensor, Tensor]:
    """Cosine and sine [length, d/2] of positions 0 … length−1, kept in ``store`` from call to call."""
    key = (d, base, dtype)
    if key not in store or len(store[key][0]) < length:
        theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
        angles = torch.outer(torch.arange(length, dtype=torch.float64), theta)
        store[key] = (angles.cos().to(dtype), angles.sin().to(dtype))
    cos, sin = store[key]
    return cos[:length], sin[:length]
