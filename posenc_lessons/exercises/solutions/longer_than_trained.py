"""Reference solutions of lesson 08's exercises. Plain functions, in the words of the lesson."""

import math

import torch
from torch import Tensor


def squeeze(positions: Tensor, trained: int, length: int) -> Tensor:
    """Squeeze positions [n] of a text of ``length`` tokens into 0 … trained; float64 [n]."""
    factor = max(length / trained, 1)
    return positions.double() / factor


def reach(theta: Tensor, stretched: Tensor, trained: int) -> float:
    """Return up to how many positions no pair meets a new angle; infinity where none ever does.

    Pairs rotated by ``theta`` [n] a step over ``trained`` positions, and rotate by ``stretched`` [n] now.
    """
    seen = trained * theta
    lengths = seen / stretched
    lengths[seen >= 2 * math.pi] = math.inf
    return lengths.min().item()


def beyond(right: Tensor, counted: Tensor) -> Tensor:
    """Return mean, least and largest over seeds of the accuracy in the last quarter: [3].

    ``right`` [S, B, L] says which answers of each seed are right, ``counted`` [B, L] which count at all.
    """
    length, counts = counted.shape[1], counted.clone()
    counts[:, : length - length // 4] = False
    shares = right[:, counts].double().mean(dim=1)  # [S]
    return torch.stack([shares.mean(), shares.min(), shares.max()])
