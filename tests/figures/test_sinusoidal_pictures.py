"""Lesson 02's pictures show the numbers they were given, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.text import Text as Label

from posenc_lessons.figures.clock_hands import clock_hands_figure
from posenc_lessons.figures.counter import counter_figure
from posenc_lessons.figures.rounding import float_error_figure
from posenc_lessons.figures.similarity_terms import similarity_terms_figure
from posenc_lessons.figures.style import Picture
from posenc_lessons.figures.tables import Table, scores_figure, tables_figure
from posenc_lessons.figures.wavelengths import wavelengths_figure
from posenc_lessons.language import LANGUAGES, Text, shown_in

THETA = 10000.0 ** (-np.arange(0, 8, 2) / 8)
WAVES = np.sin(np.outer(np.arange(6), THETA))
OFFSETS = np.arange(-20, 21)
TABLES = (Table(Text("错", "wrong"), WAVES), Table(Text("对", "right"), -WAVES))
ERRORS = {Text("粗", "coarse"): np.array([0.0, 1e-3, 1.0]), Text("细", "fine"): np.full(3, 3e-8)}

Maker = Callable[[], Picture]
MAKERS: dict[str, Maker] = {
    "counter": lambda: counter_figure((np.arange(4)[:, None] >> np.arange(2)) & 1, WAVES[:4]),
    "clocks": lambda: clock_hands_figure(range(4), THETA[:2]),
    "clocks moved on": lambda: clock_hands_figure((1, 7), THETA[:2], offset=2),
    "wavelengths": lambda: wavelengths_figure(2 * np.pi / THETA, 100, (0, 1, 3)),
    "similarity": lambda: similarity_terms_figure(
        OFFSETS, {0: np.cos(OFFSETS)}, {5: np.cos(OFFSETS), 9: np.cos(OFFSETS)}
    ),
    "tables": lambda: tables_figure(TABLES),
    "scores": lambda: scores_figure(TABLES),
    "errors": lambda: float_error_figure(np.array([1, 300, 10**6]), ERRORS),
}
every_picture = pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)


@every_picture
def test_words_follow_the_language(maker: Maker) -> None:
    words = {}
    for language in LANGUAGES:
        with shown_in(language):
            words[language] = _words(maker())
    assert _has_han(words["both"]) == _has_han(words["zh"])
    assert not _has_han(words["en"])


@every_picture
def test_the_alt_text_speaks_both_languages(maker: Maker) -> None:
    alt = maker().alt
    assert _has_han(alt.zh) and not _has_han(alt.en)


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


def test_wavelengths_are_drawn_whole_and_too_long() -> None:
    lengths = 2 * np.pi / THETA
    axes = wavelengths_figure(lengths, 100, (0, 3)).axes[1]
    drawn = np.concatenate([line.get_ydata() for line in axes.lines[:2]])
    assert np.array_equal(drawn, lengths)
    assert (axes.lines[0].get_ydata() <= 100).all() and (axes.lines[1].get_ydata() > 100).all()


def test_similarity_draws_what_was_measured() -> None:
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


def test_an_error_of_zero_is_left_out_of_a_log_axis() -> None:
    coarse = float_error_figure(np.array([1, 300, 10**6]), ERRORS).axes[0].lines[0].get_ydata()
    assert np.isnan(coarse[0]) and coarse[1] == 1e-3


def test_the_counter_writes_its_digits() -> None:
    bits = (np.arange(4)[:, None] >> np.arange(2)) & 1
    left, right = counter_figure(bits, WAVES[:4]).axes
    assert [text.get_text() for text in left.texts] == [str(bit) for bit in bits.flatten()]
    assert np.array_equal(right.images[0].get_array(), WAVES[:4])


def _words(picture: Picture) -> str:
    return " ".join(artist.get_text() for artist in picture.findobj(Label))


def _has_han(text: str) -> bool:
    return any("一" <= character <= "鿿" for character in text)
