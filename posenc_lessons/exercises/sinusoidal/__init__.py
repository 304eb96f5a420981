"""The exercises of lesson 02; ``table`` and ``geometry`` have their questions and mistakes."""

from posenc_lessons.exercises.sinusoidal import geometry, table

check_table = table.TABLE
check_apart = geometry.APART
check_head = geometry.HEAD
