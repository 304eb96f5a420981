"""Reference solutions of the exercises that take the signatures of other courses. Plain functions."""

from __future__ import annotations

import torch
from torch import Tensor


def run_rope(
    d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor
) -> Tensor:
    """Rotate the pairs (2k, 2k+1) of in_query_or_key [..., L, d_k] by token_positions [..., L]; its shape.

    The angles of all positions below max_seq_len are one table; the positions say which rows to take.
    """
    frequencies = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)  # [d_k/2]
    table = torch.outer(torch.arange(max_seq_len, dtype=torch.float64), frequencies)  # [max_seq_len, d_k/2]
    angles = table[token_positions]  # [..., L, d_k/2]
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    a, b = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


def compute_rope_params(
    head_dim: int, theta_base: float = 10_000, context_length: int = 4096, dtype: torch.dtype = torch.float32
) -> tuple[Tensor, Tensor]:
    """Return cosine and sine [context_length, head_dim]; columns k and k + head_dim/2 are of one angle."""
    frequencies = theta_base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
    angles = torch.outer(torch.arange(context_length, dtype=torch.float64), frequencies)
    angles = torch.cat([angles, angles], dim=1)  # [context_length, head_dim]
    return angles.cos().to(dtype), angles.sin().to(dtype)


def apply_rope(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate the pairs (k, k + head_dim/2) of x [batch, heads, L, head_dim]; the type of x stays."""
    first, second = x.chunk(2, dim=-1)
    partner = torch.cat([-second, first], dim=-1)
    length = x.shape[2]
    return (x * cos[:length] + partner * sin[:length]).to(x.dtype)  # [L, head_dim] fits every head
