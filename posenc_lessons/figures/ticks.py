"""Choose round numbers along an axis, and their labels, because scenes are made without Matplotlib."""

import math
from functools import lru_cache

Ticks = tuple[tuple[float, str], ...]

MOST_STEPS = 6


@lru_cache(maxsize=1024)  # most axes do not change while a slider moves
def round_ticks(start: float, end: float, whole: bool) -> Ticks:
    """Return the multiples of 1, 2 or 5 times a power of ten between ``start`` and ``end``, at most seven.

    They are (value, label) pairs. ``whole``: no fractions. An axis of length zero has no ticks.
    """
    low, high = min(start, end), max(start, end)
    rough = (high - low) / MOST_STEPS
    if rough <= 1e-14 * max(abs(low), abs(high)):
        return ()
    power = math.floor(math.log10(rough))
    step = next(s for s in (1, 2, 5, 10, 20) if s * 10.0**power >= rough) * 10.0**power
    if whole:
        step = max(1.0, step)
    slack = 1e-9  # rounding must not lose a number at an end
    numbers = range(math.ceil(low / step - slack), math.floor(high / step + slack) + 1)
    decimals = max(0, -math.floor(math.log10(step) + slack))
    return tuple((n * step, f"{n * step:.{decimals}f}".replace("-", "−")) for n in numbers)
