"""Derivatives of sums, extremes and lengths along axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tape import Made
from .._tensor import Tensor
from .rules import Pairs, rule, spread


@rule("sum", any_values=True)
def _sum(g: Any, out: Made, x: Tensor, dim: Any = None, keepdim: bool = False, **_: Any) -> Pairs:
    return ((x, spread(g, dim, keepdim, x.array.shape)),)


@rule("mean", any_values=True)
def _mean(g: Any, out: Made, x: Tensor, dim: Any = None, keepdim: bool = False, axis: Any = None) -> Pairs:
    dim = axis if dim is None else dim
    count = x.array.size / max(out.array.size, 1)
    return ((x, spread(g, dim, keepdim, x.array.shape) / count),)


@rule("length")
def _length(g: Any, out: Made, x: Tensor, dim: Any, keepdim: bool) -> Pairs:
    """Return 0 for vectors of length 0, as PyTorch does."""
    lengths = spread(out.array, dim, keepdim, x.array.shape)
    share = np.where(lengths == 0, 0, x.array / np.where(lengths == 0, 1, lengths))
    return ((x, spread(g, dim, keepdim, x.array.shape) * share),)


@rule("amax", "amin")
def _amax(g: Any, out: Made, x: Tensor, dim: Any = None, keepdim: bool = False) -> Pairs:
    """Divide the gradient among equal extremes."""
    best = x.array == spread(out.array, dim, keepdim, x.array.shape)
    axes = tuple(dim) if isinstance(dim, list) else dim
    return ((x, spread(g, dim, keepdim, x.array.shape) * best / best.sum(axis=axes, keepdims=True)),)


@rule("prod")
def _prod(g: Any, out: Made, x: Tensor, dim: Any = None, keepdim: bool = False, **_: Any) -> Pairs:
    """Return the product of all other numbers, which is right also if one of them is 0."""
    array = x.array.reshape(-1) if dim is None else np.moveaxis(x.array, dim, -1)
    ones = np.ones((*array.shape[:-1], 1), array.dtype)
    before = np.cumprod(np.concatenate([ones, array[..., :-1]], axis=-1), axis=-1)
    after = np.flip(np.cumprod(np.concatenate([ones, np.flip(array, -1)[..., :-1]], axis=-1), axis=-1), -1)
    others = before * after
    others = others.reshape(x.array.shape) if dim is None else np.moveaxis(others, -1, dim)
    return ((x, spread(g, dim, keepdim, x.array.shape) * others),)


@rule("cumsum", any_values=True)
def _cumsum(g: Any, out: Made, x: Tensor, dim: int, **_: Any) -> Pairs:
    return ((x, np.flip(np.cumsum(np.flip(g, dim), axis=dim), dim)),)


@rule("diff", any_values=True)
def _diff(
    g: Any, out: Made, x: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None
) -> Pairs:
    for _ in range(n):
        edge = np.zeros_like(np.take(g, [0], axis=dim))
        g = np.concatenate([edge, g], axis=dim) - np.concatenate([g, edge], axis=dim)
    sizes = [0 if each is None else each.array.shape[dim] for each in (prepend, x, append)]
    parts = np.split(g, np.cumsum(sizes)[:-1], axis=dim)
    return zip((prepend, x, append), parts, strict=True)
