"""Turn functions into operations: ``torch.name``, ``Tensor.name`` or both, on the tape, and in place."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ._narrow import rounded
from ._tape import check_writable, recorded, written
from ._tensor import Tensor
from ._types import dtype_of

Operation = TypeVar("Operation", bound=Callable[..., Any])

TORCH: dict[str, Any] = {}  # the functions of the package, by name


def function(compute: Operation) -> Operation:
    """Make ``compute`` the function ``torch.name``, without NumPy's warnings about infinities."""
    result: Any = recorded(compute.__name__, np.errstate(all="ignore")(compute))
    TORCH[compute.__name__] = result
    return result


def method(compute: Operation) -> Operation:
    """Make ``compute`` the method ``Tensor.name``."""
    result: Any = compute if compute.__name__.endswith("_") else recorded(compute.__name__, compute)
    setattr(Tensor, compute.__name__, result)
    return result


def operation(compute: Operation) -> Operation:
    """Make ``compute`` both ``torch.name`` and ``Tensor.name``, without NumPy's warnings about infinities."""
    result: Any = recorded(compute.__name__, np.errstate(all="ignore")(compute))
    TORCH[compute.__name__] = result
    setattr(Tensor, compute.__name__, result)
    return result


def elementwise(compute: Operation) -> Operation:
    """Make an ``operation``, and ``Tensor.name_`` that writes the result into the tensor itself."""
    match = operation(compute)
    setattr(Tensor, f"{compute.__name__}_", lambda x, *y, **named: in_place(match, x, *y, **named))
    return match


def in_place(compute: Callable[..., Any], x: Tensor, *y: Any, **named: Any) -> Tensor:
    """Write the result of an operation on ``x`` into ``x``; on the tape, ``x`` then comes from it."""
    if not check_writable(x, (*y, *named.values())):
        return into(x, compute(x, *y, **named).array)
    result = compute(x._before_writing(), *y, **named)
    into(x, result.array)
    x.requires_grad, x.node = result.requires_grad, result.node
    return x


def array_of(x: Any) -> Any:
    """Return a tensor's array, and anything else (a Python number) unchanged."""
    return x.array if isinstance(x, Tensor) else x


def shape_of(size: tuple[Any, ...]) -> tuple[int, ...]:
    """Return the shape from sizes that come as several arguments, or as one tuple or list."""
    listed = size[0] if len(size) == 1 and isinstance(size[0], (tuple, list, range)) else size
    return tuple(int(item) for item in listed)


def into(target: Tensor, values: Any) -> Tensor:
    """Write ``values`` into ``target``, which keeps type and shape; RuntimeError if that is impossible."""
    values = np.asarray(values)
    if dtype_of(values).category > target.dtype.category:
        came, own = dtype_of(values), target.dtype
        raise RuntimeError(f"result type {came} can't be cast to the desired output type {own}")
    if np.broadcast_shapes(values.shape, target.array.shape) != target.array.shape:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(values.shape)}"
        )
    target.array[...] = rounded(values) if target.rounds else values
    written(target.array)
    return target
