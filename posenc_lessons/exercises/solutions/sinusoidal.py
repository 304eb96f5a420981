"""Reference solutions to the exercises of lesson 02, each written to be read."""

import math

import torch
from torch import Tensor


def sinusoidal_table(positions: Tensor, d_model: int, base: float) -> Tensor:
    """Return a row per position, [n, d_model] in float32: sine in even columns, cosine in odd ones."""
    two_i = torch.arange(0, d_model, 2, dtype=torch.float64)
    angles = torch.outer(positions.to(torch.float64), base ** (-two_i / d_model))
    table = torch.empty(len(positions), d_model)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()
    return table


def apart(offsets: Tensor, d_model: int, base: float) -> Tensor:
    """Return ‖PE(p+k) − PE(p)‖ for each offset k, [n]; it is the same at every position p."""
    two_i = torch.arange(0, d_model, 2, dtype=torch.float64)
    angles = torch.outer(offsets.to(torch.float64), base ** (-two_i / d_model))
    similarity = angles.cos().sum(dim=1)  # PE(p)·PE(p+k)
    return (d_model - 2 * similarity).sqrt()  # |a − b|² = |a|² + |b|² − 2 a·b, and |a|² = d_model/2


def head_that_looks(offset: int, d_model: int, base: float) -> Tensor:
    """Return W = M_kᵀ [d_model, d_model]: PE(m)ᵀ W PE(n) is largest at n = m + ``offset``."""
    matrix = torch.zeros(d_model, d_model, dtype=torch.float64)
    for two_i in range(0, d_model, 2):
        angle = offset * base ** (-two_i / d_model)
        cos, sin = math.cos(angle), math.sin(angle)
        pair = slice(two_i, two_i + 2)
        matrix[pair, pair] = torch.tensor([[cos, -sin], [sin, cos]], dtype=torch.float64)
    return matrix
