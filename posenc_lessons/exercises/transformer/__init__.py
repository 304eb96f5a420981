"""The exercises of lesson 07, and the decoder that they make together."""

from posenc_lessons.exercises.transformer.decoding import CACHED_STEP, GREEDY
from posenc_lessons.exercises.transformer.heads import CAUSAL_PADDING_MASK, CONTRIBUTIONS, SPLIT_HEADS
from posenc_lessons.exercises.transformer.norm import ADD_AND_NORM
from posenc_lessons.exercises.transformer.together import put_together

__all__ = ["put_together"]

check_add_and_norm = ADD_AND_NORM
check_cached_step = CACHED_STEP
check_causal_padding_mask = CAUSAL_PADDING_MASK
check_contributions = CONTRIBUTIONS
check_greedy = GREEDY
check_split_heads = SPLIT_HEADS
