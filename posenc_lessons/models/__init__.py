"""Models that any position encoding fits into, and small tasks to train them on. Needs torch and tqdm."""

from posenc_lessons.models.attention import MultiHeadAttention, causal_mask
from posenc_lessons.models.tasks import Task, copy_back
from posenc_lessons.models.training import History, accuracy, train

__all__ = ["History", "MultiHeadAttention", "Task", "accuracy", "causal_mask", "copy_back", "train"]
