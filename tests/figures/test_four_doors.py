"""The picture of the four doors says at which of them the reader is."""

import pytest

from posenc_lessons.figures.four_doors import four_doors_figure


def test_the_alt_text_says_where_the_reader_is() -> None:
    assert "你在" not in four_doors_figure().alt.zh
    assert four_doors_figure((3, 4)).alt.zh.endswith("你在第 3、4 道门。")
    assert four_doors_figure([2]).alt.en.endswith("You are at door 2.")


@pytest.mark.parametrize("here", [(0,), (5, 1), (1, 7)])
def test_a_door_that_does_not_exist_is_refused_in_both_languages(here: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"from 1 to 4[\s\S]*1 到 4 号门"):
        four_doors_figure(here)
