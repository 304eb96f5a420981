"""What every exercise's check must do, whatever it is about: accept the solution, wait for a stub, and
answer anything else in words of both languages, never with a traceback."""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from posenc_lessons import exercises as checks
from posenc_lessons.exercises import solutions
from posenc_lessons.exercises.verdict import Verdict

Answer = Callable[..., Any]
Check = Callable[[Any], Verdict]

# check_NAME asks for the function NAME; these ask for something called otherwise.
OTHER_NAMES = {"table": "sinusoidal_table", "learned_positions": "LearnedPositions"}


def exercises() -> dict[str, tuple[Check, Answer]]:
    """Every check with its solution, by ``lesson.check``."""
    found = {}
    for lesson in sorted(module.name for module in pkgutil.iter_modules(solutions.__path__)):
        asking = importlib.import_module(f"{checks.__name__}.{lesson}")
        answering = importlib.import_module(f"{solutions.__name__}.{lesson}")
        for name, check in vars(asking).items():
            if name.startswith("check_") and check.__module__ == asking.__name__:
                exercise = name.removeprefix("check_")
                solution = getattr(answering, OTHER_NAMES.get(exercise, exercise))
                found[f"{lesson}.{name}"] = (check, solution)
    return found


EXERCISES = exercises()
every_check = pytest.mark.parametrize("name", EXERCISES)


@every_check
def test_the_solution_passes(name: str) -> None:
    check, solution = EXERCISES[name]
    verdict = check(solution)
    assert verdict.passed, verdict


def stub_of_dots(*_: Any) -> Any:
    return ...


def stub_of_none(*_: Any) -> None:
    return None


def stub_not_implemented(*_: Any) -> Any:
    raise NotImplementedError


@every_check
@pytest.mark.parametrize("stub", [stub_of_dots, stub_of_none, stub_not_implemented])
def test_a_stub_is_not_yet(name: str, stub: Answer) -> None:
    assert EXERCISES[name][0](stub).status == "not yet"


def divides_by_zero(*_: Any) -> Any:
    return 1 // 0


def has_a_wrong_key(*_: Any) -> Any:
    raise KeyError("theta")


def recurses_for_ever(*arguments: Any) -> Any:
    return recurses_for_ever(*arguments)


def wants_no_arguments() -> Tensor:
    return torch.zeros(4)


def wants_many_arguments(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any) -> Any:
    return a


@every_check
@pytest.mark.parametrize(
    ("broken", "error"),
    [
        (divides_by_zero, "ZeroDivisionError"),
        (has_a_wrong_key, "KeyError"),
        (recurses_for_ever, "RecursionError"),
        (wants_no_arguments, "TypeError"),
        (wants_many_arguments, "TypeError"),
    ],
)
def test_an_error_of_the_learners_is_told_not_raised(name: str, broken: Answer, error: str) -> None:
    verdict = EXERCISES[name][0](broken)
    assert verdict.status == "wrong"
    assert error in verdict.message.zh and error in verdict.message.en


STRANGE = [
    1.5,
    "0 1 0 1",
    [0.5, 1.5],
    (),
    (torch.zeros(8, 3),),
    (torch.zeros(8, 3), None),
    (torch.zeros(()), torch.zeros(())),
    (torch.zeros(8, 3, dtype=torch.complex64), torch.zeros(8, 3)),
    (torch.zeros(8, 3, device="meta"), torch.zeros(8, 3, device="meta")),
    np.zeros((10, 4)),
    torch.tensor(0.25),
    torch.zeros(0),
    torch.zeros(3, 3, 3, 3, 3),
    torch.full((10, 4), math.nan),
    torch.full((1, 4, 6), math.inf),
    torch.zeros(10, 4, dtype=torch.complex64),
    torch.zeros(10, 4, dtype=torch.bfloat16),
    torch.zeros(10, 4, dtype=torch.bool),
    torch.zeros(10, 4, device="meta"),
    torch.zeros(11, 7, requires_grad=True),
    torch.eye(11).to_sparse(),
    torch.Size([4]),
    {"table": torch.zeros(4)},
]


@every_check
@pytest.mark.parametrize("answer", STRANGE, ids=lambda answer: " ".join(repr(answer).split())[:60])
def test_a_strange_answer_gets_a_message_and_no_traceback(name: str, answer: object) -> None:
    verdict = EXERCISES[name][0](lambda *_: answer)
    assert verdict.status == "wrong"
    assert verdict.message.zh and verdict.message.en


@every_check
def test_what_is_no_function_is_told_kindly(name: str) -> None:
    verdict = EXERCISES[name][0](3)
    assert verdict.status == "wrong" and "int" in verdict.message.zh and "int" in verdict.message.en


SPOILT: dict[str, Callable[[Tensor], Tensor]] = {
    "nan": lambda y: y.double() * math.nan,
    "complex": lambda y: y.to(torch.complex64),
    "one axis too many": lambda y: y[..., None],
    "no data": lambda y: y.to("meta"),
}


@every_check
@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_right_answer_spoilt_is_rejected(name: str, spoil: Callable[[Tensor], Tensor]) -> None:
    check, solution = EXERCISES[name]
    spoilt = []

    def answer(*arguments: Any) -> Any:
        right = solution(*arguments)
        if isinstance(right, Tensor) and right.ndim:  # a number may come in a shape of ones
            spoilt.append(True)
            return spoil(right)
        return right

    verdict = check(answer)
    assert verdict.status == ("wrong" if spoilt else "passed")


@every_check
def test_an_english_message_holds_no_chinese(name: str) -> None:
    for answer in (EXERCISES[name][1], stub_of_none, divides_by_zero, *(lambda *_, a=a: a for a in STRANGE)):
        said = EXERCISES[name][0](answer).message.en
        assert not any("\u3400" <= character <= "\u9fff" for character in said), said
