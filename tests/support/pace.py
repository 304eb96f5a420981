"""How long to wait for what should happen: as long as this machine, as busy as it is, may take.

A wait ends with what it waits for, so patience costs nothing where all is well.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache

import psutil  # type: ignore[import-untyped]

IDLE = 0.3  # seconds that an interpreter which loads NumPy takes on two idle cores
LEAST = 120.0  # seconds; a page whose kernel starts takes five there, but it may become busier than it was
SLOWEST = 3.0  # times slower than that: beyond, a failure would take all day to show


@cache
def patience() -> float:
    """Seconds to wait for one thing, by how long a fresh interpreter took once on this machine."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import numpy"], check=True)
    slower = (time.perf_counter() - started) / IDLE
    return LEAST * min(max(1.0, slower), SLOWEST)


def wait_until(
    condition: Callable[[], object], told: Callable[[], object] = lambda: "", every: float = 0.02
) -> None:
    """Look until ``condition()`` holds, ``every`` so many seconds; else the error is ``told()``."""
    deadline = time.monotonic() + patience()
    while not condition():
        assert time.monotonic() < deadline, told()
        time.sleep(every)


def is_gone(process: psutil.Process) -> bool:
    """Whether it has ended, also if nobody has asked yet how, and if its number is another's by now."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
