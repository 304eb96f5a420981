"""Compare a learner's value with the right one, and say where they differ."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


def unchanged(original: Any, argument: Any) -> bool:
    """Return whether an argument is still the original."""
    if isinstance(original, Tensor):
        same_type = isinstance(argument, Tensor) and original.dtype == argument.dtype
        return same_type and torch.equal(original, argument)
    return bool(original == argument)


def close(value: Any, other: Any, tolerance: float, relative: float) -> bool:
    """Return whether two values that were read are the same; NaN is the same as NaN."""
    if not isinstance(value, Tensor) or not isinstance(other, Tensor):
        return type(value) is type(other) and bool(value == other)
    return value.shape == other.shape and torch.allclose(value, other, relative, tolerance, equal_nan=True)


def of_another_shape(value: Any, right: Any) -> bool:
    """Return whether both are tensors, of different shapes."""
    return isinstance(value, Tensor) and isinstance(right, Tensor) and value.shape != right.shape


def difference(value: Any, right: Any, tolerance: float, relative: float) -> dict[str, str]:
    """Return the fields of a message on a wrong value: its first wrong place and the largest difference."""
    if not isinstance(value, Tensor) or not isinstance(right, Tensor):
        return {"place": "", "wanted": str(right), "yours": f"{value!r:.200}", "error": ""}
    shape = {"shape": str(list(value.shape))}
    if value.shape != right.shape:
        return shape
    place = tuple((~torch.isclose(value, right, relative, tolerance)).nonzero()[0].tolist())
    expected, yours = right[place].item(), value[place].item()
    digits = next((d for d in (4, 7, 10) if _figures(expected, d) != _figures(yours, d)), 17)
    return shape | {
        "place": str(list(place)) if place else "",
        "wanted": _figures(expected, digits),
        "yours": _figures(yours, digits),
        "error": f"{(value - right).abs().max().item():.1g}",
    }


def _figures(value: float, digits: int) -> str:
    """Write a number with ``digits`` digits; below a million with all whole ones: 10000, not 1e+04."""
    return f"{value:.{max(digits, len(f'{abs(value):.0f}')) if abs(value) < 1e6 else digits}g}"
