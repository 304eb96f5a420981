"""Operations along axes: sums, extremes, sorting."""

import builtins
import math
from typing import Any, NamedTuple

import numpy as np

from ._operations import TORCH, elementwise, operation
from ._places import gather
from ._rules import Pairs, rule, spread
from ._tape import COMPOSED, Made, recorded
from ._tensor import Tensor
from ._types import INT64

Axes = Any  # None for all, a number, or several

COMPOSED.update(("max", "min", "aminmax", "var", "std", "norm", "nanmean", "sort", "topk", "diff"))


class Found(NamedTuple):
    """Values found along an axis, and their places; each operation has a subclass, for its name."""

    values: Tensor
    indices: Tensor

    def __repr__(self) -> str:
        return (
            f"torch.return_types.{type(self).__name__}(\nvalues={self.values!r},\nindices={self.indices!r})"
        )


FOUND = {name: type(name, (Found,), {}) for name in ("max", "min", "sort", "topk", "cummax")}


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


@rule("sum", any_values=True)
def _sum(g: Any, out: Made, x: Tensor, dim: Any = None, keepdim: bool = False, **_: Any) -> Pairs:
    return ((x, spread(g, dim, keepdim, x.array.shape)),)


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


@rule("mean", any_values=True)
def _mean(g: Any, out: Made, x: Tensor, dim: Any = None, keepdim: bool = False, axis: Any = None) -> Pairs:
    dim = axis if dim is None else dim
    count = x.array.size / builtins.max(out.array.size, 1)
    return ((x, spread(g, dim, keepdim, x.array.shape) / count),)


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


@rule("amax", "amin")
def _amax(g: Any, out: Made, x: Tensor, dim: Any = None, keepdim: bool = False) -> Pairs:
    """Divide the gradient among equal extremes."""
    best = x.array == spread(out.array, dim, keepdim, x.array.shape)
    axes = tuple(dim) if isinstance(dim, list) else dim
    return ((x, spread(g, dim, keepdim, x.array.shape) * best / best.sum(axis=axes, keepdims=True)),)


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
    return FOUND[name](*(both if keepdim else (TORCH["squeeze"](part, dim) for part in both)))


@operation
def prod(x: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    return Tensor(x.array.prod(axis=dim, keepdims=keepdim, dtype=_summed(x, dtype)))


@operation
def var(
    x: Tensor, dim: Axes = None, correction: int = 1, keepdim: bool = False, unbiased: Any = None
) -> Tensor:
    correction = correction if unbiased is None else int(unbiased)
    apart = x - mean(x, dim, dim is not None)
    squares: Tensor = sum(apart * apart, dim, keepdim)
    return squares / (x.array.size / builtins.max(squares.array.size, 1) - correction)


@operation
def std(
    x: Tensor, dim: Axes = None, correction: int = 1, keepdim: bool = False, unbiased: Any = None
) -> Tensor:
    return TORCH["sqrt"](var(x, dim, correction, keepdim, unbiased))


def _squares(x: Tensor, dim: Axes, keepdim: bool) -> Tensor:
    sizes = np.abs(x.array)
    return Tensor(np.sqrt((sizes * sizes).sum(axis=dim, keepdims=keepdim)))


_length = recorded("length", _squares)


@rule("length")
def _length_back(g: Any, out: Made, x: Tensor, dim: Any, keepdim: bool) -> Pairs:
    """Return 0 for vectors of length 0, as PyTorch does."""
    lengths = spread(out.array, dim, keepdim, x.array.shape)
    share = np.where(lengths == 0, 0, x.array / np.where(lengths == 0, 1, lengths))
    return ((x, spread(g, dim, keepdim, x.array.shape) * share),)


@operation
def norm(x: Tensor, p: float = 2, dim: Axes = None, keepdim: bool = False) -> Tensor:
    if p == 2:
        return _length(x, _axes(dim), keepdim)
    if p == math.inf:
        return amax(TORCH["abs"](x), dim, keepdim)
    return sum(TORCH["abs"](x) ** p, dim, keepdim) ** (1 / p)


@operation
def nanmean(x: Tensor, dim: Axes = None, keepdim: bool = False) -> Tensor:
    numbers = Tensor(~np.isnan(x.array))
    zero = Tensor(np.zeros((), x.array.dtype))
    return sum(TORCH["where"](numbers, x, zero), dim, keepdim) / sum(numbers, dim, keepdim)


@operation
def unique(
    x: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: Any = None
) -> Any:
    values, inverse, counts = np.unique(x.array, return_inverse=True, return_counts=True, axis=dim)
    results = [Tensor(values)]
    results += [_indices(inverse.reshape(x.array.shape if dim is None else -1))] if return_inverse else []
    results += [_indices(counts)] if return_counts else []
    return results[0] if len(results) == 1 else tuple(results)


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


@rule("cumsum", any_values=True)
def _cumsum(g: Any, out: Made, x: Tensor, dim: int, **_: Any) -> Pairs:
    return ((x, np.flip(np.cumsum(np.flip(g, dim), axis=dim), dim)),)


@operation
def cummax(x: Tensor, dim: int) -> Found:
    largest = np.maximum.accumulate(x.array, axis=dim)
    at = np.arange(x.array.shape[dim]).reshape([-1 if axis == dim % x.ndim else 1 for axis in range(x.ndim)])
    return FOUND["cummax"](
        Tensor(largest), _indices(np.maximum.accumulate(np.where(x.array == largest, at, 0), axis=dim))
    )


@operation
def diff(x: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    whole = TORCH["cat"]([item for item in (prepend, x, append) if item is not None], dim)
    outer = (slice(None),) * (dim % whole.ndim)
    for _ in range(n):
        later, earlier = whole[(*outer, slice(1, None))], whole[(*outer, slice(None, -1))]
        whole = later != earlier if whole.array.dtype.kind == "b" else later - earlier
    return whole


@operation
def nonzero(x: Tensor) -> Tensor:
    return _indices(np.argwhere(x.array))


@operation
def topk(x: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Found:
    if not 0 <= k <= x.array.shape[dim]:
        raise RuntimeError("selected index k out of range")
    order = Tensor(np.take(argsort(x, dim, largest).array, np.arange(k), axis=dim))
    return FOUND["topk"](gather(x, dim, order), order)
