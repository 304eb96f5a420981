"""Curves on two logarithmic axes: what is nothing is left out, and no curve takes another's place."""

from __future__ import annotations

import numpy as np
import pytest

from posenc_lessons.figures.rounding import float_error_figure
from posenc_lessons.language import Text

AT = np.array([1, 300, 10**6])


def test_what_is_nothing_is_left_out_and_the_rest_is_as_given() -> None:
    values = {Text("粗", "coarse"): [0.0, 1e-3, 1.0], Text("细", "fine"): [1e-20, 1e-7, 2e-7]}
    axes = float_error_figure(AT, values).axes[0]
    coarse, fine = axes.lines[:2]
    np.testing.assert_array_equal(coarse.get_ydata(), [np.nan, 1e-3, 1.0])
    np.testing.assert_array_equal(fine.get_ydata(), [np.nan, 1e-7, 2e-7])
    assert axes.get_xlim() == (1, 10**6) and axes.get_xscale() == axes.get_yscale() == "log"


@pytest.mark.usefixtures("english")
def test_two_names_that_are_one_in_a_language_stay_two_curves() -> None:
    values = {Text("整数", "float64"): [1e-9] * 3, Text("小数", "float64"): [1e-3] * 3}
    axes = float_error_figure(AT, values).axes[0]
    assert [line.get_ydata()[0] for line in axes.lines[:2]] == [1e-9, 1e-3]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["float64", "float64"]
