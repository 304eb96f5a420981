"""The kernel's side of the panel: its answers over the comm, and the changes that it pushes."""

from __future__ import annotations

from typing import Any

import anywidget
import pytest

from posenc_lessons import language
from posenc_lessons.explorers import RotationExplorer, ShuffleExplorer
from posenc_lessons.explorers.panel import FONT_WANTED, PanelWidget
from posenc_lessons.figures.fonts import FAMILY, WEB_FONT


class Frontend:
    """A stand-in for the JavaScript side: it asks ``widget`` and keeps the answers."""

    def __init__(self, widget: PanelWidget, monkeypatch: pytest.MonkeyPatch) -> None:
        self.widget = widget
        self.sent: list[tuple[dict[str, Any], list[bytes]]] = []
        monkeypatch.setattr(widget, "send", lambda *message: self.sent.append((*message, [])[:2]))  # type: ignore[arg-type]

    def say(self, content: Any) -> None:
        message = {"data": {"method": "custom", "content": content}}
        self.widget._handle_msg({"content": message, "buffers": []})

    def ask(self, call: str, *args: Any) -> dict[str, Any]:
        """Return the answer to one question, with the bytes where they belong."""
        self.sent.clear()
        self.say({"id": 7, "call": call, "args": args})
        ((message, buffers),) = self.sent
        assert message["id"] == 7
        return with_bytes(message, buffers)


def with_bytes(value: Any, buffers: list[bytes]) -> Any:
    """Return ``value`` with each buffer in its place."""
    if isinstance(value, dict):
        if value.keys() == {"$buffer"}:
            return buffers[value["$buffer"]]
        return {key: with_bytes(part, buffers) for key, part in value.items()}
    return [with_bytes(part, buffers) for part in value] if isinstance(value, list) else value


@pytest.fixture
def rotation() -> RotationExplorer:
    return RotationExplorer()


@pytest.fixture
def frontend(rotation: RotationExplorer, monkeypatch: pytest.MonkeyPatch) -> Frontend:
    return Frontend(PanelWidget(rotation), monkeypatch)


def test_an_answer_has_its_bytes_as_buffers_and_only_what_changed(
    rotation: RotationExplorer, frontend: Frontend
) -> None:
    whole = frontend.ask("view")["answer"]
    assert whole["explorer"] == "rotation"
    assert all(isinstance(layer["bytes"], bytes) for layer in whole["data"].values())
    news = frontend.ask("set", "m", 8)["answer"]
    assert rotation.controls["m"].value == 8 and "data" in news and "tries" not in news
    assert len(frontend.sent) == 1, "an answer is not pushed as well"


def test_changes_by_a_cell_or_the_language_are_pushed_and_in_the_widgets_state(
    rotation: RotationExplorer, frontend: Frontend
) -> None:
    frontend.ask("view")
    frontend.sent.clear()
    rotation.controls["n"].value = 30
    language.choose("en")
    (first, buffers), (second, _) = frontend.sent
    assert first.keys() == {"answer"} and buffers and "n=30" in first["answer"]["link"]
    assert second["answer"]["language"] == "en"
    state = frontend.widget.get_state()["view"]
    assert state == frontend.ask("view")["answer"] and "n=30" in state["link"]


def test_a_question_that_fails_gets_an_answer(
    rotation: RotationExplorer, frontend: Frontend, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(parameters: object) -> dict[str, object]:
        raise KeyboardInterrupt

    monkeypatch.setattr(rotation, "compute", interrupted)
    with pytest.raises(KeyboardInterrupt):
        frontend.ask("set", "m", 8)
    ((message, _),) = frontend.sent
    assert "KeyboardInterrupt" in message["error"]


def test_the_font_is_sent_on_request(frontend: Frontend) -> None:
    frontend.say(FONT_WANTED)
    assert frontend.sent == [({"font": FAMILY}, [WEB_FONT.read_bytes()])]


@pytest.mark.parametrize("sentence", ["dog bites man", ""], ids=["a picture", "an error"])
def test_an_output_says_what_anywidget_says_of_its_own_code(
    sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Colab does not show a widget without it."""
    said = {"view": "7"}, {"view": {"colab": {"custom_widget_manager": {"url": "…"}}}}
    monkeypatch.setattr(anywidget.AnyWidget, "_repr_mimebundle_", lambda *_, **__: said)
    explorer = ShuffleExplorer(sentence=sentence)
    data, metadata = explorer._repr_mimebundle_()
    assert data["view"] == "7" and metadata["view"] == said[1]["view"]
    if explorer.message is None:
        assert metadata["image/png"]["alt"]
    else:
        assert data["text/plain"] == explorer.message.show("both")
