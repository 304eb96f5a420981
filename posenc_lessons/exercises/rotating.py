"""Frequencies and rotations from which exercises of several lessons make their mistakes."""

import torch
from torch import Tensor


def frequencies(d: int, base: float) -> Tensor:
    """Return θ_i = base^(−2i/d), float64 [d/2]."""
    return base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)


def interleaved(first: Tensor, second: Tensor) -> Tensor:
    """Return first and second features [..., d/2] in turn, [..., d]."""
    return torch.stack([first, second], dim=-1).flatten(-2)


def rotated_in_halves(x: Tensor, angles: Tensor) -> Tensor:
    """Rotate the pairs (i, i + d/2) of x [..., L, d] anticlockwise by angles [..., L, d/2]."""
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


def rotated_interleaved(x: Tensor, angles: Tensor) -> Tensor:
    """Rotate the pairs (2i, 2i + 1) in the same way."""
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return interleaved(a * cos - b * sin, a * sin + b * cos)
