"""Check arguments, with errors in both languages."""

import math
import operator
from collections.abc import Sequence
from numbers import Real
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.language import BilingualValueError


def whole_number(name: str, value: Any, smallest: int) -> int:
    """Return ``value`` as an int of at least ``smallest``; ValueError otherwise, also for a bool."""
    try:
        number = operator.index(value)
    except TypeError:
        number = smallest - 1
    if number < smallest or isinstance(value, bool):
        raise BilingualValueError(
            f"{name} 必须是不小于 {smallest} 的整数，收到 {value!r}",
            f"{name} must be a whole number, {smallest} or more; got {value!r}",
        )
    return number


def number(
    name: str, value: Any, *, least: float = -math.inf, above: float = -math.inf, below: float = math.inf
) -> float:
    """Return ``value`` as a finite float, ``least`` or more, above ``above`` and below ``below``.

    Raises:
        ValueError: ``value`` is anything else, also a bool.
    """
    try:
        as_float = math.nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    except OverflowError:  # a whole number beyond all floats
        as_float = math.nan
    if not (least <= as_float and above < as_float < below):
        bounds = [(least, "不小于 {:g}", "{:g} or more"), (above, "大于 {:g}", "above {:g}")]
        bounds += [(below, "小于 {:g}", "below {:g}")]
        limits = [(zh.format(bound), en.format(bound)) for bound, zh, en in bounds if math.isfinite(bound)]
        zh, en = "、".join(zh for zh, _ in limits), " and ".join(en for _, en in limits)
        raise BilingualValueError(
            f"{name} 必须是{zh and f'{zh} 的'}有限数，收到 {value!r}",
            f"{name} must be a finite number{en and f', {en}'}; got {value!r}",
        )
    return as_float


def even_width(value: Any, name: str = "d_model") -> int:
    """Return ``value`` as an even int of at least 2 (a sine and a cosine have a column each)."""
    width = whole_number(name, value, 2)
    if width % 2:
        raise BilingualValueError(
            f"{name} 必须是偶数，每个频率各占一列正弦和一列余弦，收到 {width}",
            f"{name} must be even, a sine and a cosine for each frequency; got {width}",
        )
    return width


def base_above_one(base: Any) -> float:
    """Return ``base`` as a finite float above 1; ValueError otherwise."""
    return number("base", base, above=1)


def probability(name: str, value: Any) -> float:
    """Return ``value`` as a float with 0 ≤ value < 1; ValueError otherwise."""
    return number(name, value, least=0, below=1)


def one_of(name: str, value: Any, allowed: Sequence[str]) -> Any:
    """Return ``value`` if it is one of the words ``allowed``; ValueError otherwise."""
    if value not in allowed:
        raise BilingualValueError(
            f"{name} 只能是 {', '.join(allowed)} 之一，收到 {value!r}",
            f"{name} must be one of {', '.join(allowed)}; got {value!r}",
        )
    return value


def check_heads(query: Tensor, n_heads: int) -> None:
    """Raise ValueError unless ``query`` [B, H, L, d_head] has ``n_heads`` heads."""
    if query.ndim != 4 or query.shape[1] != n_heads:
        raise BilingualValueError(
            f"query 的形状必须是 [B, {n_heads}, L, d_head]，因为这里 n_heads={n_heads}，"
            f"收到 {list(query.shape)}",
            f"query must have shape [B, {n_heads}, L, d_head], for n_heads={n_heads} here; "
            f"got {list(query.shape)}",
        )


def float64_device(device: torch.device) -> torch.device:
    """Return ``device``, or the CPU if it is Apple's GPU, which has no float64."""
    return torch.device("cpu") if device.type == "mps" else device
