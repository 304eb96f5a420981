"""The widget behind the panel of one explorer, or of several in tabs, in a notebook (``panel/notebook.js``).

The panel sends ``{id, place, call, args}`` and gets ``{id, place, answer}`` or ``{id, place, error}``.
Changes without a call arrive as ``{place, answer}``. Bytes are sent as buffers of a message, in which
``{"$buffer": n}`` stands for the nth buffer. The widget's state holds the present view of a single explorer,
which a panel can show while the kernel is busy with a cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from posenc_lessons.display import display
from posenc_lessons.explorers import closing
from posenc_lessons.explorers.base import CLOSED, Explorer
from posenc_lessons.explorers.controls import Change, Control, LogSlider, Slider, TextBox, TickBox
from posenc_lessons.explorers.every import EXPLORERS
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
    """Show ``explorer``, or for None all explorers in tabs; each is made when its tab is first shown.

    The widget of one explorer has a trait for each control, and both always have the same value. A value
    that the control does not allow raises BilingualValueError; the panel shows its sentence too.
    """

    _esm = as_module(
        "notebook.js", (FOLDER,), {"style.js": style_module(*(FOLDER / name for name in STYLES))}
    )

    # What does not change: the words and the name of each tab by language, and the reader's first language.
    fixed = traitlets.Dict().tag(sync=True)
    # computed whenever the state is sent, so that a page that is loaded again shows the present values
    view = traitlets.Dict().tag(sync=True, to_json=lambda _, widget: widget._present_view())

    def __init__(self, explorer: Explorer | None) -> None:
        self._hosts: dict[str, Host] = {}  # by place
        self.explorer = explorer
        self._controls = {} if explorer is None else explorer.controls
        self.add_traits(**{name: trait_of(control) for name, control in self._controls.items()})
        if explorer is not None:
            self._hosts[explorer.name] = Host(explorer, kernel=True, push=partial(self._push, explorer.name))
        explorers = EXPLORERS if explorer is None else (explorer,)
        super().__init__(
            fixed={
                "words": {name: text.parts() for name, text in WORDS.items()},
                "disconnected": DISCONNECTED.parts(),
                "places": {kind.name: kind.title.parts() for kind in explorers},
                "language": current(),
            },
            layout={"flex": "1 1 0%", "min_width": "0"},  # in a box it takes the room that others leave
        )
        self.on_msg(self._answer)
        for control in self._controls.values():
            self.observe(self._set_control, control.name)
            control.observe(self._follow_control)

    def set_state(self, sync_data: Any) -> None:
        """Take values from a front end, which gets the present ones back if some are refused."""
        try:
            super().set_state(sync_data)
        except BilingualValueError:  # the panel shows it
            self.send_state(self._controls.keys() & sync_data.keys())

    def _follow_control(self, change: Change) -> None:
        self.set_trait(change.control.name, change.control.value)  # which may have changed again

    def _set_control(self, change: Any) -> None:
        control = self._controls[change["name"]]
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
            for host in self._hosts.values():
                host.tell(error.text)
            raise

    def close(self) -> None:
        """Close the explorers and the widget."""
        for host in self._hosts.values():
            host.close()
        self.layout.close()
        super().close()

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Return the live panel and what a notebook saves."""
        closing.close_when_replaced(self)
        data, about = self.saved()
        missing = what_is_missing()
        if missing is not None:
            display({"text/html": missing.html(), "text/plain": missing.show()})
            return data, about
        live, source = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**live, **data}, {**about, **source}

    def saved(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what a notebook saves; of tabs the first still and all names."""
        if self.explorer is not None:
            return self.explorer.saved()
        first = EXPLORERS[0]()
        data, about = first.saved()
        first.close()
        return {**data, "text/plain": "\n".join(kind.title.show("both") for kind in EXPLORERS)}, about

    def _present_view(self) -> View:
        """Return the view of the only explorer; {} for tabs, which ask for theirs."""
        return next(iter(self._hosts.values())).present_view() if self.explorer else {}

    def _answer(self, _widget: object, content: Any, _buffers: object) -> None:
        if content == FONT_WANTED:
            self.send({"font": FAMILY}, [WEB_FONT.read_bytes()])
            return
        about = {"id": content["id"], "place": content["place"]}
        try:
            answer = self._host(content["place"]).answer(content["call"], content["args"])
        except BaseException as error:  # an interrupted kernel too: the panel waits for this
            self.send({**about, "error": f"{type(error).__name__}: {error}"})
            raise
        self._send_message({**about, "answer": answer})

    def _host(self, place: str) -> Host:
        if place not in self.fixed["places"]:
            raise BilingualValueError(f"没有名为 {place} 的交互图", f"there is no explorer called {place}")
        if place not in self._hosts:
            self._hosts[place] = Host(kernel=True, push=partial(self._push, place))
            self._hosts[place].answer("start", [place])
        return self._hosts[place]

    def _push(self, place: str, answer: View) -> None:
        self._send_message({"place": place, "answer": answer})

    def _send_message(self, message: View) -> None:
        buffers: list[bytes] = []
        self.send(_without_bytes(message, buffers), buffers)


class EveryExplorer(PanelWidget):
    """All explorers in tabs: ``EveryExplorer()`` in a cell shows them."""

    def __init__(self) -> None:
        super().__init__(None)


class _Checked:
    """A trait whose values a control checks."""

    name: str
    allow_none = False  # traitlets.Any would take None without asking

    def validate(self, widget: PanelWidget, value: Any) -> Any:
        """Return ``value`` as the control keeps it; BilingualValueError if it is not allowed.

        Raises BilingualRuntimeError after the explorer was closed.
        """
        if widget.explorer is not None and widget.explorer.closed:
            raise BilingualRuntimeError(CLOSED.zh, CLOSED.en)
        with widget.refusals_shown():
            return widget._controls[self.name].checked(value)


def trait_of(control: Control) -> traitlets.TraitType[Any, Any]:
    """Return a trait, sent to the page, that allows what ``control`` allows and begins with its value."""
    kind: Any = {
        Slider: traitlets.Int,
        LogSlider: traitlets.Float,
        TickBox: traitlets.Bool,
        TextBox: traitlets.Unicode,
    }.get(type(control), traitlets.Any)
    trait = type(kind.__name__, (_Checked, kind), {})(control.value, help=control.label.show("both"))
    return trait.tag(sync=True, from_json=lambda value, _: as_tuple(value))


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
