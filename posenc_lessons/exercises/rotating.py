"""Frequencies and rotations from which exercises of several lessons make their mistakes."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import Exercise
from posenc_lessons.language import Text


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


def name_wrong_bases(exercise: Exercise) -> None:
    """Name the mistakes in frequencies that are those of another base, the solution's last argument."""

    def name(message: Text, other: Callable[[float], float]) -> None:
        exercise.mistake(message)(lambda *given: exercise.solution(*given[:-1], other(given[-1])))

    name(recurring.HALF_EXPONENT, math.sqrt)
    name(recurring.RATE_WITHOUT_MINUS, lambda base: 1 / base)
    name(recurring.BASE_FIXED, lambda base: 10000.0)
