"""The exercises of lesson 05."""

from posenc_lessons.exercises.rotary.attention import ATTEND
from posenc_lessons.exercises.rotary.features import PARTIAL_ROTATE, TO_HALF_SPLIT
from posenc_lessons.exercises.rotary.rotation import ROTARY_SCORE, ROTATE
from posenc_lessons.exercises.rotary.tables import TABLES

check_attend = ATTEND.check
check_partial_rotate = PARTIAL_ROTATE.check
check_rotary_score = ROTARY_SCORE.check
check_rotate = ROTATE.check
check_tables = TABLES.check
check_to_half_split = TO_HALF_SPLIT.check
