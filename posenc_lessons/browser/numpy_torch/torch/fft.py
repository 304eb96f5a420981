"""Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._tape import recorded
from ._tensor import Tensor
from ._types import lacking


def _rfft(input: Tensor, n: int | None = None, dim: int = -1) -> Tensor:
    """Sum over positions of x · exp(−2πi·k·p/n), for k = 0 … n // 2."""
    array = np.moveaxis(input.array, dim, -1)
    length = array.shape[-1] if n is None else n
    array = array[..., :length]
    turns = np.outer(np.arange(array.shape[-1]), np.arange(length // 2 + 1)) % length / length
    match = array.astype(np.float64) @ np.exp(-2j * np.pi * turns)
    kind = np.complex128 if input.array.dtype == np.float64 else np.complex64
    return Tensor(np.moveaxis(match, -1, dim).astype(kind))


rfft = recorded("fft.rfft", _rfft)


def __getattr__(name: str) -> Any:
    raise AttributeError(lacking(f"torch.fft.{name}"))
