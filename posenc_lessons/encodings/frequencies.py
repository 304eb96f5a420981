"""How fast each pair of features turns in rotary embedding."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import base_above_one, even_width


def rotary_frequencies(rotary_dim: int, base: float = 10000.0) -> Tensor:
    """θ_i = base^(−2i/rotary_dim), radians per position: float64 [rotary_dim/2] on the CPU, fastest first."""
    rotary_dim, base = even_width(rotary_dim, "rotary_dim"), base_above_one(base)
    return base ** (-torch.arange(0, rotary_dim, 2, dtype=torch.float64, device="cpu") / rotary_dim)
