"""The exercises of lesson 10."""

from posenc_lessons.exercises.not_every_layer import features, layers, probes

check_indexer_pairing = probes.INDEXER_PAIRING
check_proportional = features.PROPORTIONAL
check_reach = layers.REACH
check_rotating = layers.ROTATING
