"""The exercises of lesson 09."""

from posenc_lessons.exercises.whose_position.counting import GO_ON, HARMLESS, PACK_MASK, PACK_POSITIONS
from posenc_lessons.exercises.whose_position.kept import READ_BASE, TURN_FURTHER, WITH_SINK

check_go_on = GO_ON
check_harmless = HARMLESS
check_pack_mask = PACK_MASK
check_pack_positions = PACK_POSITIONS
check_read_base = READ_BASE
check_turn_further = TURN_FURTHER
check_with_sink = WITH_SINK
