"""A number that stands for many: what a picture draws, or the values of an exercise's named mistakes.

Nothing else tells that a line stands at the wrong place, or that a mistake is no longer the one that its
message names. Who changes one on purpose looks at it, and records the new numbers with
``POSENC_RECORD=1 pytest tests/figures/test_gallery.py tests/exercises/test_mistakes_named.py -k recorded``.
"""

import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

FILE = Path(__file__).with_name("digests.txt")


def assert_recorded(name: str, several: Iterable[np.ndarray]) -> None:
    """Assert that the digest of ``several`` arrays of numbers is the recorded one of ``name``."""
    digest = 0.0
    for numbers in several:  # of irregular weights, lest changes of neighbours add up to nothing
        digest += 1 + float(np.cos(np.arange(numbers.size) ** 2) @ np.arcsinh(np.nan_to_num(numbers.ravel())))
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    recorded = dict(line.rsplit(" ", 1) for line in lines)
    if os.environ.get("POSENC_RECORD") == "1":
        recorded[name] = f"{digest:.3f}"
        lines = [" ".join(item) + "\n" for item in sorted(recorded.items())]
        FILE.write_text("".join(lines), encoding="utf-8")
    assert name in recorded, f"{name} has no record: look at it, then record it (see above)"
    assert digest == pytest.approx(float(recorded[name]), abs=0.01), name
