"""Exercises that take the signatures of other courses: answered from question pages, not from a lesson."""

from posenc_lessons.exercises.other_courses.cs336 import RUN_ROPE
from posenc_lessons.exercises.other_courses.llms_from_scratch import APPLY_ROPE
from posenc_lessons.exercises.other_courses.llms_from_scratch_tables import COMPUTE_ROPE_PARAMS

check_run_rope = RUN_ROPE.check
check_compute_rope_params = COMPUTE_ROPE_PARAMS.check
check_apply_rope = APPLY_ROPE.check
