"""The exercises of lesson 05."""

from posenc_lessons.exercises.rotary.attention import ATTEND
from posenc_lessons.exercises.rotary.features import PARTIAL_ROTATE, TO_HALF_SPLIT
from posenc_lessons.exercises.rotary.rotation import ROTARY_SCORE, ROTATE
from posenc_lessons.exercises.rotary.tables import TABLES

check_attend = ATTEND
check_partial_rotate = PARTIAL_ROTATE
check_rotary_score = ROTARY_SCORE
check_rotate = ROTATE
check_tables = TABLES
check_to_half_split = TO_HALF_SPLIT
