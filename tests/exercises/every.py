"""Every exercise of the lessons, by its name, for tests of all of them."""

import pytest

from posenc_lessons.course.lessons import lesson_names, shipped_lessons
from posenc_lessons.exercises.by_name import exercises_of

LESSONS = shipped_lessons()
NAMES = lesson_names(LESSONS)
EXERCISES = {exercise.name: exercise for name in NAMES for exercise in exercises_of(name[3:])}
every_exercise = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
