"""Wrong answers that were written apart from the exercises are named as the mistakes that they make."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from posenc_lessons.encodings import sinusoidal_encoding as waves
from posenc_lessons.exercises.by_name import find_exercise
from posenc_lessons.exercises.exercise import Exercise, Mistake
from tests.exercises.every import every_exercise
from tests.support.digests import assert_recorded


def rotated_clockwise(x: Tensor, positions: Tensor, base: float) -> Tensor:
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angles = (positions[..., None] * theta)[:, None]
    a, b = x.double().chunk(2, dim=-1)
    return torch.cat([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], dim=-1)


def rotated_with_the_new_first_half(x: Tensor, positions: Tensor, base: float) -> Tensor:
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angles = (positions[..., None] * theta)[:, None]
    a, b = x.double().chunk(2, dim=-1)
    a = a * angles.cos() - b * angles.sin()
    return torch.cat([a, a * angles.sin() + b * angles.cos()], dim=-1)


def rotated_by_tables_for_neighbours(x: Tensor, positions: Tensor, base: float) -> Tensor:
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    tables = (positions[..., None] * theta)[:, None].repeat_interleave(2, dim=-1)
    a, b = x.double().chunk(2, dim=-1)
    return x * tables.cos() + torch.cat([-b, a], dim=-1) * tables.sin()


def in_halves_by_float32(at: Tensor, d: int, base: float) -> Tensor:
    angles = at[:, None] / base ** (torch.arange(0, d, 2) / d)  # wrong at position 1000000 too
    return torch.cat([angles.sin(), angles.cos()], dim=-1)


def documents(positions: Tensor) -> Tensor:
    return (positions == 0).cumsum(0)


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        # the kinds of mistakes that recur
        (
            "whose_position.go_on",
            lambda real, n: real.sum(1)[:, None] + torch.arange(1, n + 1),
            "one too large",
        ),
        (
            "whose_position.turn_further",
            lambda at, first, latest: (
                torch.cat([at[:first], at[len(at) - latest :]]) - torch.arange(first + latest)
            ),
            "The sign is wrong",
        ),
        (
            "more_coordinates.number_patches",
            lambda height, width: torch.ones(height, width).nonzero()[:, [1, 0]],
            "Row and column are exchanged",
        ),
        (
            "whose_position.pack_mask",
            lambda at: ~(documents(at)[:, None] == documents(at)).tril(),
            "Your mask is inverted",
        ),
        ("sinusoidal.my_table", lambda at, d, base: waves(at + 1, d, base=base), "one too large"),
        (
            "sinusoidal.my_table",
            lambda at, d, base: waves(len(at), d, base=base),
            "positions passed in were not",
        ),
        ("sinusoidal.my_table", lambda at, d, base: waves(at, d), "The base is fixed at 10000"),
        ("sinusoidal.my_table", lambda at, d, base: waves(at, d, base=base**0.5), "Your exponent is i/d"),
        ("sinusoidal.my_table", in_halves_by_float32, "two halves"),
        ("rotary.to_half_split", lambda weight, n_heads: weight.clone(), "It came back unchanged"),
        ("rotary.rotate", rotated_clockwise, "Your rotation is transposed"),
        ("rotary.rotate", rotated_with_the_new_first_half, "the old one was overwritten"),
        ("rotary.rotate", rotated_by_tables_for_neighbours, "cos and sin are laid out for another pairing"),
    ],
)
def test_a_wrong_answer_is_named(name: str, answer: Callable[..., Any], words: str) -> None:
    verdict = find_exercise(name).check(answer)
    assert verdict.status == "wrong" and words in verdict.message.en


def _refusals(exercise: Exercise, mistake: Mistake) -> list[int]:
    """Return the numbers of the questions on which a mistake's value is wrong."""
    return [
        number
        for number, question in enumerate(exercise.asked())
        if not exercise._same(
            exercise._value_of(mistake.wrong, question),
            exercise._value_of(exercise.solution, question),
        )
    ]


@every_exercise
def test_an_answer_that_makes_a_mistake_only_once_is_not_called_that_mistake(exercise: Exercise) -> None:
    """Two mistakes may agree on the question that refuses them: the others must tell them apart."""
    for mistake in exercise.mistakes:
        refusals = _refusals(exercise, mistake)
        if exercise.pose.__name__ != "_call" or len(refusals) < 2:
            continue
        calls = iter(range(refusals[0] + 1))

        def answer(*arguments: Any, calls: Any = calls, mistake: Mistake = mistake) -> Any:
            return (exercise.solution if next(calls, None) is None else mistake.wrong)(*arguments)

        verdict = exercise.check(answer)
        assert verdict.status == "wrong" and verdict.message != mistake.text, mistake.text


def _numbers(value: Any) -> list[float]:
    """Return the numbers in ``value``; a number for a text, and for None."""
    if isinstance(value, Tensor):
        value = (torch.view_as_real(value) if value.is_complex() else value).double().flatten().tolist()
    if isinstance(value, (list, tuple, dict)):
        value = list(value.values()) if isinstance(value, dict) else value
        return [number for item in value for number in _numbers(item)]
    number = float(value) if isinstance(value, (int, float)) else sum(map(ord, value or "")) % 97 / 97
    return [number if math.isfinite(number) else -1.0]


@every_exercise
@pytest.mark.filterwarnings("ignore:std")
def test_mistakes_are_the_recorded_ones(exercise: Exercise) -> None:
    questions, values = exercise.asked(), []
    for mistake in exercise.mistakes:
        values.append(
            np.array(_numbers([exercise._value_of(mistake.wrong, question) for question in questions]))
        )
    assert_recorded(exercise.name, values)
