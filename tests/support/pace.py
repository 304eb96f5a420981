"""Waits that last as long as this machine, busy as it is, may need.

A wait ends as soon as its condition holds, so a long limit costs nothing if nothing is wrong.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache

IDLE = 0.3  # seconds that an interpreter which loads NumPy takes on two idle cores
LEAST = 120.0  # seconds; a page with a kernel takes five on that machine, which may become busier
SLOWEST = 3.0  # times slower at most, or a failure would take too long


@cache
def patience() -> float:
    """Return the seconds to wait for one thing, computed from the time that a fresh interpreter took here."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import numpy"], check=True)
    slower = (time.perf_counter() - started) / IDLE
    return LEAST * min(max(1.0, slower), SLOWEST)


def wait_until(
    condition: Callable[[], object], told: Callable[[], object] = lambda: "", every: float = 0.02
) -> None:
    """Test ``condition()`` every ``every`` seconds until it holds; fail with ``told()`` if it does not."""
    deadline = time.monotonic() + patience()
    while not condition():
        assert time.monotonic() < deadline, told()
        time.sleep(every)
