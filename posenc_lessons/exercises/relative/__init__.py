"""The exercises of lesson 04; ``shaw`` and ``buckets`` have their questions and mistakes."""

from posenc_lessons.exercises.relative import buckets, shaw

check_table_rows = shaw.TABLE_ROWS
check_shaw_scores = shaw.SHAW_SCORES
check_bucket = buckets.BUCKET
