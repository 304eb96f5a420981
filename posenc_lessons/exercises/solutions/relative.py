"""Reference solutions of lesson 04's exercises. Plain functions, in the words of the lesson."""

import math

import torch
from torch import Tensor


def table_rows(query_positions: Tensor, key_positions: Tensor, k: int) -> Tensor:
    """Return the row of a table [2k+1, d] that each query and key take: int64 [L_q, L_k], from 0 to 2k."""
    relative = key_positions[None, :] - query_positions[:, None]
    return relative.clamp(-k, k) + k


def shaw_scores(
    query: Tensor, key: Tensor, table: Tensor, query_positions: Tensor, key_positions: Tensor
) -> Tensor:
    """Return q_m · (k_n + a_{n−m}) / √d for query [..., L_q, d], key [..., L_k, d], table [2k+1, d]."""
    content = query @ key.transpose(-2, -1)
    rows = table_rows(query_positions, key_positions, len(table) // 2)
    position = (query @ table.T).gather(-1, rows.expand(content.shape))
    return (content + position) / math.sqrt(query.shape[-1])


def bucket(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    """Return T5's bucket in one direction, int64: ``steps`` = 0, 1, 2, … back, int64 of any shape."""
    exact = n_buckets // 2
    along = (steps.clamp(min=1).double() / exact).log() / math.log(max_distance / exact)  # from 0 to 1
    wide = exact + (along * (n_buckets - exact) + 1e-9).floor().long()  # 5.999999999 is meant to be 6
    return torch.where(steps < exact, steps, wide.clamp(max=n_buckets - 1))
