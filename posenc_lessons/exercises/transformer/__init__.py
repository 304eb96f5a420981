"""The exercises of lesson 07, and the decoder that they make together."""

from posenc_lessons.exercises.transformer import decoding, heads, norm
from posenc_lessons.exercises.transformer.together import put_together

__all__ = ["put_together"]

check_add_and_norm = norm.ADD_AND_NORM
check_cached_step = decoding.CACHED_STEP
check_causal_padding_mask = heads.CAUSAL_PADDING_MASK
check_contributions = heads.CONTRIBUTIONS
check_greedy = decoding.GREEDY
check_split_heads = heads.SPLIT_HEADS
