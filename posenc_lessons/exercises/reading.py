"""Read a learner's answer as numbers of the right shape, and make random numbers for questions."""

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.exercises.verdict import RIGHT, YOURS, Asked, Raised, Rows, Wrong
from posenc_lessons.language import Text

ONE_NUMBER = Text("应当返回一个数。", "One number should be returned.")
NO_TENSOR = Text("应当返回 torch 张量。", "A torch tensor should be returned.")
WRONG_SHAPE = Text(
    "结果的形状不对。逐行打印 .shape，看从哪一行开始不对。",
    "The result has the wrong shape. Print .shape after each line to see where it goes wrong.",
)
OTHER_AXES = Text(
    "数的个数对，形状不对：轴的次序反了，或者有的轴该合并、该拆开。",
    "As many numbers as there should be, in another shape: axes are in another order, joined or split.",
)
HALF_PRECISION = Text(
    "结果只剩 3 位左右的有效数字。返回 float32 或 float64。",
    "The result keeps only about 3 digits. Return float32 or float64.",
)
NOT_AN_INDEX = Text(
    "数都对，但这个类型不能拿去查表。加上 .long()，得到 int64。",
    "The numbers are right, but their type cannot look anything up in a table. Add .long() for int64.",
)
NOT_BOOLEAN = Text(
    "每一格都对，但类型要 torch.bool：~mask 对整数是另一个意思。",
    "Every cell is right, but the type should be torch.bool: ~mask means something else for integers.",
)


def numbers(value: Any) -> Tensor:
    """Return the answer as a float64 tensor on the CPU, NaN included; raise Wrong if it has no numbers."""
    if not isinstance(value, Tensor):
        raise Wrong.saying(NO_TENSOR, yours(type(value).__name__))
    if value.is_complex():
        raise Wrong("结果是复数，这里要实数。", "The result is complex; real numbers are wanted.")
    if value.dtype in (torch.float16, torch.bfloat16):
        raise Wrong.saying(HALF_PRECISION, yours(value.dtype))
    return value.detach().to_dense().to("cpu", torch.float64)


def yours(value: object, right: str = "") -> Rows:
    """Return the row with what the learner's code returned, or its type or shape; and ``right``, if given."""
    return ((YOURS, f"{value}"), (RIGHT, right)) if right else ((YOURS, f"{value}"),)


def same_shape(value: Tensor, shape: tuple[int, ...]) -> None:
    if tuple(value.shape) != shape:
        raise Wrong.saying(WRONG_SHAPE, yours(list(value.shape), f"{list(shape)}"))


def random_numbers(*shape: int, seed: int = 0) -> Tensor:
    """Return normal random numbers with one decimal for a question, the same for the same ``seed``."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).round(decimals=1)


def one_number(value: Any) -> Tensor:
    """Return a Python number, or a tensor with one number, as a float64 tensor without axes."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = torch.tensor(float(value), dtype=torch.float64)
    if not isinstance(value, Tensor):
        raise Wrong.saying(ONE_NUMBER, yours(type(value).__name__))
    read = numbers(value)
    if read.numel() != 1:
        raise Wrong.saying(ONE_NUMBER, yours(f"tensor {list(read.shape)}"))
    return read.reshape(())


def of_type(said: Text, dtypes: tuple[torch.dtype, ...], *question: Any) -> Callable[[Asked], None]:
    """Return a probe that says ``said``, unless the value is of ``dtypes``."""

    def step(answer: Asked) -> None:
        dtype = answer(*copy.deepcopy(question)).dtype  # the answer may change its arguments
        if dtype not in dtypes:
            raise Wrong.saying(said, yours(dtype, f"{dtypes[0]}"))

    return step


can_index = partial(of_type, NOT_AN_INDEX, (torch.int64, torch.int32))  # can_index(*question) is a probe
is_boolean = partial(of_type, NOT_BOOLEAN, (torch.bool,))  # and so is is_boolean(*question)


@contextmanager
def explained(words: str, said: Text) -> Iterator[None]:
    """Say ``said`` if the learner's code raises an error that contains ``words``."""
    try:
        yield
    except Raised as raised:
        if words not in str(raised):
            raise
        raise Wrong.saying(said) from raised
