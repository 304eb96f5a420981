"""Compare a learner's value with the right one, and say where they differ."""

from typing import Any

import torch
from torch import Tensor

from posenc_lessons.exercises.values import in_short, listed, part_around
from posenc_lessons.language import Text

WRONG_VALUE = Text("结果不对。", "The result is wrong.")
BY_HAND = Text(
    "用例子里的数手算第一个错的值，再和代码对照。",
    "Work out the first wrong value by hand from the example, and compare your code with it.",
)


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
    """Return how much of ``value`` is wrong, which part of it is shown, that part, and what it should be.

    A small array is shown whole, of a large one a part with the first wrong value.
    """
    if isinstance(value, dict) and isinstance(right, dict):
        key = next(key for key in right if value[key] != right[key])
        return WRONG_VALUE, f"  # {key}", f"{value[key]}", f"{right[key]}"
    if not isinstance(value, Tensor) or not isinstance(right, Tensor):
        return WRONG_VALUE, "", in_short(value), in_short(right)
    if value.shape != right.shape:
        return WRONG_VALUE, "", f"shape {list(value.shape)}", f"shape {list(right.shape)}"
    places = (~torch.isclose(value, right, relative, tolerance)).nonzero().tolist()
    wrong, of = len(places), value.numel()
    some = f"{wrong} of {of} values {'is' if wrong == 1 else 'are'} wrong."
    share = Text(
        f"{of} 个值{f'里有 {wrong} 个' if wrong < of else '全都'}不对。",
        some if wrong < of else f"All {of} values are wrong.",
    )
    first = tuple(places[0])
    part, words = part_around(first, right.shape)
    one, other = value[first].item(), right[first].item()
    form = next((form for form in (".3f", ".6f", ".9f") if f"{one:{form}}" != f"{other:{form}}"), ".17g")
    yours, wanted = listed(value[part], form), listed(right[part], form)
    return share if of > 1 else WRONG_VALUE, words, yours, wanted
