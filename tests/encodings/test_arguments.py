"""Which arguments are allowed, and what is known about positions without reading them."""

import math
from typing import Any

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from posenc_lessons.encodings.arguments import number, whole_number
from posenc_lessons.encodings.positions import joined, known_positions, summary_of
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models import DecoderOnly

ZERO_D = torch.tensor(0.5)  # to read it may mean to wait for a device


@pytest.mark.parametrize("value", [math.nan, -math.inf, True, "0.5", None, -0.1, 1, 10**400, 1j, ZERO_D])
def test_a_number_is_finite_and_within_its_bounds(value: Any) -> None:
    with pytest.raises(BilingualValueError) as refused:
        number("std", value, least=0, below=1)
    assert refused.value.en == f"std must be a finite number, 0 or more and below 1; got {value!r}"
    assert refused.value.zh == f"std 必须是不小于 0、小于 1 的有限数，收到 {value!r}"
    assert number("std", -0.0, least=0, below=1) == 0 and type(number("std", 0, least=0)) is float


@pytest.mark.parametrize("value", [1, -2, 2.0, 2.5, True, "4", [4], None])
def test_a_whole_number_must_not_be_a_bool_a_float_or_too_small(value: Any) -> None:
    with pytest.raises(BilingualValueError) as refused:
        whole_number("n", value, 2)
    assert refused.value.en == f"n must be a whole number, 2 or more; got {value!r}"
    assert refused.value.zh == f"n 必须是不小于 2 的整数，收到 {value!r}"
    assert whole_number("n", torch.tensor(2), 2) == 2


def test_without_bounds_any_finite_number_is_accepted() -> None:
    assert number("scale", -1e300) == -1e300
    with pytest.raises(BilingualValueError) as refused:
        number("scale", math.inf)
    assert (refused.value.zh, refused.value.en) == (
        "scale 必须是有限数，收到 inf",
        "scale must be a finite number; got inf",
    )


@given(
    starts=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 8)), min_size=1, max_size=3),
    lengths=st.tuples(st.integers(1, 4), st.integers(1, 4)),
    step=st.integers(1, 2),
)
@example(starts=[(0, 2), (1, 2)], lengths=(2, 2), step=1)  # rows [0 1] [1 2] before [2 3] [2 3]
@example(starts=[(0, 2), (0, 2)], lengths=(2, 2), step=1)
def test_the_summary_of_joined_positions_is_true(
    starts: list[tuple[int, int]], lengths: tuple[int, int], step: int
) -> None:
    earlier, later = (
        known_positions(step * (torch.tensor(start)[:, None] + torch.arange(length)))
        for start, length in zip(zip(*starts, strict=True), lengths, strict=True)
    )
    summary_of(earlier), summary_of(later)
    exact = summary_of(joined(earlier, later))
    numbers = summary_of(torch.cat((earlier, later), dim=-1))
    assert (exact.first, exact.last, exact.in_order) == (numbers.first, numbers.last, numbers.in_order)


def test_known_positions_of_another_length_are_refused_too() -> None:
    at = known_positions(torch.arange(6))
    model = DecoderOnly(9, 16, 2, 1, "rotary")
    model(torch.zeros(1, 6, dtype=torch.long), positions=at)
    with pytest.raises(ValueError, match=r"positions must have shape \[5\] or \[1, 5\]"):
        model(torch.zeros(1, 5, dtype=torch.long), positions=at)
