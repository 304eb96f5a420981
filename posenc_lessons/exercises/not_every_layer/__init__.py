"""The exercises of lesson 10."""

from posenc_lessons.exercises.not_every_layer import features, layers

check_absorb = features.ABSORB
check_kind_of = features.KIND_OF
check_proportional = features.PROPORTIONAL
check_reach = layers.REACH
check_rotating = layers.ROTATING
check_two_scales = features.TWO_SCALES
