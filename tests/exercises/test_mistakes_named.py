"""Wrong answers that were written apart from the exercises are named as the mistakes that they make."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from posenc_lessons.exercises.by_name import find_exercise
from posenc_lessons.exercises.exercise import Exercise, Mistake
from tests.exercises.every import every_exercise
from tests.page.exercise_sweep import is_filled


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


def counted_from_the_beginning(scores: Tensor, mask: Tensor, most: float) -> Tensor:
    gates = torch.where(mask, 1 / (1 + (-scores).exp()), torch.zeros(()))
    return torch.where(mask, gates.cumsum(-1).clamp(max=most), torch.zeros(()))


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("rotary.rotate", rotated_clockwise, "Your rotation is transposed"),
        ("rotary.rotate", rotated_with_the_new_first_half, "the old one was overwritten"),
        ("cope.positions", counted_from_the_beginning, "The cumsum runs in the wrong direction"),
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
            exercise._tolerance_for(question),
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
        assert verdict.status == "wrong" and not is_filled(verdict.message.en, mistake.text.en), mistake.text


@every_exercise
def test_mistakes_with_different_messages_differ_on_some_question(exercise: Exercise) -> None:
    questions = exercise.asked()
    values = [
        [exercise._value_of(mistake.wrong, question) for question in questions]
        for mistake in exercise.mistakes
    ]
    for number, (mistake, own) in enumerate(zip(exercise.mistakes, values, strict=True)):
        for other, others in zip(exercise.mistakes[:number], values[:number], strict=True):
            if mistake.text == other.text:
                continue
            assert not all(
                exercise._same(value, other_value, exercise._tolerance_for(question))
                for question, value, other_value in zip(questions, own, others, strict=True)
            ), (mistake.text.en, other.text.en)


# Exercises, each with a digest of the values that its mistakes have on its questions. No other test
# tells that a mistake was lost, or is no longer the one that its message names. Who changes a question or a
# mistake on purpose reads the message again and writes the new number here.
DIGESTS = """
    start_here.swap_ends 19.764 why_position.attention_weights 33.746 why_position.is_equivariant 11.205
    why_position.read_positions 126.043 sinusoidal.my_table 117.964 sinusoidal.apart 27.758
    sinusoidal.my_head 24.993 learned.resize_grid -124.644 learned.LearnedPositions 2.771
    learned.table_gradient -6.629 learned.stretch 6.486 relative.table_rows 86.893
    relative.shaw_scores -28.992 relative.bucket -204.673 rotary.partial_rotate 37.204
    rotary.rotary_score 5.102 rotary.rotate 141.19 rotary.to_half_split -29.361 cope.nth_back 4.747
    cope.positions 96.458 cope.table_for 23.22 transformer.add_and_norm 28.755
    transformer.cached_step -13.746 transformer.causal_padding_mask 131.525
    transformer.split_heads_of_mine -101.112 longer_than_trained.beyond 23.696
    longer_than_trained.llama_frequencies 20.062 longer_than_trained.reach 6.399
    longer_than_trained.squeeze 113.867 whose_position.go_on 40.07 whose_position.harmless 22.132
    whose_position.pack_mask 58.36 whose_position.read_base 14.653 whose_position.turn_further -0.321
    not_every_layer.indexer_pairing 15.029 not_every_layer.kind_of 11.719 not_every_layer.proportional 27.59
    not_every_layer.reach 3.849 not_every_layer.rotating 21.536 more_coordinates.after_image 95.966
    more_coordinates.axial_rotate -12.474 more_coordinates.axis_of_pairs 54.599
    more_coordinates.fit_coordinates -40.213 more_coordinates.number_patches 57.09
"""


def _numbers(value: Any) -> list[float]:
    """Return the numbers in ``value``, squashed by the arctangent; a number for a text, 0 for None."""
    if isinstance(value, Tensor):
        value = (torch.view_as_real(value) if value.is_complex() else value).double().flatten().tolist()
    if isinstance(value, (list, tuple)):
        return [number for item in value for number in _numbers(item)]
    number = float(value) if isinstance(value, (int, float)) else sum(map(ord, value or "")) % 97 / 97
    return [0.0 if math.isnan(number) else math.atan(number)]


@every_exercise
@pytest.mark.filterwarnings("ignore:std")
def test_mistakes_are_those_that_were_read(exercise: Exercise) -> None:
    digest = 0.0
    for mistake in exercise.mistakes:
        values = [exercise._value_of(mistake.wrong, question) for question in exercise.asked()]
        fields = [
            compute(*question.arguments)
            for compute in mistake.values.values()
            for question in exercise.asked()
        ]
        digest += 1 + sum(
            math.cos(place**2) * number for place, number in enumerate(_numbers([values, fields]))
        )
    recorded = DIGESTS.split(f" {exercise.name} ")[1].split()[0]
    assert digest == pytest.approx(float(recorded), abs=2e-3)
