"""The widget behind an explorer's panel in a notebook (``panel/notebook.js``).

The panel sends ``{id, call, args}`` and gets ``{id, answer}`` or ``{id, error}``. Changes without a call
arrive as ``{answer}``. Bytes are sent as buffers of a message, in which ``{"$buffer": n}`` stands for the nth
buffer. The widget's state holds the present view, which a panel shows while the kernel is busy with a cell.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from posenc_lessons.display import display
from posenc_lessons.explorers import closing
from posenc_lessons.explorers.base import CLOSED, Explorer
from posenc_lessons.explorers.controls import Change, Control
from posenc_lessons.explorers.host import Host, View, as_tuple
from posenc_lessons.explorers.panel_words import DISCONNECTED, WORDS
from posenc_lessons.figures.fonts import FAMILY, WEB_FONT
from posenc_lessons.front_end import what_is_missing
from posenc_lessons.joined_modules import as_module, style_module
from posenc_lessons.language import BilingualRuntimeError, BilingualValueError, current

FOLDER = Path(__file__).with_name("panel")
STYLES = ("panel.css", "notebook.css")
FONT_WANTED = {"wanted": "font"}  # a page without a Chinese font sends this once


class PanelWidget(anywidget.AnyWidget):
    """Show ``explorer``, with a trait for each control; both always have the same value.

    A value that the control does not allow raises BilingualValueError; the panel shows its sentence too.
    """

    _esm = as_module(
        "notebook.js", (FOLDER,), {"style.js": style_module(*(FOLDER / name for name in STYLES))}
    )

    # What does not change: the explorer's name, the words by language, and the reader's first language.
    fixed = traitlets.Dict().tag(sync=True)
    # computed whenever the state is sent, so that a page that is loaded again shows the present values
    view = traitlets.Dict().tag(sync=True, to_json=lambda _, widget: widget._host.present_view())

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self._host = Host(explorer, push=lambda answer: self._send_message({"answer": answer}))
        self.add_traits(**{name: ControlTrait(control) for name, control in explorer.controls.items()})
        super().__init__(
            fixed={
                "explorer": explorer.name,
                "words": {name: text.parts() for name, text in WORDS.items()},
                "disconnected": DISCONNECTED.parts(),
                "language": current(),
            },
            layout={"flex": "1 1 0%", "min_width": "0"},  # in a box it takes the room that others leave
        )
        self.on_msg(self._answer)
        for control in explorer.controls.values():
            self.observe(self._set_control, control.name)
            control.observe(self._follow_control)

    def set_state(self, sync_data: Any) -> None:
        """Take values from a front end, which gets the present ones back if some are refused."""
        try:
            super().set_state(sync_data)
        except BilingualValueError:  # the panel shows it
            self.send_state(self.explorer.controls.keys() & sync_data.keys())

    def _follow_control(self, change: Change) -> None:
        self.set_trait(change.control.name, change.control.value)  # which may have changed again

    def _set_control(self, change: Any) -> None:
        control = self.explorer.controls[change["name"]]
        with self.refusals_shown():
            control.value = change["new"]
            if control.value != change["new"]:
                raise BilingualValueError(
                    f"{control.name} 现在由别的设置决定，是 {control.value}",
                    f"other settings decide {control.name} now: it is {control.value}",
                )

    @contextmanager
    def refusals_shown(self) -> Iterator[None]:
        """Show a refusal by the ``with`` block in the panel too."""
        try:
            yield
        except BilingualValueError as error:
            self._host.tell(error.text)
            raise

    def close(self) -> None:
        """Close the explorer and the widget."""
        self._host.close()
        self.layout.close()
        super().close()

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Return the live panel and what a notebook saves."""
        closing.close_when_replaced(self)
        data, about = self.explorer.saved()
        missing = what_is_missing()
        if missing is not None:
            display({"text/html": missing.html(), "text/plain": missing.show()})
            return data, about
        live, source = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**live, **data}, {**about, **source}

    def _answer(self, _widget: object, content: Any, _buffers: object) -> None:
        if content == FONT_WANTED:
            self.send({"font": FAMILY}, [WEB_FONT.read_bytes()])
            return
        try:
            answer = self._host.answer(content["call"], content["args"])
        except BaseException as error:  # an interrupted kernel too: the panel waits for this
            self.send({"id": content["id"], "error": f"{type(error).__name__}: {error}"})
            raise
        self._send_message({"id": content["id"], "answer": answer})

    def _send_message(self, message: View) -> None:
        buffers: list[bytes] = []
        self.send(_without_bytes(message, buffers), buffers)


class ControlTrait(traitlets.Any):
    """A trait, sent to the page, that allows what the control of its name allows, and begins as it is."""

    allow_none = False  # traitlets.Any would take None without asking

    def __init__(self, control: Control) -> None:
        super().__init__(control.value, help=control.label.show("both"))
        self.tag(sync=True, from_json=lambda value, _: as_tuple(value))

    def validate(self, widget: Any, value: Any) -> Any:
        """Return ``value`` as the control keeps it; BilingualValueError if it is not allowed.

        Raises BilingualRuntimeError after the explorer was closed.
        """
        if widget.explorer.closed:
            raise BilingualRuntimeError(CLOSED.zh, CLOSED.en)
        with widget.refusals_shown():
            return widget.explorer.controls[self.name].checked(value)


def _without_bytes(value: Any, buffers: list[bytes]) -> Any:
    """Append each ``bytes`` in ``value`` to ``buffers``; return ``value`` with their places instead."""
    if isinstance(value, bytes):
        buffers.append(value)
        return {"$buffer": len(buffers) - 1}
    if isinstance(value, dict):
        return {key: _without_bytes(part, buffers) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_bytes(part, buffers) for part in value]
    return value
