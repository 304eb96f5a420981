"""Operations that write values into chosen places of a tensor or its copy, and that pick values out."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._operations import TORCH, array_of, elementwise, in_place, into, method, operation
from ._reductions import FOUND, Found, argsort, found_at, gather, sort
from ._tape import check_writable
from ._tensor import Tensor
from ._types import INT64


@method
def zero_(x: Tensor) -> Tensor:
    return fill_(x, 0)


@method
def fill_(x: Tensor, value: Any) -> Tensor:
    if check_writable(x, (value,)):
        return in_place(lambda own, value: TORCH["where"](Tensor(np.ones((), bool)), value, own), x, value)
    return into(x, np.asarray(array_of(value)).astype(x.array.dtype))


@elementwise
def index_fill(x: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    mask = np.zeros(x.array.shape[dim], bool)
    mask[index.array] = True
    shape = [-1 if axis == dim % x.ndim else 1 for axis in range(x.ndim)]
    made: Tensor = TORCH["masked_fill"](x, Tensor(mask.reshape(shape)), value)
    return made


@elementwise
def index_put(x: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    places = tuple(each.array for each in indices)
    made = x.array.copy()
    if accumulate:
        np.add.at(made, places, values.array)
    else:
        made[places] = values.array
    return Tensor(made)


@elementwise
def put(x: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    flat = index_put(
        TORCH["reshape"](x, -1), (TORCH["reshape"](index, -1),), TORCH["reshape"](source, -1), accumulate
    )
    made: Tensor = TORCH["reshape"](flat, *x.shape)
    return made


@operation
def diagonal_scatter(x: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    made = x.array.copy()
    places = np.diagonal(np.arange(made.size).reshape(made.shape), offset, dim1, dim2)
    made.flat[places.ravel()] = src.array.ravel()
    return Tensor(made)


@operation
def topk(x: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Found:
    if not 0 <= k <= x.array.shape[dim]:
        raise RuntimeError("selected index k out of range")
    order = Tensor(np.take(argsort(x, dim, largest).array, np.arange(k), axis=dim))
    return FOUND["topk"](gather(x, dim, order), order)


@operation
def median(x: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the median; of two middle numbers, the lower one."""
    if dim is None:
        return sort(TORCH["reshape"](x, -1)).values[(x.numel() - 1) // 2]
    middle = [(x.array.shape[dim] - 1) // 2]
    at = Tensor(np.take(argsort(x, dim).array, middle, axis=dim))
    return found_at("median", x, dim, at, keepdim)


@operation
def masked_select(x: Tensor, mask: Tensor) -> Tensor:
    own, wanted = np.broadcast_arrays(x.array, mask.array)
    return Tensor(own[wanted])


@operation
def count_nonzero(x: Tensor, dim: Any = None) -> Tensor:
    return Tensor(np.asarray(np.count_nonzero(x.array, axis=dim), INT64.array))


@method
def scatter_(x: Tensor, dim: int, index: Tensor, src: Any) -> Tensor:
    return in_place(TORCH["scatter"], x, dim, index, src)
