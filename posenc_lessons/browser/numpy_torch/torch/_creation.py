"""Make tensors."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ._operations import TORCH, array_of, function, shape_of
from ._tensor import Tensor
from ._types import FLOAT32, default_dtype
from ._types import device as Device


@function
def tensor(data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Return a copy of numbers; Python's floats become float32, its integers int64."""
    return _wanting(_numbers(data, dtype, device), requires_grad)


def _wanting(result: Tensor, requires_grad: bool) -> Tensor:
    return result.requires_grad_() if requires_grad else result


def _numbers(data: Any, dtype: Any, device: Any) -> Tensor:
    _on(device)
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], Tensor):
        data = [item.array for item in data]
    result = np.array(array_of(data))
    if dtype is not None:
        return Tensor(result.astype(dtype.array))
    if isinstance(data, (Tensor, np.ndarray, np.generic)):
        return Tensor(result)
    return Tensor(result.astype(default_dtype(result).array))


def _on(device: Any) -> None:
    """Raise RuntimeError unless ``device`` exists."""
    if device is not None:
        Device(device)


def _made(name: str, make: Callable[..., np.ndarray]) -> None:
    """Make ``torch.name`` and ``torch.name_like``."""

    def named(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
        _on(device)
        result = Tensor(make(shape_of(size), (FLOAT32 if dtype is None else dtype).array))
        return _wanting(result, requires_grad)

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
def full_like(x: Tensor, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    return full(x.array.shape, fill_value, dtype=x.dtype if dtype is None else dtype, device=device)


@function
def arange(*bounds: Any, dtype: Any = None, device: Any = None) -> Tensor:
    _on(device)
    values = np.arange(*(item.item() if isinstance(item, Tensor) else item for item in bounds))
    return Tensor(values.astype((default_dtype(values) if dtype is None else dtype).array))


@function
def eye(n: int, m: int | None = None, *, dtype: Any = None, device: Any = None) -> Tensor:
    _on(device)
    return Tensor(np.eye(n, m, dtype=(FLOAT32 if dtype is None else dtype).array))


@function
def linspace(start: Any, end: Any, steps: int, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Count from both ends, as PyTorch does, so that ``end`` to ``start`` gives the same numbers."""
    _on(device)
    kind = (FLOAT32 if dtype is None else dtype).array
    first, last = (kind.type(float(item)) for item in (start, end))
    if steps < 2:
        return Tensor(np.full(steps, first, kind))
    step = (last - first) / kind.type(steps - 1)
    at = np.arange(steps)
    near = first + step * at.astype(kind)
    far = last - step * (steps - 1 - at).astype(kind)
    return Tensor(np.where(at < steps // 2, near, far).astype(kind))


@function
def logspace(
    start: Any, end: Any, steps: int, base: float = 10.0, *, dtype: Any = None, device: Any = None
) -> Tensor:
    exponents = linspace(start, end, steps, dtype=dtype, device=device).array
    return Tensor(np.power(exponents.dtype.type(base), exponents))


@function
def meshgrid(*tensors: Any, indexing: Any = "ij") -> tuple[Tensor, ...]:
    argument = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    return tuple(Tensor(item) for item in np.meshgrid(*(x.array for x in argument), indexing=indexing))


@function
def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    return tensor(data, dtype=dtype, device=device)


# ---- like another tensor, of another shape ----


def new_zeros(x: Tensor, *size: Any, dtype: Any = None, **named: Any) -> Tensor:
    """Return zeros of the type of ``x``, unless another is named."""
    result: Tensor = TORCH["zeros"](*size, dtype=dtype or x.dtype, **named)
    return result


setattr(Tensor, "new_zeros", new_zeros)  # noqa: B010
