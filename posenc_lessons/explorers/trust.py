"""What a page may tell its widgets: what its reader can do there, and nothing else.

ipywidgets believes a browser that says a slider now ends at 10⁹, that a menu has no choice, or that a title
is other HTML. Whoever writes the messages to a kernel by hand could have it compute without end. So the
limits of an explorer are Python's own, and what is not in ``MAY_SAY`` is not heard.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable, Mapping
from reprlib import repr as brief
from typing import Any

import ipywidgets

from posenc_lessons.explorers.address import Address
from posenc_lessons.explorers.controls import all_in
from posenc_lessons.explorers.live import FONT_WANTED, LiveCanvas
from posenc_lessons.explorers.page import Page
from posenc_lessons.figures.theme import THEMES
from posenc_lessons.language import Text

LOG = logging.getLogger(__name__)

REFUSED = Text(
    "页面发来的内容用不了，没有照做；图还是原来的。",
    "What the page sent cannot be used; it was left out, and the picture is as it was.",
)
FARTHEST = 1e9  # of a pointer, in the units of any axis
MOST_KEPT = 10_000_000  # characters of all the links a page gives back; no browser keeps more for it
HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")  # may stand in a message, and in no text that is sent on

Check = Callable[[Any, Any], Any]  # of a widget and what is said of a trait: what to believe, or ValueError


def _check(believed: Callable[[Any, Any], bool]) -> Check:
    def check(widget: Any, value: Any) -> Any:
        if not believed(widget, value):
            raise ValueError
        return value

    return check


def _is_number(_: Any, value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return isinstance(value, int) or math.isfinite(value)


def _is_text(_: Any, value: Any) -> bool:
    return isinstance(value, str)


def _text(widget: Any, value: Any) -> str:
    return HALF_A_CHARACTER.sub("\ufffd", _check(_is_text)(widget, value))


def _is_place(_: Any, value: Any) -> bool:
    """Whether ``value`` says where a pointer is: perhaps outside, or in a picture that has just changed."""
    if not isinstance(value, dict) or set(value) != {"panel", "x", "y"}:
        return False
    across, up = value["x"], value["y"]
    sound = all(_is_number(None, each) and abs(each) < FARTHEST for each in (across, up))
    return isinstance(value["panel"], str) and sound


def _at(among: str) -> Check:
    """A place in the list that the trait ``among`` is."""
    return _check(lambda widget, value: type(value) is int and 0 <= value < len(getattr(widget, among)))


number, truth = _check(_is_number), _check(lambda _, value: isinstance(value, bool))
tab = _check(lambda tabs, value: value is None or (type(value) is int and 0 <= value < len(tabs.children)))
links = _check(
    lambda _, value: (
        isinstance(value, list)
        and all(isinstance(each, str) for each in value)
        and sum(map(len, value)) < MOST_KEPT
    )
)
files = _check(lambda _, value: isinstance(value, list) and all(isinstance(each, dict) for each in value))

MAY_SAY: dict[type[ipywidgets.Widget], dict[str, Check]] = {
    ipywidgets.IntSlider: {"value": number},
    ipywidgets.FloatLogSlider: {"value": number},
    ipywidgets.Checkbox: {"value": truth},
    ipywidgets.ToggleButton: {"value": truth},
    ipywidgets.Text: {"value": _text},
    ipywidgets.Dropdown: {"index": _at("options")},
    ipywidgets.ToggleButtons: {"index": _at("options")},
    ipywidgets.Tab: {"selected_index": tab},
    ipywidgets.Stack: {"selected_index": tab},
    ipywidgets.Play: {"value": number, "max": number, "playing": truth, "repeat": truth},
    ipywidgets.FileUpload: {"value": files, "error": _text},
    LiveCanvas: {"pointer": _check(_is_place)},
    Page: {"mode": _check(lambda _, value: isinstance(value, str) and value in THEMES)},
    Address: {"asked": _text, "also": links, "again": truth, "arrived": truth},
}


def hear_only_readers(root: ipywidgets.Widget, refuse: Callable[[Text], object]) -> None:
    """Let ``root`` and all in it hear from a page only what is in ``MAY_SAY``; ``refuse`` says what was not.

    What a page has no say in at all is passed over; a value that cannot be is refused, and the page told the
    true one.
    """
    for widget in all_in(root):
        if "set_state" not in vars(widget):  # an explorer on a page listens already
            _listen(widget, refuse)


def _listen(widget: ipywidgets.Widget, refuse: Callable[[Text], object]) -> None:
    checks = next((checks for kind, checks in MAY_SAY.items() if isinstance(widget, kind)), {})
    believe, act = widget.set_state, widget._handle_custom_msg

    def set_state(said: Any) -> None:
        names = [name for name in said if name in checks] if isinstance(said, Mapping) else []
        if not names or len(names) < len(said):
            LOG.warning("a page may not set this much of %s: %s", type(widget).__name__, brief(said))
        if not names:
            return
        try:
            believe({name: checks[name](widget, said[name]) for name in names})
        except Exception:
            LOG.warning("%s cannot be %s", type(widget).__name__, brief(said), exc_info=True)
            refuse(REFUSED)
            widget.send_state(names)

    def handle_custom_message(content: Any, buffers: Any) -> None:
        pressed = (
            isinstance(widget, ipywidgets.Button) and not widget.disabled and content == {"event": "click"}
        )
        if pressed or (isinstance(widget, LiveCanvas) and content == FONT_WANTED):
            act(content, buffers)

    # On the object: ipywidgets' own classes stay as they are, for whatever else a notebook has of them.
    setattr(widget, "set_state", set_state)  # noqa: B010 - mypy would have a method stay one
    setattr(widget, "_handle_custom_msg", handle_custom_message)  # noqa: B010
