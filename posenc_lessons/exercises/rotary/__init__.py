"""The exercises of lesson 05."""

from posenc_lessons.exercises.rotary import features, rotation

check_rotary_score = rotation.ROTARY_SCORE
check_rotate = rotation.ROTATE
check_to_half_split = features.TO_HALF_SPLIT
