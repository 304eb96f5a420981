"""Round ticks equal Matplotlib's on any axis, and no label leaves out a power of ten."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from matplotlib.ticker import MaxNLocator

from posenc_lessons.figures.ticks import round_ticks

# Just shorter than a round number, where the last digit of a float would decide about the step.
SPANS = st.builds(
    lambda power, digits: digits * (1 - 1e-6) * 10.0**power, st.integers(0, 5), st.floats(1, 10)
)
PLACES = st.integers(-10_000, 10_000).map(lambda tenths: tenths / 10)


@settings(max_examples=300)
@given(PLACES, SPANS, st.sampled_from([1.0, 1e-3]), st.booleans())
def test_every_axis_has_matplotlibs_ticks(start: float, span: float, unit: float, whole: bool) -> None:
    low, high = start * unit, (start + span) * unit
    assume(not whole or high - low > 2)
    values = np.asarray(MaxNLocator(nbins=6, steps=[1, 2, 5, 10], integer=whole).tick_values(low, high))
    slack = 1e-9 * (high - low)
    theirs = values[(values >= low - slack) & (values <= high + slack)]
    assert [value for value, _ in round_ticks(high, low, whole)] == pytest.approx(theirs, abs=slack)


@pytest.mark.parametrize("span", [1e-12, 1e-9, 3e-7, 1e13, 2e300])
def test_labels_give_the_value_at_any_scale(span: float) -> None:
    ticks = round_ticks(-0.3 * span, span, False)
    assert len(ticks) >= 3
    for value, label in ticks:
        assert float(label.replace("−", "-")) == pytest.approx(value, abs=1e-6 * span)


def test_labels_have_the_decimals_of_the_step_and_a_true_minus_sign() -> None:
    assert [label for _, label in round_ticks(-1, 0.25, False)] == ["−1.0", "−0.5", "0.0"]
    assert [label for _, label in round_ticks(0, 1.5, True)] == ["0", "1"]


def test_an_axis_without_length_has_no_ticks() -> None:
    assert round_ticks(3.0, 3.0, True) == round_ticks(0.0, 0.0, False) == ()
