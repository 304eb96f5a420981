"""The exercises of lesson 03; ``module``, ``rows`` and ``sizes`` have their questions and mistakes."""

from __future__ import annotations

from posenc_lessons.exercises.learned.module import LEARNED_POSITIONS
from posenc_lessons.exercises.learned.rows import POSITION_IDS, TABLE_GRADIENT
from posenc_lessons.exercises.learned.sizes import RESIZE_GRID, STRETCH

check_resize_grid = RESIZE_GRID
check_learned_positions = LEARNED_POSITIONS
check_table_gradient = TABLE_GRADIENT
check_position_ids = POSITION_IDS
check_stretch = STRETCH
