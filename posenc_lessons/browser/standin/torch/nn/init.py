"""Starting values of parameters."""

from __future__ import annotations

import math

from .._tensor import Tensor
from ..random import normal_ as _normal
from ..random import uniform_ as _uniform


def xavier_uniform_(tensor: Tensor) -> Tensor:
    """Evenly within ± √(6 / (rows + columns)), for a matrix."""
    bound = math.sqrt(6 / sum(tensor.shape))
    return _uniform(tensor, -bound, bound)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0) -> Tensor:
    return _normal(tensor, mean, std)
