"""Element types, devices, shapes, and PyTorch's rules for the type of a result."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np


def lacking(name: str) -> str:
    """Return the message about a name that PyTorch has and this torch lacks."""
    return f"本页的 torch 是用 NumPy 写的，没有 {name} · this page's torch, written on NumPy, lacks {name}"


class dtype:
    """An element type; ``array`` is the NumPy type of its arrays."""

    def __init__(self, name: str, category: int, array: str) -> None:
        self.name, self.category = name, category  # 0 bool, 1 integers, 2 floating, 3 complex
        self.array = np.dtype(array)
        self.itemsize = 2 if name == "bfloat16" else self.array.itemsize
        self.is_floating_point, self.is_complex = category == 2, category == 3

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __deepcopy__(self, memo: object) -> dtype:
        return self


_CATEGORIES = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
_NAMES = "bool uint8 int8 int16 int32 int64 float16 float32 float64 complex64 complex128"
DTYPES = {name: dtype(name, _CATEGORIES[np.dtype(name).kind], name) for name in _NAMES.split()}
BFLOAT16 = dtype("bfloat16", 2, "float32")
_BY_ARRAY = {kind.array: kind for kind in DTYPES.values()}
FLOAT32, FLOAT64, INT64 = DTYPES["float32"], DTYPES["float64"], DTYPES["int64"]
NUMBERS = (bool, int, float, complex)
# The element type of a Python number, and of a tensor made from a list of them.
_OF_NUMBER = {bool: DTYPES["bool"], int: INT64, float: FLOAT32, complex: DTYPES["complex64"]}


def dtype_of(array: np.ndarray) -> dtype:
    """Return the element type of a NumPy array."""
    try:
        return _BY_ARRAY[array.dtype]
    except KeyError:
        raise TypeError(lacking(str(array.dtype))) from None


def default_dtype(array: np.ndarray) -> dtype:
    """Return PyTorch's type for the Python numbers from which NumPy made ``array``."""
    return _OF_NUMBER[{"b": bool, "i": int, "f": float, "c": complex}[array.dtype.kind]]


@functools.cache
def promote_types(first: dtype, second: dtype) -> dtype:
    """Return the smallest type for both; an integer never widens a floating type."""
    if first is second:
        return first
    low, high = sorted((first, second), key=lambda kind: kind.category)
    if high.category == 3 and low is FLOAT64:
        return DTYPES["complex128"]
    if low.category < high.category:
        return high
    if BFLOAT16 in (first, second):
        other = low if high is BFLOAT16 else high
        return FLOAT32 if other is DTYPES["float16"] else other
    return _BY_ARRAY[np.promote_types(low.array, high.array)]


def result_type(*operands: Any) -> dtype:
    """Return the type of a result: that of operands with axes, unless another has a higher category."""
    kinds: list[dtype | None] = [None, None, None]  # with axes, without, Python numbers
    for operand in operands:
        place, kind = 2, _OF_NUMBER.get(type(operand))
        if kind is None:
            place, kind = (0 if operand.ndim else 1), dtype_of(operand)
        visited = kinds[place]
        kinds[place] = kind if visited is None else promote_types(visited, kind)
    match = kinds[2]
    for higher in (kinds[1], kinds[0]):
        match = higher if match is None else match if higher is None else _combined(higher, match)
    assert match is not None
    return match


@functools.cache
def _combined(higher: dtype, lower: dtype) -> dtype:
    if higher.category == 2 and lower.category == 3:
        return DTYPES["complex128" if higher is FLOAT64 else "complex64"]
    if higher.category < 2 and (higher.category == 0 or lower.category >= 2):
        return promote_types(higher, lower)
    return higher


class device:
    """The place of tensors; "cpu" is the only one."""

    index = None

    def __init__(self, name: Any = "cpu", index: int | None = None) -> None:
        self.type: str = str(name).partition(":")[0]
        if self.type != "cpu":
            raise RuntimeError(lacking(f"torch.device({str(name)!r})"))

    def __str__(self) -> str:
        return self.type

    def __repr__(self) -> str:
        return f"device(type='{self.type}')"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and self.type == other.type

    def __hash__(self) -> int:
        return hash(self.type)


CPU = device()


class Size(tuple[int, ...]):
    """A tensor's shape."""

    def numel(self) -> int:
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"
