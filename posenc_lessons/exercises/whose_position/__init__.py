"""The exercises of lesson 09."""

from posenc_lessons.exercises.whose_position.counting import GO_ON, HARMLESS, PACK_MASK, PACK_POSITIONS
from posenc_lessons.exercises.whose_position.kept import READ_BASE, TURN_FURTHER, WITH_SINK

check_go_on = GO_ON.check
check_harmless = HARMLESS.check
check_pack_mask = PACK_MASK.check
check_pack_positions = PACK_POSITIONS.check
check_read_base = READ_BASE.check
check_turn_further = TURN_FURTHER.check
check_with_sink = WITH_SINK.check
