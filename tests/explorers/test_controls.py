"""Each kind of control: the values that it accepts, its text, and what it refuses."""

from typing import Any

import pytest

from posenc_lessons.explorers.controls import Change, Choice, Control, LogSlider, Slider, TextBox, TickBox
from posenc_lessons.language import BilingualValueError, Text

NAME = Text("名", "name")
OPTIONS = [(Text("一", "one"), 1), (Text("二", "two"), 2), (Text("对", "pair"), (1, 1))]


@pytest.mark.parametrize(
    ("control", "value", "becomes"),
    [
        (Slider(NAME, 2, 9, 5), 7.0, 7),
        (Slider(NAME, 2, 512, 64, step=2), 512, 512),
        (LogSlider(NAME, 0, 6, 10.0), 10000.00000000002, 10000.0),
        (Choice(NAME, OPTIONS, 1), (1, 1), (1, 1)),
        (TickBox(NAME, False), True, True),
        (TextBox(NAME, "a"), "\ud800b", "\ufffdb"),
    ],
)
def test_a_value_is_kept_in_its_form_and_observers_are_called(
    control: Control, value: Any, becomes: Any
) -> None:
    changes: list[Change] = []
    control.observe(changes.append)
    old = control.value
    for _ in range(2):
        control.value = value
    assert control.value == becomes
    assert changes == [(control, old, becomes)], "once, as the second time nothing changes"


@pytest.mark.parametrize(
    ("control", "value"),
    [
        (Slider(NAME, 2, 9, 5), "7"),
        (Slider(NAME, 2, 9, 5), True),
        *((Slider(NAME, 2, 9, 5), beyond) for beyond in (10, 1, 7.4)),
        (Slider(NAME, 2, 512, 64, step=2), 67),
        (LogSlider(NAME, 0, 6, 10.0), 1.1e6),
        (LogSlider(NAME, 0, 6, 10.0), float("nan")),
        (Choice(NAME, OPTIONS, 1), 3),
        (TickBox(NAME, False), 1),
        (TextBox(NAME, "a"), None),
    ],
)
def test_an_invalid_value_is_refused_by_name(control: Control, value: Any) -> None:
    old = control.value
    with pytest.raises(BilingualValueError, match="name must be"):
        control.value = value
    assert control.value == old


@pytest.mark.parametrize(
    ("control", "sent", "becomes"),
    [
        (Slider(NAME, 2, 9, 5), 7.4, 7),
        (Slider(NAME, 2, 9, 5), 99, 9),
        (Slider(NAME, 2, 9, 5), -1, 2),
        (Slider(NAME, 2, 512, 64, step=2), 67, 66),
        (Slider(NAME, 2, 512, 64, step=2), 1e9, 512),
        (LogSlider(NAME, 0, 6, 10.0), 1e99, 1e6),
    ],
)
def test_a_number_from_a_panel_is_moved_to_the_nearest(control: Control, sent: Any, becomes: Any) -> None:
    assert control.from_data(sent) == becomes


def test_values_are_put_in_words() -> None:
    controls = (Slider(NAME, 2, 9, 5), LogSlider(NAME, 0, 6, 1e4), Choice(NAME, OPTIONS, 1))
    boxes = (TickBox(NAME, True), TickBox(NAME, False), TextBox(NAME, "a" * 30))
    words = [control.as_data()["text"].rpartition(" · ")[2] for control in (*controls, *boxes)]
    assert words == ["5", "10,000.0", "one", "✓", "–", f"“{'a' * 23}…”"]


@pytest.mark.parametrize("sent", [True, -1, 3, "one", [0]])
def test_a_panel_means_an_option_by_its_number(sent: Any) -> None:
    choice = Choice(NAME, OPTIONS, 2)
    assert choice.from_data(2) == (1, 1)
    with pytest.raises(BilingualValueError, match="name must be one of 0, 1, 2"):
        choice.from_data(sent)


def test_a_slider_s_value_follows_its_limits() -> None:
    slider = Slider(NAME, 0, 9, 5)
    slider.limit(0, 3)
    assert slider.value == 3
    slider.limit(-9, -9)
    assert (slider.value, slider.as_data()["min"], slider.as_data()["max"]) == (-9, -9, -9)


def test_a_refusal_says_the_limits_in_both_languages() -> None:
    with pytest.raises(BilingualValueError) as refused:
        Slider(NAME, 2, 512, 64, step=2).value = 67
    assert refused.value.text.zh == "name 要是 2 到 512 的整数，每步 2，收到 67"
    assert refused.value.text.en == "name must be a whole number from 2 to 512 in steps of 2, got 67"
