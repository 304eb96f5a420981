"""Lesson 02's pictures show the numbers they were given."""

from __future__ import annotations

import numpy as np
import pytest

from posenc_lessons.figures.clock_hands import clock_hands_figure
from posenc_lessons.figures.sinusoidal_table import (
    binary_counter_figure,
    float_error_figure,
    similarity_terms_figure,
    wavelengths_figure,
)
from posenc_lessons.figures.tables import Table, scores_figure, tables_figure
from posenc_lessons.language import Text

THETA = 10000.0 ** (-np.arange(0, 8, 2) / 8)
WAVES = np.sin(np.outer(np.arange(6), THETA))
OFFSETS = np.arange(-20, 21)
TABLES = (Table(Text("错", "wrong"), WAVES), Table(Text("对", "right"), -WAVES))
AT = np.array([1, 300, 10**6])


def test_a_hand_points_to_sine_and_cosine() -> None:
    picture = clock_hands_figure([3], THETA[:2])
    for axes, theta in zip(picture.axes, THETA, strict=False):
        tips = [line.get_xydata()[-1] for line in axes.lines]
        wanted = [np.sin(3 * theta), np.cos(3 * theta)]
        assert any(np.allclose(tip, wanted) for tip in tips)
        assert f"({wanted[0]:.4f}, {wanted[1]:.4f})".replace("-", "−") in [
            text.get_text() for text in axes.texts
        ]


def test_an_offset_adds_a_second_hand() -> None:
    axes = clock_hands_figure([3], THETA[:1], offset=2).axes[0]
    tips = [line.get_xydata()[-1] for line in axes.lines]
    for angle in (3, 5):
        assert any(np.allclose(tip, [np.sin(angle), np.cos(angle)]) for tip in tips)


def test_wavelengths_within_and_beyond_the_length_are_drawn() -> None:
    lengths = 2 * np.pi / THETA
    axes = wavelengths_figure(lengths, 100, (0, 3)).axes[1]
    drawn = np.concatenate([line.get_ydata() for line in axes.lines[:2]])
    assert np.array_equal(drawn, lengths)
    assert (axes.lines[0].get_ydata() <= 100).all() and (axes.lines[1].get_ydata() > 100).all()


def test_the_similarity_picture_shows_the_given_numbers() -> None:
    measured = {5: np.cos(OFFSETS), 9: np.sin(OFFSETS)}
    axes = similarity_terms_figure(OFFSETS, {0: np.cos(OFFSETS)}, measured).axes[1]
    for line, values in zip(axes.lines, measured.values(), strict=False):
        assert np.array_equal(line.get_ydata(), values)


def test_tables_share_one_colour_scale() -> None:
    images = [axes.images[0] for axes in tables_figure(TABLES).axes[:2]]
    assert [image.get_clim() for image in images] == [(-1, 1), (-1, 1)]
    assert np.array_equal(images[1].get_array(), -WAVES)
    scores = [axes.images[0].get_clim() for axes in scores_figure(TABLES).axes[:2]]
    assert scores == [(-np.abs(WAVES).max(), np.abs(WAVES).max())] * 2


def test_the_picture_of_the_counter_shows_its_digits() -> None:
    bits = (np.arange(4)[:, None] >> np.arange(2)) & 1
    left, right = binary_counter_figure(bits, WAVES[:4]).axes
    assert [text.get_text() for text in left.texts] == [str(bit) for bit in bits.flatten()]
    assert np.array_equal(right.images[0].get_array(), WAVES[:4])


def test_only_errors_large_enough_are_drawn() -> None:
    values = {Text("粗", "coarse"): [0.0, 1e-3, 1.0], Text("细", "fine"): [1e-20, 1e-7, 2e-7]}
    axes = float_error_figure(AT, values).axes[0]
    coarse, fine = axes.lines[:2]
    np.testing.assert_array_equal(coarse.get_ydata(), [np.nan, 1e-3, 1.0])
    np.testing.assert_array_equal(fine.get_ydata(), [np.nan, 1e-7, 2e-7])
    assert axes.get_xlim() == (1, 10**6) and axes.get_xscale() == axes.get_yscale() == "log"


@pytest.mark.usefixtures("english")
def test_two_names_equal_in_one_language_remain_two_curves() -> None:
    values = {Text("整数", "float64"): [1e-9] * 3, Text("小数", "float64"): [1e-3] * 3}
    axes = float_error_figure(AT, values).axes[0]
    assert [line.get_ydata()[0] for line in axes.lines[:2]] == [1e-9, 1e-3]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["float64", "float64"]
