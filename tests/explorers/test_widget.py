"""An explorer's widget: its traits are the controls, both ways, and what it refuses is said in a sentence."""

import re
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets
import pytest

from posenc_lessons import front_end, language
from posenc_lessons.explorers import GateExplorer, RotationExplorer, ShuffleExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.panel import FONT_WANTED, PanelWidget
from posenc_lessons.figures.fonts import FAMILY, WEB_FONT
from posenc_lessons.language import BilingualValueError
from tests.test_project import read


def test_a_jupyterlab_without_the_extension_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    share = tmp_path / "share" / "jupyter"
    monkeypatch.setattr(front_end, "_of_server", lambda: tmp_path / "bin" / "python")
    monkeypatch.setattr("jupyter_core.paths.jupyter_path", list)
    assert front_end.what_is_missing() is None, "no JupyterLab is there"
    (share / "lab").mkdir(parents=True)
    missing = front_end.what_is_missing()
    assert missing is not None and f"{tmp_path / 'bin' / 'python'} -m pip install" in missing.en
    (share / "labextensions" / "anywidget").mkdir(parents=True)
    assert front_end.what_is_missing() is None


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Collect what widgets send to their pages, with the buffers of each message."""
    messages: list[Any] = []

    def note(_: object, message: dict[str, Any], buffers: Any = None) -> None:
        messages.append({**message, "buffers": buffers})

    monkeypatch.setattr(PanelWidget, "_send", note)
    return messages


def from_a_page(widget: PanelWidget, **state: Any) -> None:
    """Set traits of ``widget`` as a page does."""
    content = {"data": {"method": "update", "state": state}}
    widget._handle_msg({"content": content, "buffers": []})


def asked_by(widget: PanelWidget, content: Any) -> None:
    """Ask ``widget`` as its panel does."""
    message = {"data": {"method": "custom", "content": content}}
    widget._handle_msg({"content": message, "buffers": []})


def test_every_control_is_a_trait_and_can_be_set_by_its_own_values(explorer: Explorer) -> None:
    free = [*ipywidgets.DOMWidget.class_trait_names(), "fixed", "view", "explorer"]
    assert set(explorer.controls).isdisjoint(free)
    widget = explorer.widget
    assert widget is explorer.widget and set(explorer.controls) <= set(widget.get_state())
    for name, control in explorer.controls.items():
        assert getattr(widget, name) == control.value
        from_a_page(widget, **{name: widget.get_state(name)[name]})  # tuples are lists there
        assert explorer.message is None and getattr(widget, name) == control.value
        for wrong in (None, [1, 2], object()):
            with pytest.raises(BilingualValueError, match=name):
                setattr(widget, name, wrong)
            assert getattr(widget, name) == control.value


def test_the_examples_of_the_readme_run_and_move_each_other() -> None:
    _, example = re.findall(r"^```python\n(.*?)^```", read("README.md"), re.M | re.S)
    names: dict[str, Any] = {}
    exec(example, names)
    slow, fast, rotation, slider, note = (names[it] for it in ("slow", "fast", "rotation", "slider", "note"))
    fast.position = 30
    assert slow.explorer.controls["position"].value == 30
    slow.explorer.controls["position"].value = 31  # as a drag in the panel does
    assert fast.position == 31
    slider.value = 7
    assert "n − m = 2" in rotation.explorer.reading.en and note.value == "m = 7"
    rotation.explorer.reset()
    assert (slider.value, note.value) == (5, "m = 5")
    names["slider"].max = 300
    with pytest.raises(BilingualValueError, match="m must be a whole number from 0 to 200, got 240"):
        slider.value = 240
    assert rotation.explorer.controls["m"].value == 5


def test_one_change_is_computed_once_and_tells_the_page_each_new_value(
    sent: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = RotationExplorer(locked=True)
    widget, computed = explorer.widget, []
    compute = explorer.compute
    monkeypatch.setattr(explorer, "compute", lambda parameters: computed.append(1) or compute(parameters))  # type: ignore[func-returns-value]
    sent.clear()
    widget.m = 20
    assert len(computed) == 1 and (widget.m, widget.n) == (20, 24)
    states = [message["state"] for message in sent if message["method"] == "update"]
    assert sorted((name, value) for state in states for name, value in state.items()) == [
        ("m", 20),
        ("n", 24),
    ]


@pytest.mark.parametrize(
    ("spoken", "words"), [("en", "m must be a whole number"), ("zh", "m 要是 0 到 200 的整数")]
)
@pytest.mark.parametrize("value", [201, -1, 7.5])
def test_a_refused_value_is_answered_by_a_sentence_here_and_in_the_panel(
    spoken: language.Language, words: str, value: float, sent: list[Any]
) -> None:
    language.choose(spoken)
    widget = RotationExplorer().widget
    with pytest.raises(BilingualValueError, match=words):
        widget.m = value
    assert widget.m == 5
    alerts = [
        message["content"]["answer"].get("alert", "") for message in sent if message["method"] == "custom"
    ]
    assert words in alerts[-1]
    sent.clear()
    from_a_page(widget, m=value)
    assert sent[-1]["state"] == {"m": 5}, "the page gets the present value back"
    widget.m = 6
    assert sent[-1]["content"]["answer"]["alert"] == ""


def test_a_control_that_another_one_decides_says_so() -> None:
    widget = RotationExplorer(locked=True).widget
    with pytest.raises(BilingualValueError, match="other settings decide n now: it is 9"):
        widget.n = 30
    assert widget.n == 9


@pytest.mark.parametrize(
    ("kind", "setting", "limits"),
    [
        (RotationExplorer, {"base": 1e11}, "from 1.12202 to 1e[+]06"),
        (GateExplorer, {"query": 1000}, "query must be a whole number from 0"),
    ],
)
def test_an_explorer_does_not_start_beyond_its_limits(
    kind: type[Explorer], setting: dict[str, Any], limits: str
) -> None:
    with pytest.raises(BilingualValueError, match=limits):
        kind(**setting)


def test_a_closed_explorer_has_no_widget() -> None:
    explorer = RotationExplorer()
    widget = explorer.widget
    explorer.close()
    with pytest.raises(RuntimeError, match="make a new one"):
        _ = explorer.widget
    with pytest.raises(RuntimeError, match="make a new one"):
        widget.m = 7
    assert explorer.controls["m"].value == 5


# ---- The panel's questions ----


def test_an_answer_has_its_bytes_as_buffers_and_only_what_changed(sent: list[Any]) -> None:
    widget = RotationExplorer().widget
    sent.clear()
    asked_by(widget, {"id": 7, "call": "view", "args": []})
    asked_by(widget, {"id": 8, "call": "set", "args": ["m", 8]})
    whole, updated, news = sent
    assert (whole["content"]["id"], updated["state"], news["content"]["id"]) == (7, {"m": 8}, 8)
    data = RotationExplorer().widget.get_state()["view"]["data"]
    for name, layer in whole["content"]["answer"]["data"].items():
        assert whole["buffers"][layer["bytes"]["$buffer"]] == data[name]["bytes"]
    assert "data" in news["content"]["answer"] and "tries" not in news["content"]["answer"]


def test_changes_by_a_cell_or_the_language_are_pushed_and_in_the_widgets_state(sent: list[Any]) -> None:
    explorer = RotationExplorer()
    widget = explorer.widget
    asked_by(widget, {"id": 7, "call": "view", "args": []})
    sent.clear()
    explorer.controls["n"].value = 30
    language.choose("en")
    first, second = (message["content"]["answer"] for message in sent if message["method"] == "custom")
    assert "n=30" in first["link"] and second["language"] == "en"
    assert widget.get_state()["view"] == widget._host.present_view()


def test_a_question_that_fails_gets_an_answer(sent: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: object, parameters: object) -> dict[str, object]:
        raise KeyboardInterrupt

    widget = RotationExplorer().widget
    monkeypatch.setattr(RotationExplorer, "compute", interrupted)
    with pytest.raises(KeyboardInterrupt):
        asked_by(widget, {"id": 7, "call": "set", "args": ["m", 8]})
    assert "KeyboardInterrupt" in sent[-1]["content"]["error"]


def test_the_font_is_sent_on_request(sent: list[Any]) -> None:
    asked_by(RotationExplorer().widget, FONT_WANTED)
    assert (sent[-1]["content"], sent[-1]["buffers"]) == ({"font": FAMILY}, [WEB_FONT.read_bytes()])


@pytest.mark.parametrize("sentence", ["dog bites man", ""], ids=["a picture", "an error"])
def test_an_output_says_what_anywidget_says_of_its_own_code(
    sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Colab does not show a widget without it."""
    own = {"view": "7"}, {"view": {"colab": {"custom_widget_manager": {"url": "…"}}}}
    monkeypatch.setattr(anywidget.AnyWidget, "_repr_mimebundle_", lambda *_, **__: own)
    explorer = ShuffleExplorer(sentence=sentence)
    data, metadata = explorer._repr_mimebundle_()
    assert data["view"] == "7" and metadata["view"] == own[1]["view"]
    assert (explorer.message is None) == ("image/png" in metadata)
