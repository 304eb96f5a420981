"""The exercises of lesson 03; ``module``, ``rows`` and ``sizes`` have their questions and mistakes."""

from posenc_lessons.exercises.learned import module, rows, sizes

check_learned_positions = module.LEARNED_POSITIONS
check_table_gradient = rows.TABLE_GRADIENT
check_stretch = sizes.STRETCH
