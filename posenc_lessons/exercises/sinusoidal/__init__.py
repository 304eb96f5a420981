"""The exercises of lesson 02; ``table`` and ``geometry`` have their questions and mistakes."""

from posenc_lessons.exercises.sinusoidal import geometry, table

check_base_for = table.BASE_FOR
check_table = table.TABLE
check_apart = geometry.APART
check_head = geometry.HEAD
check_add_positions = table.ADD_POSITIONS
