"""Reference solutions of lesson 05's exercises. Plain functions, in the words of the lesson."""

import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor, base: float) -> Tensor:
    """Rotate the pairs (x_i, x_i+d/2) of x [B, H, L, d] by positions [B, L] times θ_i; the shape of x."""
    d = x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angles = positions.double()[:, None, :, None] * theta  # [B, 1, L, d/2]: all heads of a sentence alike
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


def rotary_score(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
    """Return qᵀ R_distance k, one number, for query and key [d], distance = n − m, interleaved pairs."""
    d = len(key)
    angles = distance * base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    cos, sin = angles.cos().to(key.dtype), angles.sin().to(key.dtype)
    a, b = key[0::2], key[1::2]
    return query @ torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten()


def to_half_split(weight: Tensor, n_heads: int) -> Tensor:
    """Reorder the rows of a query or key weight [n_heads · d_head, d_model], interleaved to half-split."""
    heads = weight.unflatten(0, (n_heads, -1))  # [H, d_head, d_model]
    return torch.cat([heads[:, 0::2], heads[:, 1::2]], dim=1).flatten(0, 1)
