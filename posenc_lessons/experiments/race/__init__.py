"""The race: which encoding learns which task, and how well it does on longer sequences than in training.

Run it in Python with ``run_race(Race(), "race.json")``, or by the command
``python -m posenc_lessons.experiments.race --out race.json --seeds 0 1 2``.
"""

from typing import TYPE_CHECKING, Any

from posenc_lessons.experiments.race.results import (
    Results,
    Run,
    load_results,
    recorded_race,
)
from posenc_lessons.experiments.race.settings import RACE_TASKS, Entry, Race

if TYPE_CHECKING:
    from posenc_lessons.experiments.race.running import run_race

__all__ = [
    "RACE_TASKS",
    "Entry",
    "Race",
    "Results",
    "Run",
    "load_results",
    "recorded_race",
    "run_race",
]


def __getattr__(name: str) -> Any:
    """Load ``run_race`` only when it is used: looking at results does not need it."""
    if name == "run_race":
        from posenc_lessons.experiments.race import running

        return running.run_race
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
