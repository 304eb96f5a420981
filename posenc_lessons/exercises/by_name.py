"""Find an exercise by its name ``LESSON.STUB``, as in ``metadata.exercise`` of a cell and in the progress."""

import importlib

from posenc_lessons.exercises.exercise import Exercise


def exercises_of(lesson: str) -> tuple[Exercise, ...]:
    """Return the exercises of ``lesson``, such as ``rotary``. Raises ModuleNotFoundError if it has none."""
    module = importlib.import_module(f"{__package__}.{lesson}")
    return tuple(
        exercise
        for name, exercise in vars(module).items()
        if name.startswith("check_") and isinstance(exercise, Exercise)
    )


def find_exercise(name: str) -> Exercise:
    """Return the exercise called ``name``, such as ``rotary.rotate``. Raises KeyError if there is none."""
    lesson, _, _stub = name.partition(".")
    return {exercise.name: exercise for exercise in exercises_of(lesson)}[name]
