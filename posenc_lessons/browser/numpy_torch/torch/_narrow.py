"""bfloat16, which NumPy does not have: float32 numbers rounded to 8 bits after each operation."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ._types import BFLOAT16, DTYPES

# Operations that refuse tensors of two types.
ONE_TYPE = frozenset({"matmul", "linear", "einsum", "dot", "isclose", "allclose"})


def rounded(array: np.ndarray) -> np.ndarray:
    """Return the nearest bfloat16 numbers, ties to even, as float32."""
    array = np.asarray(array, np.float32)
    bits = array.view(np.uint32)
    near = (bits + (np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1)))) & np.uint32(0xFFFF0000)
    return np.where(np.isnan(array), array, near.view(np.float32))


def narrowed(name: str, compute: Callable[..., Any], args: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    """Compute in float32 and round the result, if an argument or the requested type is bfloat16."""
    tensors = list(tensors_in((args, named)))
    mine = [item for item in tensors if item.rounds]
    wanted = args[1] if name == "to" else named.get("dtype")
    if not mine and wanted is not BFLOAT16:
        return compute(*args, **named)
    others = [item for item in tensors if not item.rounds and item.array.dtype.kind in "fc"]
    if name in ONE_TYPE and others and mine:
        raise RuntimeError(
            f"expected both tensors to have the same dtype, but got: {mine[0].dtype} != {others[0].dtype}"
        )
    wide = any(item.ndim for item in others) or (bool(others) and not any(item.ndim for item in mine))
    result = compute(*_widened(args), **{key: _widened(value) for key, value in named.items()})
    if wanted is BFLOAT16 or (wanted is None and not wide):
        for part in result if isinstance(result, (tuple, list)) else (result,):
            if hasattr(part, "rounds") and part.array.dtype == np.float32:
                narrow(part)
    return result


def tensors_in(value: Any) -> Iterator[Any]:
    """Yield the tensors in lists, tuples and dictionaries, however deep."""
    if hasattr(value, "rounds"):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from tensors_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_in(item)


def narrow(tensor: Any) -> None:
    """Turn a float32 tensor into one of bfloat16; it keeps its memory if no number is rounded."""
    near = rounded(tensor.array)
    if not np.array_equal(near, tensor.array, equal_nan=True):
        tensor.array = near
    tensor.rounds = True


def _widened(value: Any) -> Any:
    """Return ``value`` with its bfloat16 tensors as float32 tensors of the same memory."""
    if isinstance(value, (list, tuple)):
        return type(value)(_widened(item) for item in value) if type(value) in (list, tuple) else value
    if getattr(value, "rounds", False):
        plain = value.wrap(value.array)
        plain.requires_grad = value.requires_grad
        return plain
    return value


class finfo:
    """The limits of a floating type."""

    def __init__(self, type: Any = None) -> None:
        kind = DTYPES["float32"] if type is None else type
        if kind.category < 2:
            raise TypeError(
                f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle '{kind}'"
            )
        limits = np.finfo(kind.array)
        self.dtype, self.bits = kind.name, 16 if kind is BFLOAT16 else limits.bits
        self.eps, self.tiny = float(limits.eps), float(limits.tiny)
        self.max, self.resolution = float(limits.max), float(limits.resolution)
        if kind is BFLOAT16:
            self.eps, self.max, self.resolution = 2.0**-7, (2 - 2.0**-7) * 2.0**127, 0.01
        self.min, self.smallest_normal = -self.max, self.tiny
