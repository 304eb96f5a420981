"""What importing the encodings costs on top of importing torch."""

from __future__ import annotations

import statistics
import subprocess
import sys

from benchmarks.side_by_side import table, verdict

ROUNDS = 11
GOAL = 0.10

# Both in one interpreter: the two differ by milliseconds, and two interpreters differ by more than that.
TIMED = """
import time
start = time.perf_counter()
import torch
between = time.perf_counter()
import posenc_lessons.encodings
print(between - start, time.perf_counter() - between)
"""


def seconds() -> tuple[float, float]:
    """How long a fresh interpreter takes to import torch, and then the encodings."""
    done = subprocess.run([sys.executable, "-c", TIMED], capture_output=True, text=True, check=True)
    torch_alone, encodings_after = map(float, done.stdout.split())
    return torch_alone, encodings_after


def run() -> str:
    """Measure; a section of Markdown."""
    seconds()  # files into the cache, bytecode written
    pairs = [seconds() for _ in range(ROUNDS)]
    torch_alone, encodings = (statistics.median(times) for times in zip(*pairs, strict=True))
    share = statistics.median(after / alone for alone, after in pairs)
    return "\n".join(
        [
            f"## Import time (fresh interpreters, median of {ROUNDS})",
            "",
            *table(
                " | time | of torch's",
                [
                    ["`import torch`", f"{1000 * torch_alone:.0f} ms", "100%"],
                    ["then `import posenc_lessons.encodings`", f"{1000 * encodings:.1f} ms", f"{share:.1%}"],
                ],
            ),
            f"The encodings load torch and little else; share of torch's time: {verdict(share, GOAL)}.",
            "",
        ]
    )
