"""The pictures of lesson 07 show the numbers they are given."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.axes import Axes

from posenc_lessons.figures.cross_attention import Looks, cross_attention_figure
from posenc_lessons.figures.depth import Depth, depth_figure
from posenc_lessons.language import Text


def lines(axes: Axes) -> dict[str, list[float]]:
    return {str(line.get_label()): np.asarray(line.get_ydata()).tolist() for line in axes.get_lines()}


def test_depth_draws_sizes_on_the_left_and_gradients_on_the_right() -> None:
    stacks = [Depth("a", np.array([1, 2]), np.array([3, 4])), Depth("b", np.array([5, 6]), np.array([7, 8]))]
    left, right = depth_figure(stacks).axes
    assert lines(left) == {"a": [1, 2], "b": [5, 6]}
    assert lines(right) == {"a": [3, 4], "b": [7, 8]}
    assert np.asarray(left.get_lines()[0].get_xdata()).tolist() == [1, 2]  # the lowest layer is number 1


@pytest.mark.usefixtures("english")
def test_cross_attention_has_a_row_for_each_token_written() -> None:
    weights = np.arange(6).reshape(3, 2) / 6
    axes, _ = cross_attention_figure([Looks(Text("题", "title"), weights, "abc", "xy")]).axes
    np.testing.assert_array_equal(axes.get_images()[0].get_array(), weights)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b", "c"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["x", "y"]
    assert axes.get_title() == "title"
