"""Gradients held to a length."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .._tensor import Tensor


def clip_grad_norm_(parameters: Iterable[Any], max_norm: float) -> Tensor:
    """Scale all gradients by one factor to a total norm of at most ``max_norm``; return the norm before."""
    listed = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    grads = [each.grad.array for each in listed if each.grad is not None]
    total = np.sqrt(sum(((each * each).sum() for each in grads), np.float32(0)))
    share = min(1.0, max_norm / (float(total) + 1e-6))
    for each in grads:
        each *= each.dtype.type(share)
    return Tensor(total)
