"""The widget behind the panel of one explorer, or of several in tabs, in a notebook (``panel/notebook.js``).

The panel sends ``{id, place, call, args}`` and gets ``{id, place, answer}`` or ``{id, place, error}``.
Changes without a call arrive as ``{place, answer}``. Bytes are sent as buffers of a message, in which
``{"$buffer": n}`` stands for the nth buffer. The widget's state holds the present view of a single explorer,
which a panel can show while the kernel is busy with a cell.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.every import EXPLORERS
from posenc_lessons.explorers.host import Host, View
from posenc_lessons.explorers.panel_words import DISCONNECTED, WORDS
from posenc_lessons.figures.fonts import FAMILY, WEB_FONT
from posenc_lessons.joined_modules import as_module, style_module
from posenc_lessons.language import BilingualValueError, current

FOLDER = Path(__file__).with_name("panel")
STYLES = ("panel.css", "notebook.css")
FONT_WANTED = {"wanted": "font"}  # a page without a Chinese font sends this once


class PanelWidget(anywidget.AnyWidget):
    """Show ``explorer``, or for None all explorers in tabs; each is made when its tab is first shown."""

    _esm = as_module(
        "notebook.js", (FOLDER,), {"style.js": style_module(*(FOLDER / name for name in STYLES))}
    )

    words = traitlets.Dict().tag(sync=True)  # {name: {zh, en}}
    disconnected = traitlets.Dict().tag(sync=True)  # {zh, en}
    places = traitlets.Dict().tag(sync=True)  # the names of the tabs: {place: {zh, en}}
    language = traitlets.Unicode().tag(sync=True)  # the reader's when the widget was made
    # computed whenever the state is sent, so that a page that is loaded again shows the present values
    view = traitlets.Dict().tag(sync=True, to_json=lambda _, widget: widget._present_view())

    def __init__(self, explorer: Explorer | None = None) -> None:
        self._hosts: dict[str, Host] = {}  # by place
        explorers = EXPLORERS if explorer is None else (explorer,)
        if explorer is not None:
            self._hosts[explorer.name] = Host(explorer, kernel=True, push=partial(self._push, explorer.name))
        super().__init__(
            words={name: text.parts() for name, text in WORDS.items()},
            disconnected=DISCONNECTED.parts(),
            places={kind.name: kind.title.parts() for kind in explorers},
            language=current(),
        )
        self.on_msg(self._answer)

    def close(self) -> None:
        """Close the explorers and the widget."""
        for host in self._hosts.values():
            host.close()
        self.layout.close()
        super().close()

    def _present_view(self) -> View:
        """Return the view of the only explorer; {} for tabs, which ask for theirs."""
        return next(iter(self._hosts.values())).present_view() if len(self.places) == 1 else {}

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
        if place not in self.places:
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
