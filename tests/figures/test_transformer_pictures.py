"""The pictures of lesson 07 (a Transformer's shapes, heads, masks and layers) show their arguments."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.axes import Axes

from posenc_lessons.figures.decoding import SourceWeights, cross_attention_figure
from posenc_lessons.figures.masks import Mask, masks_figure
from posenc_lessons.figures.scale_at_start import Depth, depth_figure
from posenc_lessons.figures.style import Picture
from posenc_lessons.figures.transformer_shapes import heads_split_figure, transformer_shapes_figure
from posenc_lessons.language import Text

NUMBERS = np.arange(12).reshape(3, 4)
HEADS = NUMBERS.reshape(3, 2, 2).swapaxes(0, 1)


def words(picture: Picture) -> list[str]:
    return [label.get_text() for label in picture.axes[0].texts]


def test_every_shape_is_written_in_letters_and_numbers() -> None:
    shown = words(transformer_shapes_figure(3, 7, 24, 6, 48, 11))
    for shape in ("[3, 7]", "[3, 7, 24]", "[3, 6, 7, 4]", "[3, 6, 7, 7]", "[3, 7, 48]", "[3, 7, 11]"):
        assert shape in shown
    assert {"[B, L]", "[B, h, L, d_head]", "[B, h, Lq, Lk]", "[B, L, V]"} <= set(shown)


def test_heads_must_divide_the_width() -> None:
    with pytest.raises(ValueError, match=r"n_heads must divide d_model; got d_model=10, n_heads=4"):
        transformer_shapes_figure(d_model=10)


def test_heads_and_the_joined_matrix_show_their_numbers() -> None:
    shown = words(heads_split_figure(NUMBERS, HEADS, NUMBERS[::-1]))
    cells = [word for word in shown if word.isdigit()]
    # A row of numbers for every row, then the row numbers of that matrix.
    before, rows, after = cells[:12], ["0", "1", "2"], cells[-12:]
    assert before == [str(n) for n in range(12)]
    assert (
        cells[12:-12]
        == rows + [str(n) for n in HEADS[0].ravel()] + rows + [str(n) for n in HEADS[1].ravel()] + rows
    )
    assert after == [str(n) for n in NUMBERS[::-1].ravel()]


def test_a_cell_keeps_its_colour_wherever_it_goes() -> None:
    patches = heads_split_figure(NUMBERS, NUMBERS.reshape(2, 3, 2), NUMBERS).axes[0].patches
    first, middle, last = (
        [patch.get_facecolor() for patch in patches[start : start + 12]] for start in (0, 12, 24)
    )
    assert first == middle == last
    assert len(set(first)) == 6, "a colour for each head, a shade for each token"


def test_the_alternative_text_says_whether_the_split_is_right() -> None:
    assert "each head gets its columns" in heads_split_figure(NUMBERS, HEADS, NUMBERS).alt.en
    wrong = heads_split_figure(NUMBERS, NUMBERS.reshape(2, 3, 2), NUMBERS[::-1]).alt
    assert "mixed up" in wrong.en and "another matrix" in wrong.en and "混进" in wrong.zh


def test_masks_say_true_and_false_cell_by_cell() -> None:
    look = np.array([[True, False], [True, True], [False, True]])
    shown = words(masks_figure([Mask(Text("掩码", "mask"), look, ("a", "b", "c"), ("x", "y"))]))
    assert [word for word in shown if word in ("T", "F")] == list("TFTTFT")


def test_a_mask_of_numbers_or_of_the_wrong_size_is_refused() -> None:
    title = Text("掩码", "mask")
    with pytest.raises(ValueError, match=r"must be bool \[2, 2\].*float64 \[2, 2\]"):
        masks_figure([Mask(title, np.eye(2), ("a", "b"), ("a", "b"))])
    with pytest.raises(ValueError, match=r"must be bool \[1, 2\].*bool \[2, 2\]"):
        masks_figure([Mask(title, np.eye(2, dtype=bool), ("a",), ("a", "b"))])


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
    axes, _ = cross_attention_figure([SourceWeights(Text("题", "title"), weights, "abc", "xy")]).axes
    np.testing.assert_array_equal(axes.get_images()[0].get_array(), weights)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b", "c"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["x", "y"]
    assert axes.get_title(loc="left") == "title"
