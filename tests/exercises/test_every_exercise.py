"""Every exercise's check accepts the solution, waits for a stub, gives each mistake its own message, answers
anything else in both languages, and is called in the notebooks."""

import ast
import copy
import importlib
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from posenc_lessons.exercises.by_name import exercises_of, find_exercise
from posenc_lessons.exercises.comparing import unchanged
from posenc_lessons.exercises.exercise import CHANGED, Exercise
from posenc_lessons.exercises.verdict import Verdict
from posenc_lessons.language import HAN, Text
from tests.exercises.every import EXERCISES, LESSONS, NAMES, every_exercise
from tests.exercises.right_answers import RIGHT
from tests.exercises.wrong_answers import WRONG, adding
from tests.page import exercise_sweep
from tests.page.exercise_sweep import is_filled

Answer = Callable[..., Any]


ANSWERS = [
    *(
        pytest.param(
            EXERCISES[name], answer, lambda verdict: verdict.passed, id=f"{name}-right answer {number}"
        )
        for name, answers in RIGHT.items()
        for number, answer in enumerate(answers)
    ),
    *(
        pytest.param(
            EXERCISES[name],
            answer,
            lambda verdict, text=text: is_filled(verdict.message.en, text.en) and not verdict.passed,
            id=f"{name}-{text.en:.60}",
        )
        for name, answers in WRONG.items()
        for text, answer in answers
    ),
    *(
        pytest.param(exercise, answer, fits, id=f"{name}-{what:.60}")
        for name, exercise in EXERCISES.items()
        for what, answer, fits in exercise_sweep.answers(exercise)
    ),
]


def _in_both_languages(text: Text) -> bool:
    return text.zh != text.en and not HAN.search(text.en)


@pytest.mark.parametrize(("exercise", "answer", "fits"), ANSWERS)
def test_an_answer_gets_its_verdict(
    exercise: Exercise, answer: Answer, fits: Callable[[Verdict], bool]
) -> None:
    verdict = exercise.check(answer)
    assert fits(verdict) and _in_both_languages(verdict.message), verdict
    assert not verdict.passed or verdict.message == exercise.praise


@every_exercise
def test_an_exercise_names_at_least_four_mistakes(exercise: Exercise) -> None:
    others = {text for text, _ in WRONG.get(exercise.name, ())}
    assert len({mistake.text for mistake in exercise.mistakes} | others) >= 4


@every_exercise
def test_the_message_for_none_mentions_return(exercise: Exercise) -> None:
    verdict = exercise.check(lambda *_: None)
    assert verdict.status == "wrong" and verdict.message == exercise.nothing, verdict


def divides_by_zero(*_: Any) -> Any:
    return 1 // 0


def wants_no_arguments() -> Tensor:
    return torch.zeros(4)


@every_exercise
@pytest.mark.parametrize(
    ("broken", "error"),
    [
        (divides_by_zero, "ZeroDivisionError"),
        (wants_no_arguments, "TypeError"),
    ],
)
def test_a_learners_error_is_reported_not_raised(exercise: Exercise, broken: Answer, error: str) -> None:
    verdict = exercise.check(broken)
    assert verdict.status == "wrong"
    assert repr(verdict).count(error) == 2  # in both languages


def test_a_module_with_an_unfinished_forward_counts_as_not_answered() -> None:
    verdict = EXERCISES["learned.LearnedPositions"].check(adding(lambda *_: ...))  # type: ignore[arg-type]
    assert verdict.status == "not yet"


STRANGE = [
    1.5,
    (),
    (torch.zeros(8, 3), None),
    (torch.zeros(8, 3, dtype=torch.complex64), torch.zeros(8, 3)),
    np.zeros((10, 4)),
    torch.zeros(0),
    torch.zeros(3, 3, 3, 3, 3),
    torch.full((10, 4), math.nan),
    torch.zeros(10, 4, dtype=torch.complex64),
    torch.zeros(10, 4, dtype=torch.bfloat16),
    torch.zeros(10, 4, device="meta"),
    torch.eye(11).to_sparse(),
    len,
]


@every_exercise
def test_a_strange_answer_gets_a_message_and_no_traceback(exercise: Exercise) -> None:
    for strange in STRANGE:
        verdict = exercise.check(lambda *_, strange=strange: strange)
        assert verdict.status == "wrong", strange
        assert _in_both_languages(verdict.message), strange


@every_exercise
def test_an_answer_cannot_spoil_its_check_by_changing_the_arguments(exercise: Exercise) -> None:
    """A right answer that empties its arguments is accepted or told so, and the questions stay."""
    emptied, questions = [], copy.deepcopy([question.arguments for question in exercise.asked()])

    def ruins(*arguments: Any) -> Any:
        right = exercise.solution(*arguments)
        for argument in arguments:
            if isinstance(argument, Tensor):
                argument.data = torch.zeros_like(argument)
            elif isinstance(argument, list):
                argument.clear()
            emptied.append(isinstance(argument, Tensor | list))
        return right

    verdict = exercise.check(ruins)
    assert not verdict.passed or exercise.changed is None or not any(emptied)
    changed = exercise.changed or CHANGED
    assert verdict.passed or verdict.message == changed
    for question, arguments in zip(exercise.asked(), questions, strict=True):
        assert all(map(unchanged, arguments, question.arguments))


# ---- the notebooks --------------------------------------------------------------------------------------


def _asked(notebook: Path) -> list[tuple[str, str, str]]:
    """Return the names of a notebook's exercises, each with its check and what the cell calls it with."""
    asked = []
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if name := cell["metadata"].get("exercise"):
            call = ast.parse("".join(cell["source"])).body[-1].value  # type: ignore[attr-defined]
            check, argument = (ast.unparse(part).rpartition(".")[2] for part in (call.func, call.args[0]))
            asked.append((name, check, argument))
    return asked


@pytest.mark.parametrize("lesson", NAMES)
def test_lessons_ask_their_exercises_and_solutions_answer_them(lesson: str) -> None:
    checks = vars(importlib.import_module(f"posenc_lessons.exercises.{lesson[3:]}"))
    asked, answered = (_asked(folder / f"{lesson}.ipynb") for folder in (LESSONS, LESSONS / "solutions"))
    assert {name for name, _, _ in asked} == {exercise.name for exercise in exercises_of(lesson[3:])}
    assert [name for name, _, _ in answered] == [name for name, _, _ in asked]
    for name, check, argument in asked:
        assert checks[check] is find_exercise(name) and argument == find_exercise(name).stub
    for name, check, argument in answered:
        assert checks[check] is find_exercise(name) and argument == find_exercise(name).solution.__name__


def test_every_exercise_has_its_own_name() -> None:
    assert set(EXERCISES.values()) == set(exercise_sweep.exercises().values())
    assert len(EXERCISES) == len(exercise_sweep.exercises())
    with pytest.raises(KeyError):
        find_exercise("rotary.nothing")
