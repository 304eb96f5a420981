"""Small tasks, training, and what was trained with them: races between encodings, weights, recordings.

Needs torch and tqdm.
"""

from posenc_lessons.experiments.tasks import (
    PairTask,
    Task,
    copy_back,
    count_since_reset,
    flip_flop,
    reverse,
    rewrite_date,
    selective_copy,
    sort,
    what_followed,
)
from posenc_lessons.experiments.training import History, accuracy, train

__all__ = [
    "History",
    "PairTask",
    "Task",
    "accuracy",
    "copy_back",
    "count_since_reset",
    "flip_flop",
    "reverse",
    "rewrite_date",
    "selective_copy",
    "sort",
    "train",
    "what_followed",
]
