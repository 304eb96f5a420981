"""Lesson 03's pictures show the numbers they are given."""

from __future__ import annotations

import numpy as np
import pytest

from posenc_lessons.figures.accuracy import Bars, accuracy_bars_figure
from posenc_lessons.figures.learned_table import (
    Square,
    Waves,
    largest_scores_figure,
    row_similarity_figure,
    rows_moved_figure,
    stretched_feature_figure,
    waves_figure,
)
from posenc_lessons.figures.lookup import lookup_figure
from posenc_lessons.language import Text
from tests.figures.gallery import words_of

pytestmark = pytest.mark.usefixtures("english")

NAME = Text("名字", "name")


def test_dots_mark_the_largest_score_under_a_causal_mask() -> None:
    scores = np.random.default_rng(0).standard_normal((9, 9))
    scores[2, 7] = 99  # in the future: out of sight
    (axes,) = largest_scores_figure([Square(NAME, scores)], 3).axes
    dots = axes.lines[-1]
    expected = [int(scores[row, : row + 1].argmax()) for row in range(9)]
    assert list(dots.get_xdata()) == expected
    assert list(dots.get_ydata()) == list(range(9))


def test_rows_on_the_line_are_counted_from_the_first_possible_one() -> None:
    scores = np.eye(8, k=-3)
    scores[6, 0] = 2.0
    words = " ".join(words_of(largest_scores_figure([Square(NAME, scores)], 3)))
    assert "4 of 5" in words


def test_similarities_are_drawn_as_they_are_on_one_scale() -> None:
    values = np.array([[1.0, -0.4], [-0.4, 1.0]])
    picture = row_similarity_figure([Square(NAME, values), Square(NAME, -values)])
    first, second = (axes.images[0] for axes in picture.axes[:2])
    assert np.array_equal(first.get_array(), values) and np.array_equal(second.get_array(), -values)
    assert first.get_clim() == second.get_clim() == (-1, 1)


def test_the_highest_wave_is_labelled_with_its_period() -> None:
    shares = np.array([0.1, 0.1, 0.1, 0.6, 0.1])
    (axes,) = waves_figure([Waves(NAME, shares)], 32).axes
    bars = [patch.get_height() for container in axes.containers for patch in container]
    assert bars == list(shares)
    assert "8.0 rows a cycle" in [text.get_text() for text in axes.texts]
    (flat,) = waves_figure([Waves(NAME, np.full(5, 0.2))], 32).axes
    assert not flat.texts


def test_bars_of_movement_and_accuracy_stand_at_their_positions() -> None:
    moved, accuracy = np.array([3.0, 2.0, 0.0]), np.array([np.nan, 0.9, 0.1])
    above, below = rows_moved_figure(moved, accuracy, 2, 1 / 16).axes
    for axes, heights in ((above, moved), (below, accuracy)):
        bars = [patch for container in axes.containers for patch in container]
        assert np.array_equal([bar.get_height() for bar in bars], heights, equal_nan=True)
        assert [round(bar.get_x() + bar.get_width() / 2) for bar in bars] == [0, 1, 2]


def test_the_new_table_ends_where_the_old_one_does() -> None:
    old = np.array([1.0, 5.0, 2.0])
    new = np.array([1.0, 3.0, 5.0, 3.5, 2.0])
    (axes,) = stretched_feature_figure(old, new).axes
    dots = axes.lines[-1]
    assert list(dots.get_xdata()) == [0, 0.5, 1, 1.5, 2]
    assert list(dots.get_ydata()) == list(new)


def test_each_bar_carries_its_number() -> None:
    bars = [Bars(NAME, (1.0, 0.25), 0.1)]
    picture = accuracy_bars_figure(bars, [Text("短", "short"), Text("长", "long")])
    assert {"1.00", "0.25", "short", "long"} <= set(words_of(picture))


def test_the_rows_looked_up_are_those_of_the_table() -> None:
    table = np.array([[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]])
    words = words_of(lookup_figure(np.array([2, 1, 2]), table))
    # row 2 is in the table once and among the rows looked up twice; row 0 is in the table only
    assert (words.count("0.5"), words.count("−0.4"), words.count("0.1")) == (3, 2, 1)
