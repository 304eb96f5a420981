"""Derivatives of operations that read from places or write into them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._indexing import index_of
from .._reductions import places_in, sums_at
from .._tape import Made
from .._tensor import Tensor
from .rules import Pairs, rule


@rule("getitem", any_values=True)
def _getitem(g: Any, out: Made, x: Tensor, index: Any) -> Pairs:
    own = index_of(index)
    if not _may_repeat(own):
        made = np.zeros_like(x.array)
        made[own] = g
        return ((x, made),)
    places = np.arange(x.array.size, dtype=np.intp).reshape(x.array.shape)[own]
    return ((x, sums_at(x.array, places, g)),)


def _may_repeat(index: Any) -> bool:
    """Return whether a NumPy index may name a place twice, as a list of whole numbers may."""
    listed = index if isinstance(index, tuple) else (index,)
    several = (each for each in listed if not (each is None or each is ... or isinstance(each, (int, slice))))
    return any(np.asarray(each).dtype.kind != "b" for each in several)


@rule("setitem", any_values=True)
def _setitem(g: Any, out: Made, before: Tensor, index: Any, given: Any) -> Pairs:
    rest = g.copy()
    rest[index_of(index)] = 0
    return (before, rest), (given, g[index_of(index)])


@rule("gather")
def _gather(g: Any, out: Made, x: Tensor, dim: int, index: Tensor) -> Pairs:
    return ((x, sums_at(x.array, places_in(x, dim, index), g)),)


@rule("scatter")
def _scatter(g: Any, out: Made, x: Tensor, dim: int, index: Tensor, src: Any) -> Pairs:
    kept = g.copy()
    kept[places_in(x, dim, index)] = 0
    yield x, kept
    if isinstance(src, Tensor):
        yield src, _of_source(g[places_in(x, dim, index)], src)


@rule("scatter_add")
def _scatter_add(g: Any, out: Made, x: Tensor, dim: int, index: Tensor, src: Tensor) -> Pairs:
    return (x, g), (src, _of_source(g[places_in(x, dim, index)], src))


def _of_source(part: np.ndarray, source: Tensor) -> np.ndarray:
    """Return ``part``, the gradient of the written numbers, in the shape of the larger ``source``."""
    made = np.zeros_like(source.array)
    made[tuple(slice(n) for n in part.shape)] = part
    return made


@rule("index_select")
def _index_select(g: Any, out: Made, x: Tensor, dim: int, index: Tensor) -> Pairs:
    made = np.zeros_like(x.array)
    np.add.at(np.moveaxis(made, dim, 0), index.array, np.moveaxis(g, dim, 0))
    return ((x, made),)


@rule("index_add")
def _index_add(
    g: Any, out: Made, x: Tensor, dim: int, index: Tensor, source: Tensor, alpha: Any = 1
) -> Pairs:
    return (x, g), (source, alpha * np.take(g, index.array, axis=dim))


@rule("diagonal")
def _diagonal(g: Any, out: Made, x: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Pairs:
    made = np.zeros_like(x.array)
    places = np.diagonal(np.arange(made.size).reshape(made.shape), offset, dim1, dim2)
    made.flat[places] = g
    return ((x, made),)


@rule("index_put")
def _index_put(g: Any, out: Made, x: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Pairs:
    places = tuple(each.array for each in indices)
    kept = g.copy()
    if not accumulate:
        kept[places] = 0
    return (x, kept), (values, g[places])


@rule("diagonal_scatter")
def _diagonal_scatter(
    g: Any, out: Made, x: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Pairs:
    kept = g.copy()
    places = np.diagonal(np.arange(g.size).reshape(g.shape), offset, dim1, dim2)
    kept.flat[places.ravel()] = 0
    return (x, kept), (src, np.diagonal(g, offset, dim1, dim2))


@rule("masked_select", any_values=True)
def _masked_select(g: Any, out: Made, x: Tensor, mask: Tensor) -> Pairs:
    made = np.zeros(np.broadcast_shapes(x.array.shape, mask.array.shape), g.dtype)
    made[np.broadcast_to(mask.array, made.shape)] = g
    return ((x, made),)


@rule("diag", any_values=True)
def _diag(g: Any, out: Made, input: Tensor, diagonal: int = 0) -> Pairs:
    made = np.diag(g, diagonal)
    if input.array.ndim == 2:
        made = np.zeros_like(input.array)
        np.add.at(made.reshape(-1), np.diagonal(np.arange(made.size).reshape(made.shape), diagonal), g)
    return ((input, made),)
