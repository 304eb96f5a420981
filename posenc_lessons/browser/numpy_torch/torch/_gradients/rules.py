"""Register derivatives for the tape."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .._tape import ANY_VALUES, RULES, Rule

Pairs = Iterable[tuple[Any, Any]]


def rule(*names: str, any_values: bool = False) -> Callable[[Rule], Rule]:
    """Register the derivative of operations; ``any_values``: it does not read their arguments' numbers."""

    def register(given: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, given))
        if any_values:
            ANY_VALUES.update(names)
        return given

    return register


def spread(g: np.ndarray, dim: Any, keepdim: bool, shape: tuple[int, ...]) -> np.ndarray:
    """Broadcast ``g`` to ``shape`` along the axes ``dim`` that a sum removed."""
    if dim is None:
        return np.broadcast_to(g, shape)
    if not keepdim:
        axes = dim if isinstance(dim, (tuple, list)) else (dim,)
        g = np.expand_dims(g, tuple(axis % len(shape) for axis in axes)) if len(shape) else g
    return np.broadcast_to(g, shape)
