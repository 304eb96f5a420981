"""Messages that no page would send: an explorer's limits are Python's own, and it goes on as it was."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any

import ipywidgets
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from posenc_lessons import language
from posenc_lessons.classroom.app import app
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import MOST_TYPED, Explorer
from posenc_lessons.explorers.controls import all_in
from posenc_lessons.explorers.several import Several
from posenc_lessons.explorers.trust import MAY_SAY, REFUSED

SECONDS = 5.0  # that one message may take, on a machine with other work
WRONG = [
    *(None, "x", "7", "", [], [1], {}, {"a": 1}, [[[]]], True, -1, -(10**400), 10**400, 2**63, 1e308, -1e308),
    *(
        math.nan,
        math.inf,
        -math.inf,
        0.5,
        "9" * 5000,
        "a" * 1_000_000,
        "w " * 500_000,
        {"value": {"value": 1}},
    ),
]
FORGED = {"min": -(10**9), "max": 10**9, "step": 0, "base": 1e9, "disabled": False}


@pytest.fixture(params=EXPLORERS, ids=lambda kind: kind.__name__, scope="module")
def explorer(request: pytest.FixtureRequest) -> Iterator[Explorer]:
    language.choose("both")
    made = request.param()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def as_in_the_beginning(explorer: Explorer) -> Iterator[None]:
    yield
    explorer.reset()
    assert explorer.message is None


def say(widget: ipywidgets.Widget, state: Any) -> None:
    """What the kernel does with a message that ``state`` has changed on the page."""
    before = time.monotonic()
    widget._handle_msg({"content": {"data": {"method": "update", "state": state}}, "buffers": []})
    assert time.monotonic() - before < SECONDS


def press(widget: ipywidgets.Widget, content: Any) -> None:
    widget._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})


def parts(explorer: Explorer) -> dict[str, ipywidgets.Widget]:
    """The widgets that the page has of each control."""
    found = {}
    for name, widget in explorer.controls.items():
        boxes = widget.boxes.items() if isinstance(widget, Several) else [("", widget)]
        found |= {f"{name} {option}": box for option, box in boxes}
    return found


def sound(explorer: Explorer) -> bool:
    """Whether every value is one that its control offers."""
    for name, widget in explorer.controls.items():
        value = widget.value
        if isinstance(widget, ipywidgets.IntSlider):
            good = type(value) is int and widget.min <= value <= widget.max
            good = good and (value - widget.min) % widget.step == 0
        elif isinstance(widget, ipywidgets.FloatLogSlider):
            good = widget.base**widget.min <= value * 1.001 and value <= 1.001 * widget.base**widget.max
        elif isinstance(widget, ipywidgets.Dropdown):
            good = value in [option for _, option in widget.options]
        elif isinstance(widget, ipywidgets.Checkbox):
            good = isinstance(value, bool)
        elif isinstance(widget, Several):
            good = set(value) <= {option for _, option in widget.options}
        else:
            good = isinstance(value, str)
        if not good:
            raise AssertionError(f"{name} is {str(value)[:80]}")
    return True


def assert_right_picture_or_words(explorer: Explorer) -> None:
    """The picture is that of the values there are, or words say in both languages why there is none."""
    if explorer.message is None:
        assert explorer.canvas.layout.display is None
        scene, _ = explorer.present_scene()
        assert explorer.canvas.alt == scene.alt.show()
    else:
        assert explorer.canvas.layout.display == "none" and "出错" not in explorer.message.zh
        assert 'role="alert"' in explorer._alert.value


def test_no_value_that_is_none_gets_in_or_stays(explorer: Explorer) -> None:
    for name, widget in parts(explorer).items():
        key = "index" if isinstance(widget, ipywidgets.Dropdown) else "value"
        for wrong in WRONG:
            say(widget, {key: wrong})
            assert sound(explorer), (name, wrong)
            assert_right_picture_or_words(explorer)
        explorer.reset()
        assert explorer.message is None and explorer._alert.value == "", "a proper change mends it"


def test_what_is_refused_is_said_above_the_picture_and_the_page_put_right(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    slider = next(w for w in explorer.controls.values() if isinstance(w, ipywidgets.IntSlider))
    sent: list[Any] = []
    monkeypatch.setattr(slider, "send_state", lambda key=None: sent.append(key))
    before = explorer.parameters(), explorer.canvas.edition
    say(slider, {"value": [1]})
    assert REFUSED.en in explorer._alert.value and REFUSED.zh in explorer._alert.value
    assert (
        explorer.parameters(),
        explorer.canvas.edition,
    ) == before and explorer.canvas.layout.display is None
    assert sent == [["value"]]
    say(slider, {"value": slider.max})
    assert explorer._alert.value == "" and slider.value == slider.max


def test_a_page_cannot_move_the_limits(explorer: Explorer) -> None:
    for name, widget in parts(explorer).items():
        limits = {key: getattr(widget, key) for key in FORGED if hasattr(widget, key)}
        say(widget, FORGED)
        say(widget, {**FORGED, "value": 10**9})
        now = {key: getattr(widget, key) for key in limits}
        if not name.startswith("device") and explorer.name != "rotation":  # there, one range follows another
            assert now == limits, name
        assert now.get("max", 0) < 10**6
        assert sound(explorer)
        assert_right_picture_or_words(explorer)
        explorer.reset()


def test_a_page_can_change_nothing_that_is_no_control(explorer: Explorer) -> None:
    for widget in list(all_in(explorer)):
        heard = next((checks for kind, checks in MAY_SAY.items() if isinstance(widget, kind)), {})
        before = widget.get_state()
        others = [name for name in before if name not in heard]
        hostile = {name: f"<img src=x onerror=alert('{name}')>" for name in others}
        say(widget, hostile)
        say(widget, dict.fromkeys(others, None))
        assert widget.get_state() == before, type(widget).__name__


def test_messages_of_no_known_kind_change_nothing(explorer: Explorer) -> None:
    before = explorer.parameters(), explorer.canvas.edition
    for widget in list(all_in(explorer)):
        for state in ([], ["value"], "value", 3, None, {}):
            say(widget, state)
        for content in (
            None,
            [],
            "click",
            {"event": "click", "more": 1},
            {"kind": "anywidget-command", "name": "x"},
        ):
            press(widget, content)
    assert (explorer.parameters(), explorer.canvas.edition) == before


def test_a_button_that_is_disabled_cannot_be_pressed(explorer: Explorer) -> None:
    pressed = []
    for button in all_in(explorer):
        if isinstance(button, ipywidgets.Button):
            button.on_click(pressed.append)
            was, button.disabled = button.disabled, True
            press(button, {"event": "click"})
            button.on_click(pressed.append, remove=True)
            button.disabled = was
    assert pressed == []


WHERE = [
    *(
        None,
        [],
        "x",
        {},
        {"panel": "heatmap"},
        {"panel": [], "x": 0, "y": 0},
        {"panel": "matrix", "x": "1", "y": 1},
    ),
    *(
        {"panel": "x", "x": 0.0, "y": math.nan},
        {"panel": "x", "x": 10**400, "y": 0},
        {"panel": None, "x": 0, "y": 0},
    ),
]


def test_a_pointer_is_somewhere_or_nowhere(explorer: Explorer) -> None:
    for where in WHERE:
        say(explorer.canvas, {"pointer": where})
        assert explorer.message is None and sound(explorer)
    for panel in [*explorer.canvas.axes, "no such panel", "__class__"]:
        for x, y in [(-1e8, -1e8), (1e8, 1e8), (0, 1e8), (-1e8, 0.5)]:
            say(explorer.canvas, {"pointer": {"panel": panel, "x": x, "y": y}})
            assert explorer.message is None and sound(explorer)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_comes_the_values_are_sound(explorer: Explorer, data: st.DataObject) -> None:
    widgets = [*parts(explorer).values(), explorer.canvas]
    widget = data.draw(st.sampled_from(widgets))
    names = st.sampled_from(["value", "index", "pointer", *widget.keys])
    say(widget, data.draw(st.dictionaries(names, anything, max_size=4)))
    assert sound(explorer)
    assert_right_picture_or_words(explorer)


def test_a_text_of_any_length_is_kept_and_nothing_made_of_it(explorer: Explorer) -> None:
    for widget in explorer.controls.values():
        if isinstance(widget, ipywidgets.Text):
            say(widget, {"value": "字" * 1_000_000})
            assert len(widget.value) == 1_000_000
            assert explorer.message is not None and str(MOST_TYPED) in explorer.message.en
            say(explorer._show_code, {"value": True})
            assert len(explorer._code.value) < 10_000 and len(explorer._alert.value) < 10_000
            say(explorer._show_code, {"value": False})
            explorer.reset()


def test_the_page_itself_believes_no_more(explorer: Explorer) -> None:
    if explorer.name != EXPLORERS[0].name:
        return  # the page is one
    page = app()
    made = page.explorer
    for widget in (page, page.tabs, page.page, page.address, page.session, page.problems):
        for name in widget.keys:
            for wrong in (None, 10**400, [1], {"x": 1}, math.nan):
                before = widget.get_state(name)
                say(widget, {name: wrong})
                if name != "selected_index":  # no tab open is a thing that front ends do
                    assert widget.get_state(name) == before, (type(widget).__name__, name)
    say(page.tabs, {"selected_index": 0})
    assert page.explorer is made and page.page.mode == "light"
    assert REFUSED.en in page.problems.value
    say(page.address, {"also": ["y" * 1_000_000] * 1000})
    assert page.address.also == []
    say(page.address, {"asked": "x" * 1_000_000, "also": ["y" * 1_000_000] * 9, "arrived": True})
    assert "1000000" in page.problems.value and len(page.problems.value) < 10_000
