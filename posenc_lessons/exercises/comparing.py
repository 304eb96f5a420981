"""Compare a learner's value with the right one, and say where they differ."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from posenc_lessons.language import Text


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


def difference(value: Any, right: Any, tolerance: float, relative: float) -> tuple[Text, str, str, str]:
    """Return how much of ``value`` is wrong, its first wrong place, what stands there, and what should."""
    whole = Text("这个结果不对。", "This result is wrong.")
    if not isinstance(value, Tensor) or not isinstance(right, Tensor):
        return whole, "", f"{value!r:.200}", f"{right!r:.200}"
    if value.shape != right.shape:
        return whole, "", f"shape {list(value.shape)}", f"shape {list(right.shape)}"
    places = (~torch.isclose(value, right, relative, tolerance)).nonzero().tolist()
    wrong, of = len(places), value.numel()
    some = Text(
        f"{of} 个值里有 {wrong} 个不对。", f"{wrong} of {of} values {'is' if wrong == 1 else 'are'} wrong."
    )
    share = (
        whole
        if of == 1
        else some
        if wrong < of
        else Text(f"{of} 个值全都不对。", f"All {of} values are wrong.")
    )
    yours, expected = value[tuple(places[0])].item(), right[tuple(places[0])].item()
    digits = next((d for d in (4, 7, 10) if _figures(expected, d) != _figures(yours, d)), 17)
    return share, f"{places[0] or ''}", _figures(yours, digits), _figures(expected, digits)


def _figures(value: float, digits: int) -> str:
    """Write a number with ``digits`` digits; below a million with all whole ones: 10000, not 1e+04."""
    value += 0.0  # no minus zero
    return f"{value:.{max(digits, len(f'{abs(value):.0f}')) if abs(value) < 1e6 else digits}g}"
