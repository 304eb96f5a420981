"""The exercises of lesson 02; ``table`` and ``geometry`` have their questions and mistakes."""

from __future__ import annotations

from posenc_lessons.exercises.sinusoidal.geometry import APART, HEAD
from posenc_lessons.exercises.sinusoidal.table import ADD_POSITIONS, BASE_FOR, TABLE

check_base_for = BASE_FOR
check_table = TABLE
check_apart = APART
check_head = HEAD
check_add_positions = ADD_POSITIONS
