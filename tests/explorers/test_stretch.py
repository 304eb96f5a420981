"""The stretch explorer counts and says what the library's functions give."""

import math
from typing import Any

import numpy as np
import pytest

from posenc_lessons.encodings.context_extension import scaled_frequencies
from posenc_lessons.encodings.pairing import rotary_frequencies
from posenc_lessons.explorers.stretch import METHODS, StretchExplorer, stretch_numbers
from posenc_lessons.figures.stretch import never_seen


@pytest.mark.parametrize("method", [method for _, method in METHODS], ids=str)
@pytest.mark.parametrize(
    ("factor", "trained", "d", "base"), [(4, 32, 16, 1e4), (8, 8192, 128, 5e5), (1, 32, 16, 1e4)]
)
def test_every_angle_is_the_librarys(method: Any, factor: int, trained: int, d: int, base: float) -> None:
    numbers = stretch_numbers(method, factor, trained, d, base)
    theta = rotary_frequencies(d, base)
    now, scale = (theta, 1.0) if method == "none" else scaled_frequencies(d, base, method, factor, trained)
    np.testing.assert_allclose(2 * math.pi * numbers["trained_turns"], trained * theta)
    np.testing.assert_allclose(2 * math.pi * numbers["turns"], factor * trained * now)
    assert numbers["scale"] == scale
    if factor == 1:
        assert not never_seen(numbers["trained_turns"], numbers["turns"]).any()


@pytest.mark.parametrize(
    ("method", "new"), [("none", 6), ("linear", 0), ("ntk", 5), ("parts", 0), ("yarn", 0), ("llama3", 0)]
)
def test_the_reading_counts_pairs_with_new_angles(method: str, new: int) -> None:
    explorer = StretchExplorer(method=method)
    numbers = explorer.compute(explorer.parameters())
    assert never_seen(numbers["trained_turns"], numbers["turns"]).sum() == new
    assert f"A text of 128: {new} of 8 pairs" in explorer.reading.en
    assert ("4.00 times as closely" in explorer.reading.en) == (method == "linear")
    assert ("every score by 1.296" in explorer.reading.en) == (method == "yarn")


@pytest.mark.parametrize(
    ("panel", "x", "factor"), [("dials", 0.3, 1), ("dials", 2.2, 8), ("dials", 9.0, 32), ("turns", 0.0, None)]
)
def test_pointing_at_the_ruler_sets_the_factor(panel: str, x: float, factor: int | None) -> None:
    assert StretchExplorer().pointed(panel, x, 0) == ({"factor": factor} if factor else {})
