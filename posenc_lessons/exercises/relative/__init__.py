"""The exercises of lesson 04; ``shaw`` and ``biases`` have their questions and mistakes."""

from __future__ import annotations

from posenc_lessons.exercises.relative.biases import BUCKET, SLOPES
from posenc_lessons.exercises.relative.shaw import SHAW_SCORES, TABLE_ROWS, WEIGHTS_BY_DISTANCE

check_table_rows = TABLE_ROWS
check_shaw_scores = SHAW_SCORES
check_weights_by_distance = WEIGHTS_BY_DISTANCE
check_bucket = BUCKET
check_slopes = SLOPES
