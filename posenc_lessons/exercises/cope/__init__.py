"""The exercises of lesson 06."""

from posenc_lessons.exercises.cope.attention import COPE_ATTENTION
from posenc_lessons.exercises.cope.counting import POSITIONS
from posenc_lessons.exercises.cope.table import INTERPOLATE_WITH_SLOPE, NTH_BACK, TABLE_FOR

check_cope_attention = COPE_ATTENTION
check_interpolate_with_slope = INTERPOLATE_WITH_SLOPE
check_nth_back = NTH_BACK
check_positions = POSITIONS
check_table_for = TABLE_FOR
