"""Reference solutions of lesson 08's exercises. Plain functions, in the words of the lesson."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def squeeze(positions: Tensor, trained: int, length: int) -> Tensor:
    """Positions [n] of a text of ``length`` tokens, squeezed into 0 … trained; float64 [n]."""
    factor = max(length / trained, 1)
    return positions.double() / factor


def larger_base(base: float, d: int, factor: float) -> float:
    """The base at which pair 0 keeps its speed and the last pair turns exactly ``factor`` times slower."""
    return base * factor ** (d / (d - 2))


def unfinished(d: int, base: float, trained: int) -> Tensor:
    """True for the pairs that make less than one turn in ``trained`` positions: bool [d/2]."""
    theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    return trained * theta / (2 * math.pi) < 1


def by_parts(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    """Frequencies [n]: kept by pairs of ``fast`` turns or more, divided by ``factor`` at ``slow`` or less."""
    turns = trained * theta / (2 * math.pi)
    kept = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return kept * theta + (1 - kept) * theta / factor


def beyond(right: Tensor, counted: Tensor, trained: int) -> Tensor:
    """Mean, least and largest over seeds of the accuracy past the training: [3].

    ``right`` [S, B, L] says which answers of each seed are right, ``counted`` [B, L] which count at all.
    """
    counts = counted.clone()
    counts[:, :trained] = False
    shares = right[:, counts].double().mean(dim=1)  # [S]
    return torch.stack([shares.mean(), shares.min(), shares.max()])
