"""Reference solutions to the exercises of lesson 02, each written to be read."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def frequencies(d_model: int, base: float) -> Tensor:
    """θ_i = base^(−2i/d_model) for i = 0 … d_model/2 − 1, in log space: shape [d_model/2], float64."""
    two_i = torch.arange(0, d_model, 2, dtype=torch.float64)
    return torch.exp(-two_i * math.log(base) / d_model)


def sinusoidal_table(positions: Tensor, d_model: int, base: float) -> Tensor:
    """One row per position, [n, d_model] in float32: sine in the even columns, cosine in the odd ones."""
    angles = torch.outer(positions.to(torch.float64), frequencies(d_model, base))
    table = torch.empty(len(positions), d_model)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()
    return table


def similarity(offsets: Tensor, d_model: int, base: float) -> Tensor:
    """PE(p)·PE(p+k) for each offset k, [n]: Σ_i cos(kθ_i), whatever the position p."""
    return torch.outer(offsets.to(torch.float64), frequencies(d_model, base)).cos().sum(dim=1)


def shift_matrix(offset: int, d_model: int, base: float) -> Tensor:
    """M_k of shape [d_model, d_model], with PE(p+k) = M_k PE(p) for every position p."""
    matrix = torch.zeros(d_model, d_model, dtype=torch.float64)
    for i, theta in enumerate(frequencies(d_model, base).tolist()):
        cos, sin = math.cos(offset * theta), math.sin(offset * theta)
        pair = slice(2 * i, 2 * i + 2)
        matrix[pair, pair] = torch.tensor([[cos, sin], [-sin, cos]], dtype=torch.float64)
    return matrix


def add_positions(x: Tensor, table: Tensor, positions: Tensor) -> Tensor:
    """x [B, L, d_model] plus the row of table [max_len, d_model] at each of ``positions`` [B, L]."""
    return x + table[positions]
