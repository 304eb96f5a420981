"""Trains every model that comes trained: ``python -m posenc_lessons.experiments.trained``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

from posenc_lessons.experiments.trained.counter import make_counter
from posenc_lessons.experiments.trained.finders import FINDERS, make_finder
from posenc_lessons.experiments.trained.rewriters import make_rewriter
from posenc_lessons.experiments.trained.tables import TABLES, make_table
from posenc_lessons.models.registry import COURSE_ENCODINGS

# Each trains its models with a fixed seed, saves them, and returns the file.
MAKERS: tuple[Callable[[], Path], ...] = (
    make_counter,
    *(partial(make_rewriter, name) for name in COURSE_ENCODINGS),
    *(partial(make_finder, name) for name in FINDERS),
    *(partial(make_table, name) for name in TABLES),
)


def main() -> None:
    argparse.ArgumentParser("python -m posenc_lessons.experiments.trained", description=__doc__).parse_args()
    for make in MAKERS:
        path = make()
        print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
