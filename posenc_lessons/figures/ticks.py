"""Choose round numbers along an axis, and their labels.

They are the same numbers as from Matplotlib's ``MaxNLocator(nbins=6, steps=[1, 2, 5, 10])`` and the same
labels as from its ``ScalarFormatter`` without multipliers, because scenes are made without Matplotlib.
"""

from __future__ import annotations

import math
from functools import lru_cache

Ticks = tuple[tuple[float, str], ...]

MOST_STEPS = 6
STAIRCASE = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)  # round steps, in units of the axis's power of ten
FAR = 100  # an axis that is so many of its lengths away from zero has its origin at a near power of ten


@lru_cache(maxsize=1024)  # most axes do not change while a slider moves
def round_ticks(start: float, end: float, whole: bool) -> Ticks:
    """Return at most seven round numbers between ``start`` and ``end``, as (value, label) pairs.

    ``whole``: no fractions. An axis of length zero has no ticks.
    """
    low, high = min(start, end), max(start, end)
    if high - low <= 1e-14 * max(abs(low), abs(high)):
        return ()
    slack = min(1e-9, 1e-6 * (high - low))
    inside = [value for value in _round_values(low, high, whole) if low - slack <= value <= high + slack]
    if whole:  # within a unit the steps are fractions
        inside = [value for value in inside if value == round(value)]
    return tuple(zip(inside, _written(inside), strict=True))


def _round_values(low: float, high: float, whole: bool) -> list[float]:
    """Return multiples of a round step from ``low`` to ``high``, and perhaps one more on either side."""
    scale, offset = _scale_and_offset(low, high)
    low, high = low - offset, high - offset
    steps = [step * scale for step in STAIRCASE]
    if whole:
        steps = [step for step in steps if step < 1 or abs(step - round(step)) < 0.001]
    rough = (high - low) / MOST_STEPS
    step = next((step for step in steps if step >= rough), steps[-1])
    if whole and math.floor(high) - math.ceil(low) >= 1:
        step = max(1.0, step)
    return [value + offset for value in _multiples(low, high, step, offset)]


def _scale_and_offset(low: float, high: float) -> tuple[float, float]:
    """Return the power of ten of a step, and the origin: zero, unless the axis is far away from zero."""
    length, middle = high - low, (high + low) / 2
    offset = 0.0
    if abs(middle) / length >= FAR:
        offset = math.copysign(10 ** (math.log10(abs(middle)) // 1), middle)
    return 10 ** (math.log10(length / MOST_STEPS) // 1), offset


def _multiples(low: float, high: float, step: float, offset: float) -> list[float]:
    """Return the multiples of ``step`` from ``low`` to ``high``, including ends that rounding moved out."""
    tolerance = 1e-10
    if offset:  # far from zero a float has fewer digits left
        tolerance = min(0.4999, max(1e-10, 10 ** (math.log10(abs(offset) / step) - 12)))
    first = (low // step) * step
    number, rest = divmod(low - first, step)
    begin = number + 1 if abs(rest / step - 1) < tolerance else number
    number, rest = divmod(high - first, step)
    end = number if abs(rest / step) < tolerance else number + 1
    return [place * step + first for place in range(int(begin), int(end) + 1)]


def _written(values: list[float]) -> list[str]:
    """Write the values with enough decimals to tell them apart, and with a true minus sign."""
    if not values:
        return []
    known = values if len(values) > 1 else [*values, 0.0, 1.0]
    length = max(known) - min(known) or 1.0
    power = math.floor(math.log10(length))
    decimals = max(0, 3 - power)
    while (
        decimals >= 0
        and max(abs(v - round(v * 10**decimals) / 10**decimals) for v in values) < 1e-3 * 10**power
    ):
        decimals -= 1
    nothing = min(1e-8, 1e-6 * length)
    return [f"{0 if abs(v) < nothing else v:.{decimals + 1}f}".replace("-", "−") for v in values]
