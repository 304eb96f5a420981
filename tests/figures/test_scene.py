"""Scenes: colours and ticks."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc_lessons.figures.colors import color_table
from posenc_lessons.figures.draw import draw
from posenc_lessons.figures.places import apart, slanted
from posenc_lessons.figures.scene import Axis, ColorBar, Heatmap, Line, Panel, Points, Scene
from posenc_lessons.language import Text

LABEL = Text("数", "number")


def scene(values: np.ndarray, title: str = "title") -> Scene:
    rows, columns = values.shape
    panel = Panel(
        "map",
        (60, 40, 200, 150),
        Text("标题", title),
        Axis(LABEL, -0.5, columns - 0.5, whole=True),
        Axis(LABEL, rows - 0.5, -0.5, whole=True),
        (
            Heatmap("values", values, 0, 1, "sequential"),
            Line("line", np.arange(3.0), np.arange(3.0), "#ff0000", dashed=True),
            Points("dot", np.ones(1), np.ones(1), "#00ff00"),
        ),
        ColorBar("sequential", 0, 1),
    )
    return Scene(340, 240, (panel,), Text("一张图", "a picture"))


def test_colour_indices_run_from_low_to_high_and_zero_means_empty() -> None:
    values = np.array([[-3.0, 0.0, 0.5, 1.0, 7.0, np.nan]])
    assert Heatmap("v", values, 0, 1, "sequential").indices().tolist() == [[1, 1, 128, 255, 255, 0]]


@given(st.floats(-1, 1))
def test_a_colour_is_at_most_half_a_step_from_its_value(value: float) -> None:
    (index,) = Heatmap("v", np.array([[value]]), -1, 1, "diverging").indices()[0]
    assert abs((index - 1) / 254 * 2 - 1 - value) <= 1 / 254 + 1e-6


@pytest.mark.parametrize(
    ("words", "expected"),
    [("the dog bit him", False), ("那 条 狗 咬", False), ("yesterday a dog barked", True)],
)
def test_long_words_below_a_panel_are_slanted(words: str, expected: bool) -> None:
    ticks = tuple((float(at), word) for at, word in enumerate(words.split()))
    (panel,) = scene(np.zeros((4, 4))).panels  # 50 CSS pixels a column
    named = replace(panel, x=replace(panel.x, ticks=ticks))
    assert not slanted(named)  # as numbers
    assert slanted(replace(named, words=True)) == expected
    tilts = {
        label.get_rotation() for label in draw(_of(replace(named, words=True))).axes[0].get_xticklabels()
    }
    assert tilts == {45.0 if expected else 0.0}


def _of(panel: Panel) -> Scene:
    return replace(scene(np.zeros((4, 4))), panels=(panel,))


def test_each_cell_has_the_colour_of_its_value() -> None:
    values = np.linspace(0, 1, 12).reshape(3, 4)
    plain = scene(values)
    panel = plain.panels[0]
    only_map = Scene(
        plain.width, plain.height, (Panel(**{**vars(panel), "layers": panel.layers[:1]}),), plain.alt
    )
    pixels = draw(only_map).pixels(1)
    expected = color_table("sequential")[panel.layers[0].indices()]  # type: ignore[union-attr]
    for row in range(3):
        for column in range(4):
            np.testing.assert_array_equal(
                pixels[40 + 50 * row + 25, 60 + 50 * column + 25], expected[row, column]
            )


@given(st.lists(st.floats(0, 300), min_size=1, max_size=20))
def test_names_at_line_ends_do_not_overlap_and_keep_their_order(wanted: list[float]) -> None:
    places = apart(wanted, 15, 0, 300)
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    assert all(places[after] - places[before] >= 15 - 1e-6 for before, after in itertools.pairwise(order))
    assert min(places) >= -1e-6 and max(places) <= 300 + 1e-6
    if len(wanted) == 1:
        assert places == wanted


def test_the_picture_speaks_the_readers_language() -> None:
    words = {
        language: {text.get_text() for text in draw(scene(np.zeros((2, 2))), language).texts}
        for language in ("zh", "en", "both")
    }
    assert "标题" in words["zh"] and "Title" in words["en"] and "标题 · Title" in words["both"]
