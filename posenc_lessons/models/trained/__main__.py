"""Trains every model that comes trained: ``python -m posenc_lessons.models.trained``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from posenc_lessons.models.trained.counter import make_counter

# Each trains its models with a fixed seed, saves them, and returns the file.
MAKERS: tuple[Callable[[], Path], ...] = (make_counter,)


def main() -> None:
    for make in MAKERS:
        path = make()
        print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
