"""The exercises of lesson 01; ``order`` and ``weights`` have their questions and mistakes."""

from __future__ import annotations

from posenc_lessons.exercises.why_position.order import IS_EQUIVARIANT, PERMUTATION_MATRIX, READ_POSITIONS
from posenc_lessons.exercises.why_position.weights import ATTENTION_WEIGHTS, CAUSAL_MASK, MASKED_WEIGHTS

check_permutation_matrix = PERMUTATION_MATRIX
check_attention_weights = ATTENTION_WEIGHTS
check_is_equivariant = IS_EQUIVARIANT
check_causal_mask = CAUSAL_MASK
check_masked_weights = MASKED_WEIGHTS
check_read_positions = READ_POSITIONS
