"""The picture of the four doors has the right words, and none of them overlap."""

from __future__ import annotations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text as Label
from matplotlib.transforms import Bbox

from posenc_lessons import language as reader
from posenc_lessons.figures.four_doors import DOORS, four_doors_figure
from posenc_lessons.figures.style import Picture
from posenc_lessons.language import LANGUAGES, Language


def labels(picture: Picture) -> list[tuple[str, Bbox]]:
    """Return every text and its box, in CSS pixels with y pointing up."""
    picture.draw_without_rendering()
    renderer = FigureCanvasAgg(picture).get_renderer()
    return [
        (label.get_text(), label.get_window_extent(renderer))
        for label in picture.findobj(Label)
        if isinstance(label, Label) and label.get_text() and label.get_visible()
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_you_are_here_is_at_the_given_doors(language: Language) -> None:
    reader.choose(language)
    assert not [text for text, _ in labels(four_doors_figure()) if "here" in text or "这里" in text]
    marks = [
        (place.x0 + place.x1) / 2
        for text, place in labels(four_doors_figure((4, 2)))
        if "here" in text or "这里" in text
    ]
    assert marks == pytest.approx([DOORS[1].x, DOORS[3].x], abs=1)


def test_the_alt_text_says_where_the_reader_is() -> None:
    assert "你在" not in four_doors_figure().alt.zh
    assert four_doors_figure((3, 4)).alt.zh.endswith("你在第 3、4 道门。")
    assert four_doors_figure([2]).alt.en.endswith("You are at door 2.")


@pytest.mark.parametrize("here", [(0,), (5, 1), (1, 7)])
def test_a_door_that_does_not_exist_is_refused_in_both_languages(here: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"from 1 to 4[\s\S]*1 到 4 号门"):
        four_doors_figure(here)
