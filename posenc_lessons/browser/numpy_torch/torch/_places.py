"""Operations that read numbers from places, write them there, or add them up there."""

from typing import Any

import numpy as np

from ._errors import check_places
from ._operations import TORCH, array_of, elementwise, in_place, into, method, operation
from ._rules import Pairs, rule
from ._tape import COMPOSED, Made, check_writable
from ._tensor import Tensor

COMPOSED.update(("index_add", "index_fill", "index_select"))


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


@rule("gather")
def _gather(g: Any, out: Made, x: Tensor, dim: int, index: Tensor) -> Pairs:
    return ((x, sums_at(x.array, places_in(x, dim, index), g)),)


@operation
def scatter(x: Tensor, dim: int, index: Tensor, src: Any) -> Tensor:
    result = x.array.copy()
    source = array_of(src)
    if isinstance(src, Tensor):
        source = source[tuple(slice(n) for n in index.array.shape)]
    result[places_in(x, dim, index)] = source
    return Tensor(result)


@rule("scatter")
def _scatter(g: Any, out: Made, x: Tensor, dim: int, index: Tensor, src: Any) -> Pairs:
    rest = g.copy()
    rest[places_in(x, dim, index)] = 0
    yield x, rest
    if isinstance(src, Tensor):
        yield src, _of_source(g[places_in(x, dim, index)], src)


def _of_source(part: np.ndarray, source: Tensor) -> np.ndarray:
    """Return ``part``, the gradient of the written numbers, in the shape of the larger ``source``."""
    whole = np.zeros_like(source.array)
    whole[tuple(slice(n) for n in part.shape)] = part
    return whole


@elementwise
def scatter_add(x: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    places = places_in(x, dim, index)
    return Tensor(x.array + sums_at(x.array, places, src.array[tuple(slice(n) for n in index.array.shape)]))


@rule("scatter_add")
def _scatter_add(g: Any, out: Made, x: Tensor, dim: int, index: Tensor, src: Tensor) -> Pairs:
    return (x, g), (src, _of_source(g[places_in(x, dim, index)], src))


def sums_at(like: np.ndarray, places: Any, values: np.ndarray) -> np.ndarray:
    """Return the sums of ``values`` at ``places``, in an array of the shape and type of ``like``.

    ``places`` are flat, or one array of indices per axis. NumPy adds at flat places ten times as fast.
    """
    flat = _flat(like.shape, places) if isinstance(places, tuple) else places
    sums = np.zeros(like.size, like.dtype)
    np.add.at(sums, np.broadcast_to(flat, values.shape).ravel(), values.ravel())
    return sums.reshape(like.shape)


def _flat(shape: tuple[int, ...], places: tuple[np.ndarray, ...]) -> np.ndarray:
    """Return places in an array of ``shape``, one array of indices per axis, as flat places."""
    flat = np.zeros((), np.intp)
    for size, at in zip(shape, places, strict=True):
        flat = flat * size + at
    return flat.astype(np.intp, copy=False)  # 32 bits wide in a page


@elementwise
def index_add(x: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: float = 1) -> Any:
    """Add each row of ``source`` to the row of ``x`` that ``index`` names."""
    shape = [-1 if axis == dim % x.ndim else 1 for axis in range(x.ndim)]
    places = Tensor(np.broadcast_to(index.array.reshape(shape), source.array.shape))
    return TORCH["scatter_add"](x, dim, places, source if alpha == 1 else source * alpha)


@operation
def index_select(x: Tensor, dim: int, index: Tensor) -> Any:
    if index.array.size and index.array.min() < 0:
        raise IndexError("index out of range in self")
    return x[(slice(None),) * (dim % x.ndim) + (index,)]


@method
def zero_(x: Tensor) -> Tensor:
    return fill_(x, 0)


@method
def fill_(x: Tensor, value: Any) -> Tensor:
    if check_writable(x, (value,)):
        return in_place(lambda own, value: TORCH["where"](Tensor(np.ones((), bool)), value, own), x, value)
    return into(x, np.asarray(array_of(value)).astype(x.array.dtype))


@elementwise
def index_fill(x: Tensor, dim: int, index: Tensor, value: Any) -> Any:
    mask = np.zeros(x.array.shape[dim], bool)
    mask[index.array] = True
    shape = [-1 if axis == dim % x.ndim else 1 for axis in range(x.ndim)]
    return TORCH["masked_fill"](x, Tensor(mask.reshape(shape)), value)


@method
def scatter_(x: Tensor, dim: int, index: Tensor, src: Any) -> Tensor:
    return in_place(TORCH["scatter"], x, dim, index, src)
