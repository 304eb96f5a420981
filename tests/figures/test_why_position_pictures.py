"""Lesson 01's pictures print the numbers they are given, and each word keeps its colour."""

from __future__ import annotations

import numpy as np
from matplotlib.patches import Rectangle

from posenc_lessons.figures.attention_matrix import WordMatrix, attention_matrices_figure
from posenc_lessons.figures.masks import mask_leak_figure
from posenc_lessons.figures.matrix_chain import Step, matrix_chain_figure
from posenc_lessons.figures.scale_at_start import score_scale_figure
from posenc_lessons.figures.style import Picture
from posenc_lessons.language import Text, shown_in
from tests.figures.gallery import words_of

WORDS = (Text("狗", "dog"), Text("咬", "bites"), Text("人", "man"))
WEIGHTS = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8], [0.25, 0.25, 0.5]])
BACK = [2, 1, 0]


def sentence_pair() -> Picture:
    return attention_matrices_figure(
        [
            WordMatrix(Text("狗咬人", "dog bites man"), WORDS, WEIGHTS, marked=(0, 2)),
            WordMatrix(
                Text("人咬狗", "man bites dog"),
                tuple(WORDS[i] for i in BACK),
                WEIGHTS[np.ix_(BACK, BACK)],
                marked=(2, 0),
            ),
        ],
    )


def test_each_weight_is_in_its_cell() -> None:
    first, second = sentence_pair().axes
    for axes, weights in ((first, WEIGHTS), (second, WEIGHTS[np.ix_(BACK, BACK)])):
        shown = {(label.get_position()[::-1]): label.get_text() for label in axes.texts}
        assert shown == {(i, j): f"{weights[i, j]:.2f}" for i in range(3) for j in range(3)}


def test_a_word_keeps_its_colour_when_it_moves() -> None:
    colors = []
    for axes in sentence_pair().axes:
        rows = {label.get_text(): label.get_color() for label in axes.get_yticklabels()}
        columns = {label.get_text(): label.get_color() for label in axes.get_xticklabels()}
        assert rows == columns
        colors.append(rows)
    assert colors[0] == colors[1]
    assert len(set(colors[0].values())) == 3


def test_the_frame_stands_on_the_marked_cell() -> None:
    for axes, (row, column) in zip(sentence_pair().axes, ((0, 2), (2, 0)), strict=True):
        (frame,) = (patch for patch in axes.patches if isinstance(patch, Rectangle))
        assert np.allclose((frame.get_x() + 0.46, frame.get_y() + 0.46), (column, row))


def test_a_hidden_cell_shows_a_dot_instead_of_a_number() -> None:
    hidden = ~np.tril(np.ones((3, 3), bool))
    picture = attention_matrices_figure([WordMatrix(Text("掩码", "mask"), WORDS, WEIGHTS, hidden=hidden)])
    shown = {(label.get_position()[::-1]): label.get_text() for label in picture.axes[0].texts}
    assert {cell for cell, text in shown.items() if text == "·"} == {(0, 1), (0, 2), (1, 2)}


def test_the_two_languages_are_on_two_lines() -> None:
    picture = attention_matrices_figure([WordMatrix(Text("句", "sentence"), WORDS, WEIGHTS)])
    assert "狗\ndog" in words_of(picture)


def test_the_chain_shows_every_number_with_the_given_digits() -> None:
    steps = [
        Step("$X$", Text("输入", "input"), np.array([[1.0, 0.0], [0.0, 2.0]]), digits=0),
        Step("$A$", Text("权重", "weights"), np.array([[0.8446, 0.1554], [0.5, 0.5]]), "softmax"),
    ]
    with shown_in("zh"):
        texts = words_of(matrix_chain_figure(steps))
    for text in ("1", "2", "0.84", "0.16", "0.50", "softmax", "输入", "权重", "$X$", "$A$"):
        assert text in texts


def test_the_chain_of_nothing_but_zeros_can_be_drawn() -> None:
    picture = matrix_chain_figure([Step("$S$", Text("分数", "scores"), np.zeros((3, 3)), digits=0)])
    assert picture.png().startswith(b"\x89PNG")


def test_the_leak_shows_both_measurements_and_the_law() -> None:
    masked, unmasked = 1 / np.arange(1.0, 17), np.full(16, 1 / 16)
    law, with_mask, without = mask_leak_figure(masked, unmasked).axes[0].lines
    assert np.allclose(law.get_ydata(), 1 / np.arange(1, 17))
    assert np.allclose(with_mask.get_ydata(), masked)
    assert np.allclose(without.get_ydata(), unmasked)


def test_the_scale_shows_the_law_and_the_three_measurements() -> None:
    widths, spread = np.array([4, 64]), np.array([2.1, 7.9])
    raw, scaled = np.array([0.4, 0.9]), np.array([0.2, 0.2])
    left, right = score_scale_figure(widths, spread, raw, scaled, n_keys=16).axes
    assert np.allclose(left.lines[0].get_ydata(), [2, 8])
    for line, values in zip((left.lines[1], *right.lines), (spread, raw, scaled), strict=True):
        assert np.allclose(line.get_ydata(), values)
