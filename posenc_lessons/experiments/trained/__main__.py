"""Train every model that comes trained: ``python -m posenc_lessons.experiments.trained``."""

import argparse
from typing import Any

from posenc_lessons.experiments.trained.induction import INDUCTION
from posenc_lessons.experiments.trained.rewriters import REWRITERS
from posenc_lessons.experiments.trained.store import TrainedModels
from posenc_lessons.experiments.trained.tables import TABLES

KINDS: tuple[TrainedModels[Any], ...] = (REWRITERS, INDUCTION, TABLES)


def main() -> None:
    argparse.ArgumentParser("python -m posenc_lessons.experiments.trained", description=__doc__).parse_args()
    for kind in KINDS:
        for name in kind.names:
            path = kind.make(name)
            print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
