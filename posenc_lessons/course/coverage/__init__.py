"""Where the course treats what its study notes teach: every section of theirs, and the cells of ours.

The course grew from five sets of public study notes, D0 to D4, right in most places and wrong in some. § 0.1
is the first section of D0.
"""

from posenc_lessons.course.coverage.cells import CELLS
from posenc_lessons.course.coverage.lessons import LESSONS, Lesson
from posenc_lessons.course.coverage.sections import COVERAGE, DOCUMENTS, Section
from posenc_lessons.course.coverage.table import table

__all__ = ["CELLS", "COVERAGE", "DOCUMENTS", "LESSONS", "Lesson", "Section", "table"]
