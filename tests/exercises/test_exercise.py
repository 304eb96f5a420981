"""Messages for answers that an exercise does not know, and how messages are filled in."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from posenc_lessons.exercises.exercise import CHANGED, Exercise, Question
from posenc_lessons.exercises.verdict import Asked, Wrong
from posenc_lessons.language import Text

LONG = Text("长的不对。", "Wrong for a long x.")
ASKED = "\n    for example: doubled(x, 1)\n    x: [0.5, 3.0]"
NO_HALF = Text("类型不行。", "The type will not do.")


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


@DOUBLED.mistake("加成了 2。", "2 was added.")
def two_added(x: Tensor, times: int) -> Tensor:
    return x + 2


@DOUBLED.mistake("只剩一个数。", "One number is left.")
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
    if answer(torch.ones(2, dtype=torch.float16), 1).dtype != torch.float16:
        raise Wrong.saying(NO_HALF)


def in_place(x: Tensor, times: int) -> Tensor:
    return x.mul_(2)


def fails_when_long(x: Tensor, times: int) -> Tensor:
    return 2 * x[:50] if len(x) < 100 else 2 * x[200]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (doubled, "Right."),
        (two_added, f"2 was added.{ASKED}\n    yours: [2.5, 5.0]\n    right: [1, 6]"),
        (lambda x, times: two_added(x, times).float() + 1e-6, "2 was added."),
        (summed, f"One number is left.{ASKED}\n    yours: shape []"),
        (lambda x, times: torch.tensor(5), f"One number is left.{ASKED}\n    yours: shape []"),
        (right_at_first, "Nor this one."),
        (lambda x, times: x[:1], f"wrong shape.{ASKED}\n    yours: shape [1]\n    right: shape [2]"),
        (lambda x, times: two_added(x, times) + 0.01, "    yours: [2.51, 5.01]\n    right: [1, 6]"),
        (lambda x, times: 3 * x, f"All 2 values are wrong.{ASKED}\n    yours: [1.5, 9.0]\n    right: [1, 6]"),
        (lambda x, times: 2.00001 * x + 1e-5, "    yours: [1.000015, 6.000040]\n    right: [1, 6]"),
        (lambda x, times: x / 0, "NaN or infinity.\n    for example: doubled"),
        (
            lambda x, times: (2 * x).half(),
            f"{ASKED}\n    yours: torch.float16\n    right: [1, 6]\n    Return float32",
        ),
        (
            lambda x, times: "two",
            f"A torch tensor should be returned.{ASKED}\n    yours: str\n    right: [1, 6]",
        ),
        (in_place, "for example: doubled(x, 1)\n    argument: x\n    Return a new one."),
        (lambda x, times: 2 * x + (len(x) == 100), "Wrong for a long x."),
        (
            fails_when_long,
            "is out of bounds for dimension 0 with size 100\n    for example: doubled(x [100], 3)",
        ),
        (lambda x, times: 2 * x.float(), "The type will not do."),
        (lambda x, times: x.relu() + x if x.dtype == torch.float32 else x.numpy().nothing, "AttributeError"),
    ],
)
def test_the_message_for_each_answer(answer: Callable[[Tensor, int], Tensor], said: str) -> None:
    verdict = DOUBLED.check(answer)
    assert said in repr(verdict)
    assert verdict.message.zh != verdict.message.en


@pytest.mark.parametrize(
    ("argument", "named"),
    [
        (torch.arange(4), "arange(4)"),
        (torch.tensor([3, 1]), "tensor([3, 1])"),
        (torch.tensor([[True, False]]), "tensor([[True, False]])"),
        (torch.ones(20).bool(), "x [20]"),
        (torch.rand(2, 9), "x [2, 9]"),
        (
            torch.tensor([[[0.5, -12.0], [1e-9, 3.0]]]),
            "x)\n    x: [[  0.5, -12.0],\n         [  0.0,   3.0]]",
        ),
        (10000.0, "10000"),
        (["a", "b"], "['a', 'b']"),
    ],
)
def test_short_arguments_are_shown_and_long_ones_named_by_shape(argument: object, named: str) -> None:
    def count(x: object) -> Tensor:
        return torch.ones(())

    exercise = Exercise(count, ((argument,),), DOUBLED.praise, stub="my_count")
    said = repr(exercise.check(lambda x: torch.zeros(())))
    _, _, after = said.partition("✘ The result is wrong.")
    assert f"for example: my_count({named}" in after and "    yours: 0\n    right: 1\n    Work" in after
