"""The exercises of lesson 04; ``shaw`` and ``biases`` have their questions and mistakes."""

from posenc_lessons.exercises.relative import biases, shaw

check_table_rows = shaw.TABLE_ROWS
check_shaw_scores = shaw.SHAW_SCORES
check_weights_by_distance = shaw.WEIGHTS_BY_DISTANCE
check_bucket = biases.BUCKET
check_slopes = biases.SLOPES
