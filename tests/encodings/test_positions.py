"""What is known about positions without reading them is true. Their shape is checked once for all layers."""

from __future__ import annotations

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from posenc_lessons.encodings.positions import joined, known_positions, summary_of
from posenc_lessons.models import DecoderOnly


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
