"""What pictures say in words and colours; ``test_gallery.py`` has the numbers that each draws."""

import numpy as np
import pytest

from posenc_lessons.figures.heatmaps import Heatmap, heatmaps_figure
from posenc_lessons.figures.lines import APART, lines_figure
from posenc_lessons.figures.matrix_chain import Step, matrix_chain_figure
from posenc_lessons.language import Text, shown_in
from tests.figures.gallery import words_of

pytestmark = pytest.mark.usefixtures("english")


def test_the_chain_shows_every_number_with_the_given_digits() -> None:
    steps = [
        Step("$X$", Text("输入", "input"), np.array([[1.0, 0.0], [0.0, 2.0]]), digits=0),
        Step("$A$", Text("权重", "weights"), np.array([[0.8446, 0.1554], [0.5, 0.5]]), "softmax"),
    ]
    with shown_in("zh"):
        texts = words_of(matrix_chain_figure(steps))
    for text in ("1", "2", "0.84", "0.16", "0.50", "softmax", "输入", "权重", "$X$", "$A$"):
        assert text in texts


NAME, OTHER = Text("名字", "name"), Text("别名", "other")


def test_heatmaps_share_one_scale_unless_each_has_its_own() -> None:
    values = np.where(np.tri(4), np.arange(16.0).reshape(4, 4), np.nan)
    picture = heatmaps_figure([Heatmap(NAME, values), Heatmap(OTHER, -values / 2)])
    assert [axes.images[0].get_clim() for axes in picture.axes[:2]] == [(-15, 15)] * 2
    maps = [Heatmap(NAME, values / 15, (0, 1)), Heatmap(OTHER, values, (0, 15), framed=(2, 1))]
    first, second = heatmaps_figure(maps, tokens="R+·+").axes[:2]
    assert first.images[0].get_clim() == (0, 1) and second.images[0].get_clim() == (0, 15)
    assert [label.get_text() for label in first.get_xticklabels()] == list("R+·+")
    assert [label.get_text() for label in first.get_yticklabels()] == list("R+·+")
    shown = second.images[0].get_array()
    assert shown is not None and float(shown[3, 0]) == 12
    assert {patch.get_xy() for patch in second.patches} == {(0.5, 1.5)} and not first.patches


def test_a_heatmap_says_numbers_that_are_not_0_and_a_mask_true_and_false() -> None:
    numbers = words_of(heatmaps_figure([Heatmap(NAME, np.array([[0.0, -0.25]]), (-1, 1))], numbers=True))
    assert [word for word in numbers if word in ("0.0", "−0.2")] == ["−0.2"]
    mask = np.array([[True, False], [True, True], [False, True]])
    words = words_of(heatmaps_figure([Heatmap(NAME, mask)], numbers=True))
    assert [word for word in words if word in ("T", "F")] == list("TFTTFT")


def test_lines_have_their_names_at_their_ends_apart_from_each_other_and_runs_are_dots() -> None:
    lines = {NAME: np.array([1.0, 3.0]), OTHER: np.array([[2.0, 3.0], [4.0, 3.1]])}
    (axes,) = lines_figure(NAME, NAME, OTHER, (1, 10), lines, logs="x").axes
    assert [np.asarray(line.get_ydata()).tolist() for line in axes.lines] == [
        [1, 3],
        [3, 3.05],
        [2, 3],
        [4, 3.1],
    ]
    names, lowest = axes.texts, axes.get_ylim()[0]
    assert [name.get_text() for name in names] == ["name", "other"] and lowest == 0
    assert names[1].get_position()[1] - names[0].get_position()[1] == pytest.approx(APART)
