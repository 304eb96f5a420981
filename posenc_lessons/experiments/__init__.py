"""Small tasks, models trained on them, and the results: races between encodings, weights, recordings.

Needs torch, and tqdm for training.
"""

from typing import TYPE_CHECKING, Any

from posenc_lessons.experiments.tasks.copying import copy_back, what_followed
from posenc_lessons.experiments.tasks.counting import count_since_reset
from posenc_lessons.experiments.tasks.dates import rewrite_date
from posenc_lessons.experiments.tasks.looking_up import look_up
from posenc_lessons.experiments.tasks.pair import PairTask
from posenc_lessons.experiments.tasks.rearranging import reverse, sort
from posenc_lessons.experiments.tasks.task import Task

if TYPE_CHECKING:
    from posenc_lessons.experiments.training import History, accuracy, train

__all__ = [
    "History",
    "PairTask",
    "Task",
    "accuracy",
    "copy_back",
    "count_since_reset",
    "look_up",
    "reverse",
    "rewrite_date",
    "sort",
    "train",
    "what_followed",
]


def __getattr__(name: str) -> Any:
    """Load training only when it is used: a page without a kernel never trains."""
    if name in ("History", "accuracy", "train"):
        from posenc_lessons.experiments import training

        return getattr(training, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
