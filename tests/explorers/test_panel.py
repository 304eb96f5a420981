"""The kernel's side of the panel: its answers over the comm, and the changes that it pushes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS, RotationExplorer
from posenc_lessons.explorers.panel import FONT_WANTED, PanelWidget
from posenc_lessons.explorers.tabs import EveryExplorer
from posenc_lessons.figures.fonts import FAMILY, WEB_FONT


class Frontend:
    """A stand-in for the JavaScript side: it asks ``widget`` and keeps the answers."""

    def __init__(self, widget: PanelWidget, monkeypatch: pytest.MonkeyPatch) -> None:
        self.widget = widget
        self.sent: list[tuple[dict[str, Any], list[bytes]]] = []
        monkeypatch.setattr(widget, "send", lambda *message: self.sent.append((*message, [])[:2]))  # type: ignore[arg-type]

    def say(self, content: Any) -> None:
        self.widget._handle_msg(
            {"content": {"data": {"method": "custom", "content": content}}, "buffers": []}
        )

    def ask(self, place: str, call: str, *args: Any) -> dict[str, Any]:
        """Return the answer to one question, with the bytes where they belong."""
        self.sent.clear()
        self.say({"id": 7, "place": place, "call": call, "args": args})
        ((message, buffers),) = self.sent
        assert (message["id"], message["place"]) == (7, place)
        return with_bytes(message, buffers)


def with_bytes(value: Any, buffers: list[bytes]) -> Any:
    """Return ``value`` with each buffer in its place."""
    if isinstance(value, dict):
        if value.keys() == {"$buffer"}:
            return buffers[value["$buffer"]]
        return {key: with_bytes(each, buffers) for key, each in value.items()}
    return [with_bytes(each, buffers) for each in value] if isinstance(value, list) else value


@pytest.fixture
def rotation(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[RotationExplorer, Frontend]]:
    explorer = RotationExplorer()
    frontend = Frontend(PanelWidget(explorer), monkeypatch)
    yield explorer, frontend
    frontend.widget.close()


def test_an_answer_has_its_bytes_as_buffers(
    rotation: tuple[RotationExplorer, Frontend],
) -> None:
    explorer, frontend = rotation
    whole = frontend.ask("rotation", "view")["answer"]
    assert whole["explorer"] == "rotation"
    assert all(isinstance(each["bytes"], bytes) for each in whole["data"].values())
    news = frontend.ask("rotation", "set", "m", 8)["answer"]
    assert explorer.controls["m"].value == 8 and "data" in news and "tries" not in news
    assert len(frontend.sent) == 1, "an answer is not pushed as well"


def test_changes_by_a_cell_or_the_language_are_pushed(rotation: tuple[RotationExplorer, Frontend]) -> None:
    explorer, frontend = rotation
    frontend.ask("rotation", "view")
    frontend.sent.clear()
    explorer.controls["n"].value = 30
    language.choose("en")
    (first, buffers), (second, _) = frontend.sent
    assert first.keys() == {"place", "answer"} and buffers and "n=30" in first["answer"]["link"]
    assert second["answer"]["language"] == "en"


def test_the_state_of_the_widget_has_the_present_view(rotation: tuple[RotationExplorer, Frontend]) -> None:
    explorer, frontend = rotation
    explorer.controls["n"].value = 30
    state = frontend.widget.get_state()["view"]
    assert state == frontend.ask("rotation", "view")["answer"] and "n=30" in state["link"]


def test_a_question_that_fails_gets_an_answer(
    rotation: tuple[RotationExplorer, Frontend], monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer, frontend = rotation

    def interrupted(parameters: object) -> dict[str, object]:
        raise KeyboardInterrupt

    monkeypatch.setattr(explorer, "compute", interrupted)
    with pytest.raises(KeyboardInterrupt):
        frontend.ask("rotation", "set", "m", 8)
    ((message, _),) = frontend.sent
    assert "KeyboardInterrupt" in message["error"]
    monkeypatch.undo()


@pytest.mark.parametrize("said", [FONT_WANTED, {"wanted": "/etc/passwd"}, {}, None, "font"])
def test_the_font_is_sent_on_request(said: Any, rotation: tuple[RotationExplorer, Frontend]) -> None:
    _, frontend = rotation
    frontend.say(said)
    assert frontend.sent == ([({"font": FAMILY}, [WEB_FONT.read_bytes()])] if said == FONT_WANTED else [])


def test_an_explorer_of_the_tabs_is_made_once_when_its_tab_is_first_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listeners, tabs = len(language._listeners), EveryExplorer()
    frontend = Frontend(tabs._live, monkeypatch)
    assert list(tabs._live.places) == [explorer.name for explorer in EXPLORERS] and not tabs._live._hosts
    for _ in range(2):
        assert frontend.ask("stretch", "view")["answer"]["explorer"] == "stretch"
    assert list(tabs._live._hosts) == ["stretch"]
    assert "nobody" in frontend.ask("nobody", "view")["error"]
    data, _ = tabs._repr_mimebundle_()
    assert data["text/plain"].count(" · ") == len(EXPLORERS)
    tabs.close()
    assert tabs._live.comm is None and len(language._listeners) == listeners
