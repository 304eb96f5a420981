"""Make PyTorch's errors for shapes or numbers that do not fit: readers see them, some checks compare them."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np


def broadcast_error(first: Sequence[int], second: Sequence[int]) -> RuntimeError:
    """Return the error for two shapes that do not broadcast."""
    last = max(len(first), len(second)) - 1
    pairs = itertools.zip_longest(reversed(first), reversed(second), fillvalue=1)
    for back, (a, b) in enumerate(pairs):
        if a != b and 1 not in (a, b):
            return RuntimeError(
                f"The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton "
                f"dimension {last - back}"
            )
    return RuntimeError(f"shapes {list(first)} and {list(second)} do not broadcast")


def product_error(left: Sequence[int], right: Sequence[int]) -> RuntimeError:
    """Return the error for two shapes whose matrix product does not exist."""
    if min(len(left), len(right)) < 2:
        return RuntimeError(f"shapes {list(left)} and {list(right)} cannot be multiplied")
    if len(right) == 2:
        rows = math.prod(left[:-1])
        return RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({rows}x{left[-1]} and {right[0]}x{right[1]})"
        )
    try:
        batch = int(np.prod(np.broadcast_shapes(left[:-2], right[:-2])))
    except ValueError:
        two = (left[:-2], right[:-2])
        return broadcast_error((*two[0], 1, 1), (*two[1], 1, 1))
    return RuntimeError(
        f"Expected size for first two dimensions of batch2 tensor to be: [{batch}, {left[-1]}] but got: "
        f"[{batch}, {right[-2]}]."
    )


def check_fits(value: Any, kind: Any) -> None:
    """Raise RuntimeError for a Python number that the type ``kind`` cannot represent."""
    if kind.category != 2 or not isinstance(value, (int, float)) or value != value:
        return
    if value in (float("inf"), float("-inf")):
        return
    limit = (2 - 2.0**-7) * 2.0**127 if kind.name == "bfloat16" else float(np.finfo(kind.array).max)
    if abs(value) > limit:
        named = {"float16": "at::Half", "bfloat16": "c10::BFloat16", "float64": "double"}.get(
            kind.name, "float"
        )
        raise RuntimeError(f"value cannot be converted to type {named} without overflow")


def check_places(x: Any, dim: int, index: Any) -> None:
    """Raise RuntimeError if ``index`` does not fit ``x`` along the axes other than ``dim``."""
    own, argument = x.array.shape, index.array.shape
    if len(own) != len(argument):
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    along = dim % len(own) if own else 0
    larger = [n for n, (a, b) in enumerate(zip(own, argument, strict=True)) if b > a and n != along]
    if index.array.size and larger:
        raise RuntimeError(
            f"Size does not match at dimension {larger[0]} expected index {list(argument)} to be no larger "
            f"than self {list(own)} apart from dimension {along}"
        )
