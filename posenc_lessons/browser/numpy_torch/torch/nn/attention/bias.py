"""Causal masks for fewer queries than keys."""

import numpy as np

from ..._tensor import Tensor


def causal_lower_right(*size: int) -> Tensor:
    """Return the mask of ``size`` (queries, keys) in which the last query sees every key."""
    queries, keys = size
    return Tensor(np.tri(queries, keys, keys - queries, dtype=bool))
