"""The exercises of lesson 09."""

from posenc_lessons.exercises.whose_position import counting, kept

check_go_on = counting.GO_ON
check_harmless = counting.HARMLESS
check_pack_mask = counting.PACK_MASK
check_turn_further = kept.TURN_FURTHER
