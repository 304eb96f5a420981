"""The exercises of lesson 01; ``order`` and ``weights`` have their questions and mistakes."""

from posenc_lessons.exercises.why_position import order, weights

check_attention_weights = weights.ATTENTION_WEIGHTS
check_is_equivariant = order.IS_EQUIVARIANT
check_read_positions = order.READ_POSITIONS
