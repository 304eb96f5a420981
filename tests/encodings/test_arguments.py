"""Test which arguments are allowed, and the messages about others."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from posenc_lessons.encodings.arguments import number, whole_number
from posenc_lessons.language import BilingualValueError

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
