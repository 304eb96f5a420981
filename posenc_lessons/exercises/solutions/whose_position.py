"""Reference solutions of lesson 09's exercises. Plain functions, in the words of the lesson."""

import torch
from torch import Tensor


def harmless(vectors: Tensor, real: Tensor) -> Tensor:
    """Return which of ``vectors`` [N, L] give real tokens the distances of 0, 1, 2, …: bool [N].

    ``real`` [L] is False at padding, which nobody sees.
    """
    steps = vectors[:, real].diff(dim=1)  # [N, n_real − 1]
    return (steps == 1).all(dim=1)


def go_on(real: Tensor, steps: int) -> Tensor:
    """Return the positions [B, steps] of the next tokens of each row after a prompt ``real`` [B, L]."""
    count = real.sum(dim=1, keepdim=True)  # [B, 1]
    return count + torch.arange(steps)


def pack_mask(positions: Tensor) -> Tensor:
    """Return who may look at whom in a packed row, bool [L, L]; positions [L] begin at 0 in each document."""
    document = (positions == 0).cumsum(dim=0)  # [L]: each 0 begins another
    same = document[:, None] == document[None, :]
    return same.tril()  # and nothing later


def turn_further(positions: Tensor, first: int, latest: int) -> Tensor:
    """Return by how many positions to rotate each kept key when those kept are counted again from 0.

    Kept are the ``first`` and the ``latest`` of the keys at ``positions`` [n]: [first + latest].
    """
    remaining = torch.cat([positions[:first], positions[len(positions) - latest :]])
    return torch.arange(len(remaining)) - remaining
