"""Round ticks equal Matplotlib's on any axis, and no label leaves out a power of ten."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.ticker import MaxNLocator, ScalarFormatter

from posenc_lessons.figures.ticks import Ticks, round_ticks

# Just shorter than a round number, where the last digit of a float would decide about the step.
SPANS = st.builds(
    lambda power, digits: digits * (1 - 1e-6) * 10.0**power, st.integers(0, 5), st.floats(1, 10)
)
PLACES = st.integers(-10_000, 10_000).map(lambda tenths: tenths / 10)


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
@given(PLACES, SPANS, st.sampled_from([1.0, 1e-3]), st.booleans(), st.booleans())
def test_every_axis_has_matplotlibs_ticks(
    start: float, span: float, unit: float, reversed_: bool, whole: bool
) -> None:
    low, high = start * unit, (start + span) * unit
    if whole and unit < 1:
        return  # it has a tick only if a whole number happens to lie there
    ticks = round_ticks(*((high, low) if reversed_ else (low, high)), whole)
    theirs = of_matplotlib(low, high, whole)
    assert [label for _, label in ticks] == [label for _, label in theirs]
    assert [value for value, _ in ticks] == pytest.approx([value for value, _ in theirs], abs=1e-9 * span)


@pytest.mark.parametrize("span", [1e-12, 1e-9, 3e-7, 1e13, 2e300])
def test_labels_give_the_value_at_any_scale(span: float) -> None:
    ticks = round_ticks(-0.3 * span, span, False)
    assert len(ticks) >= 3
    for value, label in ticks:
        assert float(label.replace("−", "-")) == pytest.approx(value, abs=1e-6 * span)


def test_an_axis_without_length_has_no_ticks() -> None:
    assert round_ticks(3.0, 3.0, True) == round_ticks(0.0, 0.0, False) == ()
