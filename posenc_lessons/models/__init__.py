"""Models that any position encoding fits into, and small tasks to train them on. Needs torch and tqdm."""

from posenc_lessons.models.attention import MultiHeadAttention, causal_mask
from posenc_lessons.models.tasks import (
    PairTask,
    Task,
    copy_back,
    count_since_reset,
    flip_flop,
    reverse,
    rewrite_date,
    selective_copy,
    sort,
)
from posenc_lessons.models.training import History, accuracy, train

__all__ = [
    "History",
    "MultiHeadAttention",
    "PairTask",
    "Task",
    "accuracy",
    "causal_mask",
    "copy_back",
    "count_since_reset",
    "flip_flop",
    "reverse",
    "rewrite_date",
    "selective_copy",
    "sort",
    "train",
]
