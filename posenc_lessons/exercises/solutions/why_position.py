"""Reference solutions of lesson 01's exercises. Plain functions, in the words of the lesson."""

import itertools
import math
from collections.abc import Callable

import torch
from torch import Tensor


def attention_weights(query: Tensor, key: Tensor) -> Tensor:
    """Return softmax(q kᵀ / √d_k), [..., L_q, L_k], of query [..., L_q, d_k] and key [..., L_k, d_k]."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return scores.softmax(dim=-1)


def is_equivariant(layer: Callable[[Tensor], Tensor], x: Tensor) -> bool:
    """Return whether layer(x[order]) equals layer(x)[order] for every order of the rows of x [L, d]."""
    y = layer(x)
    orders = [list(order) for order in itertools.permutations(range(len(x)))]
    return all(torch.allclose(layer(x[order]), y[order], atol=1e-5) for order in orders)


def read_positions(bos_share: Tensor) -> Tensor:
    """Return the position m (int64, from 0) for each share 1/(m+1) of the first token; −1 for 0."""
    positions = (1 / bos_share).round() - 1  # inf where the share is 0
    return torch.where(bos_share > 0, positions, -1.0).long()
