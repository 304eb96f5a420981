"""The exercises of lesson 07."""

from posenc_lessons.exercises.transformer import decoding, heads

check_cached_step = decoding.CACHED_STEP
check_causal_padding_mask = heads.CAUSAL_PADDING_MASK
check_split_heads = heads.SPLIT_HEADS
