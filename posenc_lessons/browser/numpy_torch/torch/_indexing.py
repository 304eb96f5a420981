"""Read and write parts of a tensor: ``x[…]`` and ``x[…] = …``."""

from typing import Any

import numpy as np

from ._narrow import rounded
from ._places import sums_at
from ._rules import Pairs, rule
from ._tape import Made, check_writable, keep, recorded, written
from ._tensor import Tensor


def index_of(index: Any) -> Any:
    """Return ``index`` in NumPy's form; refuse a negative step, as PyTorch does."""
    if isinstance(index, tuple):
        return tuple(index_of(item) for item in index)
    if isinstance(index, Tensor):
        return index.array if index.array.ndim or index.array.dtype.kind == "b" else int(index.array)
    if isinstance(index, slice) and index.step is not None and index.step < 1:
        raise ValueError("step must be greater than zero")
    return index


def _getitem(x: Tensor, index: Any) -> Tensor:
    part = x.array[index_of(index)]
    if isinstance(part, np.generic) and not any(item is ... for item in _listed(index)):
        part = x.array[(*_listed(index_of(index)), ...)]  # with "...", a single number is a view too
    return Tensor(part)


def _listed(index: Any) -> tuple[Any, ...]:
    return index if isinstance(index, tuple) else (index,)


def _setitem(x: Tensor, index: Any, source: Any) -> None:
    recording = check_writable(x, (source,))
    earlier = x._before_writing() if recording else None
    by_places = any(isinstance(item, (Tensor, list)) for item in _listed(index))
    if by_places and isinstance(source, Tensor) and source.numel() != 1 and source.dtype is not x.dtype:
        raise RuntimeError(f"Index put requires {x.dtype} for the source, got {source.dtype}")
    value = source.array if isinstance(source, Tensor) else source
    x.array[index_of(index)] = rounded(value) if x.rounds else value
    written(x.array)
    if recording:
        keep("setitem", (earlier, index, source), {}, x)


Tensor.__getitem__ = recorded("getitem", _getitem)
Tensor.__setitem__ = _setitem


@rule("getitem", any_values=True)
def _getitem_back(g: Any, out: Made, x: Tensor, index: Any) -> Pairs:
    own = index_of(index)
    if not _may_repeat(own):
        whole = np.zeros_like(x.array)
        whole[own] = g
        return ((x, whole),)
    places = np.arange(x.array.size, dtype=np.intp).reshape(x.array.shape)[own]
    return ((x, sums_at(x.array, places, g)),)


def _may_repeat(index: Any) -> bool:
    """Return whether a NumPy index may name a place twice, as a list of whole numbers may."""
    several = (
        item for item in _listed(index) if not (item is None or item is ... or isinstance(item, (int, slice)))
    )
    return any(np.asarray(item).dtype.kind != "b" for item in several)


@rule("setitem", any_values=True)
def _setitem_back(g: Any, out: Made, earlier: Tensor, index: Any, source: Any) -> Pairs:
    rest = g.copy()
    rest[index_of(index)] = 0
    return (earlier, rest), (source, g[index_of(index)])
