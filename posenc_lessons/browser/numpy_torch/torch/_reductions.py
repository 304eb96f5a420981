"""Operations along an axis: sums, extremes, sorting, gathering from places and scattering to them."""

from __future__ import annotations

import builtins
import math
from typing import Any, NamedTuple

import numpy as np

from ._errors import check_places
from ._operations import TORCH, array_of, elementwise, operation
from ._tape import recorded
from ._tensor import Tensor
from ._types import INT64

Axes = Any  # None for all, a number, or several


class Found(NamedTuple):
    """Values found along an axis, and their places; each operation has a subclass, for its name."""

    values: Tensor
    indices: Tensor

    def __repr__(self) -> str:
        return (
            f"torch.return_types.{type(self).__name__}(\nvalues={self.values!r},\nindices={self.indices!r})"
        )


FOUND = {name: type(name, (Found,), {}) for name in ("max", "min", "sort", "topk", "median", "cummax")}


class Extremes(NamedTuple):
    min: Tensor
    max: Tensor


def _axes(dim: Axes) -> Axes:
    return tuple(dim) if isinstance(dim, list) else dim


def _indices(array: Any) -> Tensor:
    return Tensor(np.asarray(array, INT64.array))


@operation
def sum(x: Tensor, dim: Axes = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    return Tensor(x.array.sum(axis=_axes(dim), keepdims=keepdim, dtype=_summed(x, dtype)))


def _summed(x: Tensor, dtype: Any) -> Any:
    if dtype is not None:
        return dtype.array
    return INT64.array if x.array.dtype.kind in "bi" else x.array.dtype


@operation
def mean(x: Tensor, dim: Axes = None, keepdim: bool = False, *, axis: Axes = None) -> Tensor:
    dim = axis if dim is None else dim
    if x.array.dtype.kind not in "fc":
        raise RuntimeError(f"mean(): input dtype should be floating or complex; got {x.dtype}")
    return Tensor(x.array.mean(axis=_axes(dim), keepdims=keepdim, dtype=x.array.dtype))


@operation
def all(x: Tensor, dim: Axes = None, keepdim: bool = False) -> Tensor:
    return Tensor(x.array.all(axis=_axes(dim), keepdims=keepdim))


@operation
def any(x: Tensor, dim: Axes = None, keepdim: bool = False) -> Tensor:
    return Tensor(x.array.any(axis=_axes(dim), keepdims=keepdim))


@operation
def amax(x: Tensor, dim: Axes = None, keepdim: bool = False) -> Tensor:
    return Tensor(x.array.max(axis=_axes(dim), keepdims=keepdim))


@operation
def amin(x: Tensor, dim: Axes = None, keepdim: bool = False) -> Tensor:
    return Tensor(x.array.min(axis=_axes(dim), keepdims=keepdim))


@operation
def aminmax(x: Tensor, *, dim: int | None = None, keepdim: bool = False) -> Extremes:
    return Extremes(amin(x, dim, keepdim), amax(x, dim, keepdim))


@operation
def max(x: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    if isinstance(dim, Tensor):
        return TORCH["maximum"](x, dim)
    return amax(x) if dim is None else found_at("max", x, dim, argmax(x, dim, True), keepdim)


@operation
def min(x: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    if isinstance(dim, Tensor):
        return TORCH["minimum"](x, dim)
    return amin(x) if dim is None else found_at("min", x, dim, argmin(x, dim, True), keepdim)


def found_at(name: str, x: Tensor, dim: int, at: Tensor, keepdim: bool) -> Found:
    """Return the numbers at the places ``at`` along an axis, with the places."""
    both = gather(x, dim, at), at
    return FOUND[name](*(both if keepdim else (TORCH["squeeze"](each, dim) for each in both)))


@operation
def prod(x: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    return Tensor(x.array.prod(axis=dim, keepdims=keepdim, dtype=_summed(x, dtype)))


@operation
def var(
    x: Tensor, dim: Axes = None, correction: int = 1, keepdim: bool = False, unbiased: Any = None
) -> Tensor:
    correction = correction if unbiased is None else int(unbiased)
    apart = x - mean(x, dim, dim is not None)
    found: Tensor = sum(apart * apart, dim, keepdim)
    return found / (x.array.size / builtins.max(found.array.size, 1) - correction)


@operation
def std(
    x: Tensor, dim: Axes = None, correction: int = 1, keepdim: bool = False, unbiased: Any = None
) -> Tensor:
    return TORCH["sqrt"](var(x, dim, correction, keepdim, unbiased))


def _squares(x: Tensor, dim: Axes, keepdim: bool) -> Tensor:
    sizes = np.abs(x.array)
    return Tensor(np.sqrt((sizes * sizes).sum(axis=dim, keepdims=keepdim)))


_length = recorded("length", _squares)


@operation
def norm(x: Tensor, p: float = 2, dim: Axes = None, keepdim: bool = False) -> Tensor:
    if p == 2:
        return _length(x, _axes(dim), keepdim)
    if p == math.inf:
        return amax(TORCH["abs"](x), dim, keepdim)
    return sum(TORCH["abs"](x) ** p, dim, keepdim) ** (1 / p)


@operation
def nanmean(x: Tensor, dim: Axes = None, keepdim: bool = False) -> Tensor:
    there = Tensor(~np.isnan(x.array))
    zero = Tensor(np.zeros((), x.array.dtype))
    return sum(TORCH["where"](there, x, zero), dim, keepdim) / sum(there, dim, keepdim)


@operation
def unique(
    x: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: Any = None
) -> Any:
    found = np.unique(x.array, return_inverse=True, return_counts=True, axis=dim)
    values, inverse, counts = found
    shape = x.array.shape if dim is None else inverse.shape
    made = [Tensor(values)]
    made += [_indices(inverse.reshape(shape))] if return_inverse else []
    made += [_indices(counts)] if return_counts else []
    return made[0] if len(made) == 1 else tuple(made)


@operation
def bincount(x: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    counts = np.bincount(x.array.astype(np.intp), None if weights is None else weights.array, minlength)
    return _indices(counts) if weights is None else Tensor(counts)


@operation
def argmax(x: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    return _indices(x.array.argmax(axis=dim, keepdims=keepdim and dim is not None))


@operation
def argmin(x: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    return _indices(x.array.argmin(axis=dim, keepdims=keepdim and dim is not None))


@operation
def argsort(x: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False) -> Tensor:
    """Return the places of the sorted numbers; equal ones always keep their order, as with ``stable``."""
    if not descending:
        return _indices(np.argsort(x.array, axis=dim, kind="stable"))
    backwards = np.argsort(np.flip(x.array, dim), axis=dim, kind="stable")
    return _indices(x.array.shape[dim] - 1 - np.flip(backwards, dim))


@operation
def sort(x: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False) -> Found:
    order = argsort(x, dim, descending)
    return FOUND["sort"](gather(x, dim, order), order)


@elementwise
def cumsum(x: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    return Tensor(np.cumsum(x.array, axis=dim, dtype=_summed(x, dtype)))


@operation
def cummax(x: Tensor, dim: int) -> Found:
    largest = np.maximum.accumulate(x.array, axis=dim)
    at = np.arange(x.array.shape[dim]).reshape([-1 if axis == dim % x.ndim else 1 for axis in range(x.ndim)])
    return FOUND["cummax"](
        Tensor(largest), _indices(np.maximum.accumulate(np.where(x.array == largest, at, 0), axis=dim))
    )


@operation
def diff(x: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    array = np.concatenate([each.array for each in (prepend, x, append) if each is not None], axis=dim)
    for _ in range(n):
        later, earlier = (np.moveaxis(np.moveaxis(array, dim, 0)[cut], 0, dim) for cut in _STEPS)
        array = later ^ earlier if array.dtype.kind == "b" else later - earlier
    return Tensor(array)


_STEPS = (slice(1, None), slice(None, -1))


@operation
def nonzero(x: Tensor) -> Tensor:
    return _indices(np.argwhere(x.array))


def places_in(x: Tensor, dim: int, index: Tensor) -> tuple[np.ndarray, ...]:
    """Return the places in ``x`` of ``index`` along ``dim``; on other axes it may be shorter than ``x``."""
    check_places(x, dim, index)
    size, at = x.array.shape[dim], index.array
    if at.size and (at.min() < 0 or at.max() >= size):
        wrong = at[(at < 0) | (at >= size)].flat[0]
        raise RuntimeError(f"index {wrong} is out of bounds for dimension {dim} with size {size}")
    places = list(np.indices(at.shape, sparse=True))
    places[dim] = at
    return tuple(places)


@operation
def gather(x: Tensor, dim: int, index: Tensor) -> Tensor:
    places = places_in(x, dim, index)
    if x.array.flags.c_contiguous:  # ten times as fast
        return Tensor(x.array.reshape(-1).take(_flat(x.array.shape, places)))
    return Tensor(x.array[places])


@operation
def scatter(x: Tensor, dim: int, index: Tensor, src: Any) -> Tensor:
    made = x.clone()
    source = array_of(src)
    if isinstance(src, Tensor):
        source = source[tuple(slice(n) for n in index.array.shape)]
    made.array[places_in(x, dim, index)] = source
    return made


@elementwise
def scatter_add(x: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    places = places_in(x, dim, index)
    return Tensor(x.array + sums_at(x.array, places, src.array[tuple(slice(n) for n in index.array.shape)]))


def sums_at(like: np.ndarray, places: Any, values: np.ndarray) -> np.ndarray:
    """Return the sums of ``values`` at ``places``, in an array of the shape and type of ``like``.

    ``places`` are flat, or one array of indices per axis. NumPy adds at flat places ten times as fast.
    """
    flat = _flat(like.shape, places) if isinstance(places, tuple) else places
    made = np.zeros(like.size, like.dtype)
    np.add.at(made, np.broadcast_to(flat, values.shape).ravel(), values.ravel())
    return made.reshape(like.shape)


def _flat(shape: tuple[int, ...], places: tuple[np.ndarray, ...]) -> np.ndarray:
    """Return places in an array of ``shape``, one array of indices per axis, as flat places."""
    flat = np.zeros((), np.intp)
    for size, at in zip(shape, places, strict=True):
        flat = flat * size + at
    return flat.astype(np.intp, copy=False)  # 32 bits wide in a page


@elementwise
def index_add(x: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: float = 1) -> Tensor:
    made = x.array.copy()
    np.add.at(np.moveaxis(made, dim, 0), index.array, alpha * np.moveaxis(source.array, dim, 0))
    return Tensor(made)


@operation
def index_select(x: Tensor, dim: int, index: Tensor) -> Tensor:
    if index.array.size and index.array.min() < 0:
        raise IndexError("index out of range in self")
    return Tensor(np.take(x.array, index.array.astype(np.intp), axis=dim))  # 32 bits wide in a page
