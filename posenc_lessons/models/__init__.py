"""Models that any position encoding fits into, and small tasks to train them on."""

from posenc_lessons.models.attention import MultiHeadAttention, causal_mask

__all__ = ["MultiHeadAttention", "causal_mask"]
