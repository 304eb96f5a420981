"""The message of lesson 05 for an odd rotated width."""

from __future__ import annotations

from torch import Tensor

from posenc_lessons.exercises.rotary import check_partial_rotate
from posenc_lessons.exercises.solutions import rotary as solutions


def test_the_message_for_an_odd_width_has_its_numbers() -> None:
    def as_wide_as_asked(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
        if int(x.shape[-1] * fraction) % 2:
            raise ValueError
        return solutions.partial_rotate(x, positions, fraction, base)

    said = check_partial_rotate(as_wide_as_asked).message.en
    assert "int(10 · 0.5) = 5" in said and "down to 4" in said
