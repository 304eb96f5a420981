"""Starting values of parameters."""

from __future__ import annotations

import math

from .._elementwise import fill_
from .._tensor import Tensor
from ..random import normal_ as _normal
from ..random import uniform_ as _uniform


def xavier_uniform_(tensor: Tensor, gain: float = 1.0) -> Tensor:
    """Evenly within ± gain · √(6 / (rows + columns)), for a matrix."""
    rows, columns = tensor.shape
    bound = gain * math.sqrt(6 / (rows + columns))
    return _uniform(tensor, -bound, bound)


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0) -> Tensor:
    return _uniform(tensor, a, b)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0) -> Tensor:
    return _normal(tensor, mean, std)


def zeros_(tensor: Tensor) -> Tensor:
    return fill_(tensor, 0)


def ones_(tensor: Tensor) -> Tensor:
    return fill_(tensor, 1)
