"""Messages for answers that an exercise does not know, and how messages are filled in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from posenc_lessons.exercises.exercise import CHANGED, NOT_FINITE, Exercise, Question
from posenc_lessons.exercises.verdict import Asked, Wrong
from posenc_lessons.language import Text

LONG = Text("长的不对，差 {error}。", "Wrong for a long x, by {error}.")
NO_HALF = Text("{dtype} 不行。", "{dtype} will not do.")


def doubled(x: Tensor, times: int) -> Tensor:
    """Return two times x [n]; ``times`` has no effect."""
    return 2 * x


DOUBLED = Exercise(
    doubled,
    questions=(
        (torch.tensor([0.5, 3.0]), 1),
        (torch.tensor([[1.0, 4.0]]), 2),
        Question(torch.arange(100.0), 3, otherwise=LONG),
    ),
    praise=Text("对。", "Right."),
    changed=CHANGED,
)


@DOUBLED.mistake("加成了 {times} 倍的 {plus}。", "{plus} was added {times} times.", plus=lambda x, times: 2)
def two_added(x: Tensor, times: int) -> Tensor:
    return x + 2


@DOUBLED.mistake("只剩一个数，形状 {shape}。", "One number is left, shape {shape}.")
def summed(x: Tensor, times: int) -> Tensor:
    return 2 * x.sum()


@DOUBLED.mistake("这条消息没有人听得到。", "Nobody hears this message.")
def breaks_down(x: Tensor, times: int) -> Tensor:
    raise ValueError


@DOUBLED.mistake("也没有人听得到。", "Nor this one.")
def right_at_first(x: Tensor, times: int) -> Tensor:
    return 2 * x if x.ndim == 1 else 3 * x


@DOUBLED.probe
def _takes_half(answer: Asked) -> None:
    dtype = answer(torch.ones(2, dtype=torch.float16), 1).dtype
    if dtype != torch.float16:
        raise Wrong.saying(NO_HALF, dtype=dtype)


def in_place(x: Tensor, times: int) -> Tensor:
    return x.mul_(2)


def fails_when_long(x: Tensor, times: int) -> Tensor:
    return 2 * x[:50] if len(x) < 100 else 2 * x[200]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (doubled, "Right."),
        (two_added, "2 was added 1 times."),
        (lambda x, times: two_added(x, times).float() + 1e-6, "2 was added 1 times."),
        (summed, "One number is left, shape []."),
        (lambda x, times: torch.tensor(5), "One number is left, shape []."),  # the shape has its own message
        (right_at_first, "Nor this one."),
        (lambda x, times: x[:1], "doubled(x [2], 1) should have shape [2]; yours has [1]."),
        (lambda x, times: two_added(x, times) + 0.01, "should be 1; yours is 2.51."),
        (lambda x, times: 3 * x, "doubled(x [2], 1)[0] should be 1; yours is 1.5."),
        (lambda x, times: 2.00001 * x + 1e-5, "doubled(x [2], 1)[0] should be 1; yours is 1.000015."),
        (lambda x, times: x / 0, NOT_FINITE.format(call="doubled(x [2], 1)").en),
        (lambda x, times: (2 * x).half(), "doubled(x [2], 1) returned torch.float16, which keeps about 3"),
        (lambda x, times: "two", "doubled(x [2], 1) should return a torch tensor; yours returned str."),
        (in_place, CHANGED.format(changed="x").en),
        (lambda x, times: 2 * x + (len(x) == 100), "Wrong for a long x, by 1."),
        (fails_when_long, "raised on its line 2 IndexError"),
        (lambda x, times: 2 * x.float(), "torch.float32 will not do."),
        (lambda x, times: x.relu() + x if x.dtype == torch.float32 else x.numpy().nothing, "AttributeError"),
    ],
)
def test_the_message_for_each_answer(answer: Callable[[Tensor, int], Tensor], said: str) -> None:
    message = DOUBLED.check(answer).message
    assert said in message.en
    assert message.zh != message.en


@pytest.mark.parametrize(
    ("argument", "named"),
    [
        (torch.arange(4), "arange(4)"),
        (torch.tensor([3, 1]), "tensor([3, 1])"),
        (torch.tensor([[True, False]]), "tensor([[True, False]])"),
        (torch.ones(20).bool(), "x [20]"),
        (torch.rand(2, 3), "x [2, 3]"),
        (10000.0, "10000"),
        (["a", "b"], "['a', 'b']"),
    ],
)
def test_short_arguments_are_shown_and_long_ones_named_by_shape(argument: object, named: str) -> None:
    def count(x: object) -> Tensor:
        return torch.ones(())

    exercise = Exercise(count, ((argument,),), DOUBLED.praise, stub="my_count")
    said = exercise.check(lambda x: torch.zeros(())).message.en
    assert said == f"my_count({named}) should be 1; yours is 0."
