"""Read and write parts of a tensor: ``x[…]`` and ``x[…] = …``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._narrow import rounded
from ._tape import check_writable, keep, recorded, written
from ._tensor import Tensor


def index_of(index: Any) -> Any:
    """Return ``index`` in NumPy's form; refuse a negative step, as PyTorch does."""
    if isinstance(index, tuple):
        return tuple(index_of(each) for each in index)
    if isinstance(index, Tensor):
        return index.array if index.array.ndim or index.array.dtype.kind == "b" else int(index.array)
    if isinstance(index, slice) and index.step is not None and index.step < 1:
        raise ValueError("step must be greater than zero")
    return index


def _getitem(x: Tensor, index: Any) -> Tensor:
    found = x.array[index_of(index)]
    if isinstance(found, np.generic) and not any(each is ... for each in _listed(index)):
        found = x.array[(*_listed(index_of(index)), ...)]  # with "...", a single number is a view too
    return Tensor(found)


def _listed(index: Any) -> tuple[Any, ...]:
    return index if isinstance(index, tuple) else (index,)


def _setitem(x: Tensor, index: Any, given: Any) -> None:
    recording = check_writable(x, (given,))
    before = x._before_writing() if recording else None
    by_places = any(isinstance(each, (Tensor, list)) for each in _listed(index))
    if by_places and isinstance(given, Tensor) and given.numel() != 1 and given.dtype is not x.dtype:
        raise RuntimeError(f"Index put requires {x.dtype} for the source, got {given.dtype}")
    value = given.array if isinstance(given, Tensor) else given
    x.array[index_of(index)] = rounded(value) if x.rounds else value
    written(x.array)
    if recording:
        keep("setitem", (before, index, given), {}, x)


Tensor.__getitem__ = recorded("getitem", _getitem)
Tensor.__setitem__ = _setitem
