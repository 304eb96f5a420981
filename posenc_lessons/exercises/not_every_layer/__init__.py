"""The exercises of lesson 10."""

from posenc_lessons.exercises.not_every_layer.features import ABSORB, KIND_OF, PROPORTIONAL, TWO_SCALES
from posenc_lessons.exercises.not_every_layer.layers import REACH, ROTATING

check_absorb = ABSORB
check_kind_of = KIND_OF
check_proportional = PROPORTIONAL
check_reach = REACH
check_rotating = ROTATING
check_two_scales = TWO_SCALES
