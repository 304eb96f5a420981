"""How long to wait for what should happen: as long as this machine, as busy as it is, may take.

A wait ends with what it waits for, so patience costs nothing where all is well.
"""

from __future__ import annotations

import subprocess
import sys
import time
from functools import cache

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
