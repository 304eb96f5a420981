"""Register derivatives: from the gradient of an operation's result to the gradients of its arguments.

A rule gets the gradient and the result of the operation, then the operation's arguments. It yields pairs
(argument, gradient). A gradient may have the shape of the result; the tape adds up the axes that broadcasting
repeated. It may also be a function, which is called only if this gradient is needed. A rule stands below its
operation.
"""

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ._operations import function, method, operation
from ._tape import ANY_VALUES, RULES, Made, Rule
from ._tensor import Tensor

Pairs = Iterable[tuple[Any, Any]]
Compute = Callable[..., Any]


def rule(*names: str, any_values: bool = False) -> Callable[[Rule], Rule]:
    """Register the derivative of operations; ``any_values``: it does not read their arguments' numbers."""

    def register(derivative: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, derivative))
        if any_values:
            ANY_VALUES.update(names)
        return derivative

    return register


def rearranging(name: str, compute: Compute, back: Compute | None = None, only: str = "") -> None:
    """Make an operation that rearranges numbers: ``compute`` and ``back`` work on NumPy arrays.

    ``back`` gets the gradient of the result and the array of the argument. Operations of training have one
    of their own, because ``_to_places``, which is right for all, is slow. ``only``: "method" or "function".
    """
    back = back or functools.partial(_to_places, compute)

    def result(x: Tensor, *args: Any, **named: Any) -> Tensor:
        return Tensor(compute(x.array, *args, **named))

    def derivative(g: np.ndarray, out: Made, x: Tensor, *args: Any, **named: Any) -> Pairs:
        return ((x, back(g, x.array, *args, **named)),)

    result.__name__ = name
    {"": operation, "method": method, "function": function}[only](result)
    rule(name, any_values=True)(derivative)


def _to_places(compute: Compute, g: np.ndarray, x: np.ndarray, *args: Any, **named: Any) -> np.ndarray:
    """Add up the numbers of ``g`` at the places in ``x`` from which ``compute`` took its result."""
    places = compute(np.arange(1, x.size + 1).reshape(x.shape), *args, **named)  # 0: it is from nowhere
    sums = np.zeros(x.size + 1, g.dtype)
    np.add.at(sums, places.ravel(), g.ravel())
    return sums[1:].reshape(x.shape)


def spread(g: np.ndarray, dim: Any, keepdim: bool, shape: tuple[int, ...]) -> np.ndarray:
    """Broadcast ``g`` to ``shape`` along the axes ``dim`` that a sum removed."""
    if dim is None:
        return np.broadcast_to(g, shape)
    if not keepdim:
        axes = dim if isinstance(dim, (tuple, list)) else (dim,)
        g = np.expand_dims(g, tuple(axis % len(shape) for axis in axes)) if len(shape) else g
    return np.broadcast_to(g, shape)
