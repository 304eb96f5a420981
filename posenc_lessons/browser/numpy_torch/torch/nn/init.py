"""Starting values of parameters."""

import math

from .. import random as _random
from .._places import fill_ as _fill
from .._tape import paused
from .._tensor import Tensor

_normal, _uniform = paused()(_random.normal_), paused()(_random.uniform_)


def xavier_uniform_(tensor: Tensor) -> Tensor:
    """Draw evenly within ± √(6 / (rows + columns)), for a matrix."""
    bound = math.sqrt(6 / sum(tensor.shape))
    return _uniform(tensor, -bound, bound)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0) -> Tensor:
    return _normal(tensor, mean, std)


def xavier_normal_(tensor: Tensor) -> Tensor:
    return _normal(tensor, 0.0, math.sqrt(2 / sum(tensor.shape)))


def constant_(tensor: Tensor, val: float) -> Tensor:
    with paused():
        return _fill(tensor, val)


def zeros_(tensor: Tensor) -> Tensor:
    return constant_(tensor, 0.0)
