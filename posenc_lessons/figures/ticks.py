"""Choose round numbers along an axis, and their labels.

They are the same numbers as from Matplotlib's ``MaxNLocator(nbins=6, steps=[1, 2, 5, 10])`` and the same
labels as from its ``ScalarFormatter`` without multipliers, because scenes are made without Matplotlib.
"""

from __future__ import annotations

import math
from functools import lru_cache

Ticks = tuple[tuple[float, str], ...]

MOST_STEPS = 6
NEAR = 1e-9  # of a step: ends that rounding moved out of the axis are still on it


@lru_cache(maxsize=1024)  # most axes do not change while a slider moves
def round_ticks(start: float, end: float, whole: bool) -> Ticks:
    """Return at most seven round numbers between ``start`` and ``end``, as (value, label) pairs.

    ``whole``: no fractions. An axis of length zero has no ticks.
    """
    low, high = min(start, end), max(start, end)
    if high - low <= 1e-14 * max(abs(low), abs(high)):
        return ()
    rough = (high - low) / MOST_STEPS
    power = math.floor(math.log10(rough) + NEAR)
    step, power = next(
        (float(f"{round_number}e{power}"), power + (round_number == 10))
        for round_number in (1, 2, 5, 10)
        if float(f"{round_number}e{power}") >= rough * (1 - NEAR)
    )
    if whole and step < 1:
        step, power = 1.0, 0
    numbers = range(math.ceil(low / step - NEAR), math.floor(high / step + NEAR) + 1)
    decimals = max(0, -power)
    # Dividing by a power of ten gives the nearest float; multiplying by a fraction does not.
    values = [number * step if step >= 1 else number / round(1 / step) for number in numbers]
    return tuple((value, f"{value:.{decimals}f}".replace("-", "−")) for value in values)
