"""What an argument must be, and what is said when it is not."""

from __future__ import annotations

import math
from typing import Any

import pytest

from posenc_lessons.encodings.arguments import number
from posenc_lessons.language import BilingualValueError


@pytest.mark.parametrize("value", [0, 0.5, -0.0])
def test_a_number_within_its_bounds_comes_back_as_a_float(value: float) -> None:
    assert number("std", value, least=0, below=1) == value
    assert type(number("std", value, least=0, below=1)) is float


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, True, "0.5", None, -0.1, 1, 2, 1j])
def test_anything_else_is_named_with_what_is_allowed(value: Any) -> None:
    with pytest.raises(BilingualValueError) as refused:
        number("std", value, least=0, below=1)
    assert refused.value.en == f"std must be a finite number, 0 or more and below 1; got {value!r}"
    assert refused.value.zh == f"std 必须是不小于 0、小于 1 的有限数，收到 {value!r}"


def test_above_leaves_its_bound_out() -> None:
    assert number("rate", 1e-300, above=0) == 1e-300
    with pytest.raises(ValueError, match=r"rate must be a finite number, above 0; got 0"):
        number("rate", 0, above=0)
