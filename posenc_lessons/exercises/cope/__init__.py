"""The exercises of lesson 06."""

from posenc_lessons.exercises.cope import counting, table

check_nth_back = table.NTH_BACK
check_positions = counting.POSITIONS
check_table_for = table.TABLE_FOR
