"""Derivatives of elementwise operations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .._operations import array_of
from .._tape import Made
from .._tensor import Tensor
from .rules import Pairs, rule


@rule("add", any_values=True)
def _add(g: Any, out: Made, x: Any, y: Any, **_: Any) -> Pairs:
    return (x, g), (y, g)


@rule("sub", any_values=True)
def _sub(g: Any, out: Made, x: Any, y: Any, **_: Any) -> Pairs:
    return (x, g), (y, lambda: -g)


@rule("mul")
def _mul(g: Any, out: Made, x: Any, y: Any, **_: Any) -> Pairs:
    return (x, lambda: g * np.conj(array_of(y))), (y, lambda: g * np.conj(array_of(x)))


@rule("div")
def _div(g: Any, out: Made, x: Any, y: Any, **_: Any) -> Pairs:
    below = np.conj(array_of(y))
    return (x, lambda: g / below), (y, lambda: -g * np.conj(out.array) / below)


@rule("pow")
def _pow(g: Any, out: Made, x: Any, y: Any, **_: Any) -> Pairs:
    base, power = array_of(x), array_of(y)
    slope = power * np.power(base, np.subtract(power, 1), dtype=g.dtype)
    yield x, np.where(np.equal(power, 0), 0, g * np.conj(slope))
    if isinstance(y, Tensor) and y.requires_grad:
        yield (
            y,
            g
            * np.conj(out.array)
            * np.where(np.equal(base, 0), 0, np.log(np.where(np.equal(base, 0), 1, base))),
        )


@rule("remainder")
def _remainder(g: Any, out: Made, x: Any, y: Any, **_: Any) -> Pairs:
    return (x, g), (y, lambda: -g * np.floor(np.divide(array_of(x), array_of(y))))


@rule("maximum", "minimum")
def _larger(g: Any, out: Made, x: Any, y: Any, **_: Any) -> Pairs:
    """Divide the gradient among equal numbers."""
    mine, theirs = np.equal(array_of(x), out.array), np.equal(array_of(y), out.array)
    both = 0.5 * (mine & theirs)
    return (x, g * (mine - both)), (y, g * (theirs - both))


def _unary(name: str, derivative: Callable[[np.ndarray, np.ndarray], Any]) -> None:
    @rule(name)
    def _of(g: Any, out: Made, x: Tensor, **_: Any) -> Pairs:
        return ((x, g * derivative(x.array, out.array)),)


for _name, _derivative in {
    "sin": lambda x, y: np.cos(x),
    "cos": lambda x, y: -np.sin(x),
    "tan": lambda x, y: 1 + y * y,
    "tanh": lambda x, y: 1 - y * y,
    "exp": lambda x, y: y,
    "expm1": lambda x, y: y + 1,
    "log": lambda x, y: 1 / x,
    "log2": lambda x, y: 1 / (x * math.log(2)),
    "log10": lambda x, y: 1 / (x * math.log(10)),
    "log1p": lambda x, y: 1 / (x + 1),
    "sqrt": lambda x, y: 0.5 / y,
    "rsqrt": lambda x, y: -0.5 * y**3,
    "reciprocal": lambda x, y: -y * y,
    "sigmoid": lambda x, y: y * (1 - y),
    "abs": lambda x, y: np.sign(x),
    "neg": lambda x, y: -1,
    "relu": lambda x, y: y > 0,
    "frac": lambda x, y: 1,
    "acos": lambda x, y: -1 / np.sqrt(1 - x * x),
    "deg2rad": lambda x, y: math.pi / 180,
    "rad2deg": lambda x, y: 180 / math.pi,
    "erf": lambda x, y: 2 / math.sqrt(math.pi) * np.exp(-x * x),
    "asin": lambda x, y: 1 / np.sqrt(1 - x * x),
    "atan": lambda x, y: 1 / (1 + x * x),
    **dict.fromkeys(("floor", "ceil", "round", "trunc", "sign"), lambda x, y: 0),
}.items():
    _unary(_name, _derivative)


@rule("logaddexp")
def _logaddexp(g: Any, out: Made, x: Any, y: Any, **_: Any) -> Pairs:
    return (x, g * np.exp(array_of(x) - out.array)), (y, g * np.exp(array_of(y) - out.array))


@rule("atan2")
def _atan2(g: Any, out: Made, y: Any, x: Any, **_: Any) -> Pairs:
    above, right = array_of(y), array_of(x)
    squared = above * above + right * right
    return (y, g * right / squared), (x, -g * above / squared)


@rule("clamp")
def _clamp(g: Any, out: Made, x: Tensor, min: Any = None, max: Any = None) -> Pairs:
    low = -np.inf if min is None else array_of(min)
    high = np.inf if max is None else array_of(max)
    yield x, g * ((x.array >= low) & (x.array <= high))
    yield min, lambda: g * (x.array < low)
    yield max, lambda: g * (x.array > high)


@rule("masked_fill")
def _masked_fill(g: Any, out: Made, x: Tensor, mask: Tensor, value: Any) -> Pairs:
    return (x, lambda: np.where(mask.array, 0, g)), (value, lambda: np.where(mask.array, g, 0))


@rule("where")
def _where(g: Any, out: Made, condition: Tensor, x: Any, y: Any) -> Pairs:
    return (x, lambda: np.where(condition.array, g, 0)), (y, lambda: np.where(condition.array, 0, g))


@rule("nan_to_num")
def _nan_to_num(g: Any, out: Made, x: Tensor, **_: Any) -> Pairs:
    return ((x, g * np.isfinite(x.array)),)


@rule("softmax")
def _softmax(g: Any, out: Made, x: Tensor, dim: int, dtype: Any = None) -> Pairs:
    inner = (g * out.array).sum(axis=dim, keepdims=True)
    return ((x, (g - inner) * out.array),)


@rule("clone", "contiguous", any_values=True)
def _same(g: Any, out: Made, x: Tensor, **_: Any) -> Pairs:
    return ((x, g),)


@rule("to", any_values=True)
def _to(g: Any, out: Made, x: Tensor, kind: Any) -> Pairs:
    return ((x, g),)


@rule("part", any_values=True)
def _part(g: Any, out: Made, x: Tensor, part: str) -> Pairs:
    return ((x, g if part == "real" else 1j * g),)


@rule("conj", any_values=True)
def _conj(g: Any, out: Made, x: Tensor) -> Pairs:
    return ((x, np.conj(g)),)


@rule("view_as_real", any_values=True)
def _view_as_real(g: Any, out: Made, x: Tensor) -> Pairs:
    return ((x, g[..., 0] + 1j * g[..., 1]),)


@rule("view_as_complex", any_values=True)
def _view_as_complex(g: Any, out: Made, x: Tensor) -> Pairs:
    return ((x, np.stack([g.real, g.imag], axis=-1)),)


@rule("complex", any_values=True)
def _complex(g: Any, out: Made, real: Tensor, imag: Tensor) -> Pairs:
    return (real, g.real), (imag, g.imag)
