"""Making tensors, and joining them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ._tensor import Tensor, array_of, function, shape_of
from ._types import CPU, FLOAT32, default_dtype
from ._types import device as Device


@function
def tensor(data: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """A copy of numbers; Python's floats become float32, its integers int64."""
    _on(device)
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], Tensor):
        data = [each.array for each in data]
    made = np.array(array_of(data))
    if dtype is not None:
        return Tensor(made.astype(dtype.array))
    if isinstance(data, (Tensor, np.ndarray, np.generic)):
        return Tensor(made)
    return Tensor(made.astype(default_dtype(made).array))


def _on(device: Any) -> None:
    """RuntimeError unless ``device`` is there."""
    if device is not None:
        Device(device)


def _made(name: str, make: Callable[..., np.ndarray]) -> None:
    """``torch.name`` and ``torch.name_like``."""

    def named(*size: Any, dtype: Any = None, device: Any = None) -> Tensor:
        _on(device)
        return Tensor(make(shape_of(size), (FLOAT32 if dtype is None else dtype).array))

    def like(x: Tensor, *, dtype: Any = None, device: Any = None, memory_format: object = None) -> Tensor:
        return named(x.shape, dtype=x.dtype if dtype is None else dtype, device=device)

    named.__name__, like.__name__ = name, f"{name}_like"
    function(named)
    function(like)


for _name, _make in {"zeros": np.zeros, "ones": np.ones, "empty": np.empty}.items():
    _made(_name, _make)


@function
def full(size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    _on(device)
    kind = default_dtype(np.asarray(fill_value)) if dtype is None else dtype
    return Tensor(np.full(shape_of((size,)), fill_value, kind.array))


@function
def full_like(x: Tensor, fill_value: Any) -> Tensor:
    return full(x.array.shape, fill_value, dtype=x.dtype)


@function
def arange(*bounds: Any, dtype: Any = None, device: Any = None) -> Tensor:
    _on(device)
    values = np.arange(*(each.item() if isinstance(each, Tensor) else each for each in bounds))
    return Tensor(values.astype((default_dtype(values) if dtype is None else dtype).array))


@function
def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    try:
        return Tensor(np.concatenate([each.array for each in tensors], axis=dim))
    except ValueError as error:
        raise RuntimeError(f"Sizes of tensors must match except in dimension {dim}: {error}") from error


@function
def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    try:
        return Tensor(np.stack([each.array for each in tensors], axis=dim))
    except ValueError as error:
        raise RuntimeError(f"stack expects each tensor to be equal size: {error}") from error


@function
def get_default_device() -> Device:
    return CPU
