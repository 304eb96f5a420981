"""Lesson 06's pictures show the numbers they are given."""

from __future__ import annotations

import numpy as np
import pytest

from posenc_lessons.figures.accuracy import seed_dots_figure
from posenc_lessons.figures.cope import Matrix, between_rows_figure, gate_matrices_figure, row_norms_figure
from posenc_lessons.figures.token_strips import Strip, token_strips_figure
from posenc_lessons.language import Text
from tests.figures.gallery import words_of

pytestmark = pytest.mark.usefixtures("english")

NAME, OTHER = Text("名字", "name"), Text("别名", "other")


def test_values_are_interpolated_between_rows_and_constant_after_the_last() -> None:
    (axes,) = between_rows_figure(np.array([0.0, 2.0, 1.0]), (0.25, 1.5, 2.0, 2.6)).axes
    line, rows, read = axes.lines[:3]
    assert list(rows.get_ydata()) == [0.0, 2.0, 1.0]
    assert list(read.get_ydata()) == [0.5, 1.5, 1.0, 1.0]
    assert list(line.get_ydata()) == [0.0, 2.0, 1.0, 1.0]
    assert axes.get_xlim()[1] > 2.6


def test_each_matrix_has_its_own_scale_and_a_label_for_every_token() -> None:
    values = np.where(np.tri(4), np.arange(16.0).reshape(4, 4), np.nan)
    picture = gate_matrices_figure("R+·+", [Matrix(NAME, values / 15, 1.0), Matrix(OTHER, values)])
    first, second = picture.axes[:2]
    assert first.images[0].get_clim() == (0, 1) and second.images[0].get_clim() == (0, 15)
    assert [label.get_text() for label in first.get_xticklabels()] == list("R+·+")
    assert [label.get_text() for label in second.get_yticklabels()] == list("R+·+")
    shown = second.images[0].get_array()
    assert shown is not None and float(shown[3, 0]) == 12


def test_every_run_is_a_dot_and_the_line_is_their_mean() -> None:
    runs = {NAME: ((0.9, 0.8, 1.0), (0.4, 0.5, 0.6)), OTHER: ((0.7,), (0.2,))}
    (axes,) = seed_dots_figure(runs, (NAME, OTHER), 0.1).axes
    dots = [list(line.get_ydata()) for line in axes.lines if line.get_marker() == "o"]
    assert dots == [[0.9, 0.8, 1.0], [0.4, 0.5, 0.6], [0.7], [0.2]]
    assert [word for word in words_of(axes.figure) if word in ("0.90", "0.50", "0.70", "0.20")] == [
        "0.90",
        "0.50",
        "0.70",
        "0.20",
    ]


def test_rows_that_stay_and_rows_that_go_differ_in_colour() -> None:
    lengths = np.array([3.0, 2.0, 1.0, 0.0])
    (axes,) = row_norms_figure({NAME: lengths}, 3).axes
    bars = [patch for container in axes.containers for patch in container]
    assert [bar.get_height() for bar in bars] == [3.0, 2.0, 1.0, 0.0]
    assert len({bar.get_facecolor() for bar in bars[:3]}) == 1
    assert bars[3].get_facecolor() != bars[0].get_facecolor()


def test_a_strip_has_every_number_below_its_token() -> None:
    tokens = (Text("狗", "Dogs"), Text("叫", "bark"), Text("。", "."))
    rows = ((NAME, ("−2", "−1", "0")), (OTHER, ("2", "1", "1")))
    picture = token_strips_figure([Strip(OTHER, tokens, (0, 0, 0), rows, frozenset({(1, 0)}))])
    (axes,) = picture.axes
    at = {(text.get_text(), round(text.get_position()[0])) for text in axes.texts}
    places = {text.get_text(): round(text.get_position()[0]) for text in axes.texts}
    for token, first, second in zip(("Dogs", "bark", "."), ("−2", "−1", "0"), ("2", "1", "1"), strict=True):
        assert (first, places[token]) in at and (second, places[token]) in at
    assert "Dogs" in picture.alt.en and "狗" in picture.alt.zh
