"""Round ticks equal Matplotlib's on any axis, and no label leaves out a power of ten."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.ticker import MaxNLocator, ScalarFormatter

from posenc_lessons.figures.ticks import Ticks, round_ticks

SPANS = st.builds(lambda power, digits: digits * 10.0**power, st.integers(-6, 12), st.floats(1, 10))
PLACES = st.one_of(
    st.just(0.0), st.floats(-1e3, 1e3), st.floats(-1e9, 1e9), st.integers(-200, 200).map(float)
)


def of_matplotlib(start: float, end: float, whole: bool) -> Ticks:
    low, high = min(start, end), max(start, end)
    values = np.asarray(MaxNLocator(nbins=6, steps=[1, 2, 5, 10], integer=whole).tick_values(low, high))
    slack = min(1e-9, 1e-6 * (high - low))
    inside = values[(values >= low - slack) & (values <= high + slack)]
    if whole:
        inside = inside[inside == np.round(inside)]
    formatter = ScalarFormatter(useOffset=False)
    formatter.set_scientific(False)  # else it divides small numbers by a power of ten that is not shown
    formatter.create_dummy_axis()
    return tuple(zip(inside.tolist(), formatter.format_ticks(inside.tolist()), strict=True))


@settings(max_examples=600)
@given(PLACES, SPANS, st.booleans(), st.booleans())
def test_every_axis_has_matplotlibs_ticks(start: float, span: float, reversed_: bool, whole: bool) -> None:
    end = start + span
    if end - start < 1e-9 * abs(start):
        return  # a float has fewer digits left than the labels
    ends = (end, start) if reversed_ else (start, end)
    assert round_ticks(*ends, whole) == of_matplotlib(start, end, whole)


@pytest.mark.parametrize("span", [1e-12, 1e-9, 3e-7, 1e13, 2e300])
def test_labels_give_the_value_at_any_scale(span: float) -> None:
    ticks = round_ticks(-0.3 * span, span, False)
    assert len(ticks) >= 3
    for value, label in ticks:
        assert float(label.replace("−", "-")) == pytest.approx(value, abs=1e-6 * span)


def test_an_axis_without_length_has_no_ticks() -> None:
    assert round_ticks(3.0, 3.0, True) == round_ticks(0.0, 0.0, False) == ()
