"""Turn functions into operations: ``torch.name``, ``Tensor.name`` or both, on the tape, and in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ._narrow import rounded
from ._tape import check_writable, recorded, written
from ._tensor import Tensor
from ._types import dtype_of

Operation = TypeVar("Operation", bound=Callable[..., Any])

TORCH: dict[str, Any] = {}  # the functions of the package, by name


def function(given: Operation) -> Operation:
    """Make ``given`` the function ``torch.name``, without NumPy's warnings about infinities."""
    result: Any = recorded(given.__name__, np.errstate(all="ignore")(given))
    TORCH[given.__name__] = result
    return result


def method(given: Operation) -> Operation:
    """Make ``given`` the method ``Tensor.name``."""
    result: Any = given if given.__name__.endswith("_") else recorded(given.__name__, given)
    setattr(Tensor, given.__name__, result)
    return result


def operation(given: Operation) -> Operation:
    """Make ``given`` both ``torch.name`` and ``Tensor.name``, without NumPy's warnings about infinities."""
    result: Any = recorded(given.__name__, np.errstate(all="ignore")(given))
    TORCH[given.__name__] = result
    setattr(Tensor, given.__name__, result)
    return result


def elementwise(given: Operation) -> Operation:
    """Make an ``operation``, and ``Tensor.name_`` that writes the result into the tensor itself."""
    match = operation(given)
    setattr(Tensor, f"{given.__name__}_", lambda x, *y, **named: in_place(match, x, *y, **named))
    return match


def in_place(found: Callable[..., Any], x: Tensor, *y: Any, **named: Any) -> Tensor:
    """Write the result of an operation on ``x`` into ``x``; on the tape, ``x`` then comes from it."""
    if not check_writable(x, (*y, *named.values())):
        return into(x, found(x, *y, **named).array)
    result = found(x._before_writing(), *y, **named)
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


def into(target: Tensor, given: Any) -> Tensor:
    """Write ``given`` into ``target``, which keeps its type and shape; RuntimeError if that is impossible."""
    given = np.asarray(given)
    if dtype_of(given).category > target.dtype.category:
        came, own = dtype_of(given), target.dtype
        raise RuntimeError(f"result type {came} can't be cast to the desired output type {own}")
    if np.broadcast_shapes(given.shape, target.array.shape) != target.array.shape:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(given.shape)}"
        )
    target.array[...] = rounded(given) if target.rounds else given
    written(target.array)
    return target
