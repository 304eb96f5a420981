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


def difference(value: Any, right: Any, tolerance: float, relative: float) -> dict[str, Any]:
    """Return the fields of a message on a wrong value: its first wrong place, how many are wrong, how far."""
    this = Text("这个结果", "This result is")
    if not isinstance(value, Tensor) or not isinstance(right, Tensor):
        return {"place": "", "wanted": f"{right}", "yours": f"{value!r:.200}", "error": "", "share": this}
    shape = {"shape": str(list(value.shape))}
    if value.shape != right.shape:
        return shape | {
            "place": "",
            "wanted": f"shape {list(right.shape)}",
            "yours": f"shape {list(value.shape)}",
        }
    places = (~torch.isclose(value, right, relative, tolerance)).nonzero().tolist()
    place, wrong, of = places[0], len(places), value.numel()
    some = Text(f"{of} 个值里有 {wrong} 个", f"{wrong} of {of} values {'is' if wrong == 1 else 'are'}")
    share = this if of == 1 else some if wrong < of else Text(f"{of} 个值全都", f"All {of} values are")
    expected, yours = right[tuple(place)].item(), value[tuple(place)].item()
    digits = next((d for d in (4, 7, 10) if _figures(expected, d) != _figures(yours, d)), 17)
    return shape | {
        "place": f"{place}" if place else "",
        "share": share,
        "wanted": _figures(expected, digits),
        "yours": _figures(yours, digits),
        "error": f"{(value - right).abs().max().item():.1g}",
    }


def _figures(value: float, digits: int) -> str:
    """Write a number with ``digits`` digits; below a million with all whole ones: 10000, not 1e+04."""
    return f"{value:.{max(digits, len(f'{abs(value):.0f}')) if abs(value) < 1e6 else digits}g}"
