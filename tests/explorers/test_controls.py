"""Controls by themselves: each kind in words, and a kind that is none of ours is refused."""

from __future__ import annotations

import ipywidgets
import pytest
import traitlets

from posenc_lessons.explorers import EXPLORERS, GateExplorer, SinusoidExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.controls import Control
from posenc_lessons.explorers.widgets import TickBoxes
from posenc_lessons.language import BilingualTypeError, Text


def test_a_control_whose_value_no_link_and_no_page_could_carry_is_refused() -> None:
    class WithAShare(SinusoidExplorer):
        def make_controls(self) -> dict[str, Control]:
            share = Control(ipywidgets.FloatSlider(0.3), Text("份额", "share"))
            return {**super().make_controls(), "share": share}

    with pytest.raises(BilingualTypeError) as refused:
        WithAShare()
    assert "“份额”不能是 FloatSlider" in refused.value.text.zh
    assert "the control “share” cannot be a FloatSlider" in refused.value.text.en
    assert "there are Slider, LogSlider, Choice, Choices, TextBox, TickBox" in refused.value.text.en


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_every_value_is_the_same_after_a_link_and_after_a_page(make: type[Explorer]) -> None:
    explorer = make()
    for name, control in explorer.named_controls.items():
        value = control.value()
        assert control.from_text(control.as_text(value)) == value
        assert control.from_data(name, control.as_data()["value"]) == pytest.approx(value)
        assert control.in_words(value).zh and control.in_words(value).en
    explorer.close()


def test_an_option_that_is_a_pair_is_one_option_in_words_too() -> None:
    explorer = GateExplorer(rule="trained", head=(0, 0))
    explorer._keep.value = True
    explorer.controls["head"].value = (1, 1)
    assert explorer.message is None
    assert "layer 1, head 1" in explorer._pictures.children[1]._which.value
    assert "layer 2, head 2" in explorer._pictures._which.value
    explorer.close()


def test_ticking_boxes_and_setting_the_value_are_the_same() -> None:
    control = TickBoxes([("one", 1), ("two", 2), ("three", 3)], [2])
    boxes = control.children[1].children
    assert [box.value for box in boxes] == [False, True, False]
    boxes[0].value = True
    assert control.value == (1, 2), "in the order of the options"
    boxes[1].value = False
    assert control.value == (1,)
    control.value = (3, 1)
    assert control.value == (1, 3) and [box.value for box in boxes] == [True, False, True]
    control.options = [("eins", 1), ("zwei", 2), ("drei", 3)]
    assert [box.description for box in boxes] == ["eins", "zwei", "drei"] and control.value == (1, 3)
    with pytest.raises(traitlets.TraitError, match="no such option: 4"):
        control.value = (4,)
