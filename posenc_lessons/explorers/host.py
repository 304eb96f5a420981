"""Run an explorer for its panel: every call takes plain data and returns what changed.

The panel is in JupyterLab, where a comm carries the calls, or in a page with its own Python. A page has a
*place* for each explorer that it shows; it calls only ``answer``.

A whole answer (a "view") is ``{explorer, title, language, mode, controls, tries, first, drag, door, hover,
takes, stage, axes, data, alt, reading, alert, link, left_out}``:

- ``controls``: ``{name, label, disabled, hidden, rare, kind, value, text}`` for each, and ``min``, ``max``,
  ``step`` of a slider, ``options`` of a choice. ``kind`` is "slider", "log" (``min``, ``max`` and ``step``
  are exponents of ten, ``value`` is not), "choice" (``value`` is the number of the option, from 0), "tick" or
  "text". ``text`` is the value in words, as it is read out and compared.
- ``tries``: ``{name, look_for}`` each; ``first``: the slider beside the picture on a phone, or None;
  ``drag``: what to drag first in the picture, as "panel layer"; ``hover``: whether hovering shows
  something; ``takes``: the panels that answer to a press, each with "grab" if dragging moves something, else
  "point".
- ``stage``, ``axes``, ``data``, ``alt``: the painter's data, see ``figures/canvas_data.py``.
- ``reading`` and ``alert``: HTML, escaped; ``alert`` is "" if nothing is wrong. An alert without a reading
  replaces the picture.
- ``link``: the part of a link after its question mark; ``left_out``: the labels of controls whose text is too
  long for a link.

The first answer is whole. Later answers have only keys that changed, and ``data`` only changed layers.
No call raises: ``alert`` says in the reader's language what went wrong.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from posenc_lessons import language as languages
from posenc_lessons.explorers.base import UNFORESEEN, Explorer
from posenc_lessons.explorers.caption import as_html
from posenc_lessons.explorers.cards.card import Mark, as_data
from posenc_lessons.explorers.controls import Control, finite, not_one_of
from posenc_lessons.explorers.every import EXPLORERS
from posenc_lessons.explorers.links import follow, link_and_omitted, read_link
from posenc_lessons.figures import canvas_data
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.theme import LIGHT, SLIDE, THEMES, Theme
from posenc_lessons.language import BilingualError, BilingualValueError, Language, Text, text_of

LOG = logging.getLogger(__name__)

View = dict[str, Any]

MAKERS = {explorer.name: explorer for explorer in EXPLORERS}
NAMES = tuple(MAKERS)


def answer(call: str, arguments: Sequence[Any] = (), place: str = "") -> View:
    """Call the method ``call`` of the ``Host`` at ``place`` of a page; return what changed."""
    return _places.setdefault(place, Host()).answer(call, arguments)


def show_at(place: str, explorer: Explorer) -> None:
    """Answer at ``place`` for an explorer that a cell has made."""
    _places[place] = Host(explorer)


class Host:
    """The explorer at one place, and the view that its panel already has.

    ``push`` is called with changes of the view that come without a call: a cell set a control, or the
    language changed.
    """

    CALLS = (
        *("start", "view", "set", "restore", "point", "follow_try", "reset", "set_language"),
        *("set_mode", "follow_page", "code", "number"),
    )

    def __init__(
        self,
        explorer: Explorer | None = None,
        *,
        push: Callable[[View], object] | None = None,
    ) -> None:
        self._push = push
        self._problem: Text | None = None  # an error of the last call that does not concern the picture
        self._lock = threading.RLock()  # for what was sent: a kernel handles messages in several threads
        self._answering = 0  # the number of running calls, whose answers will contain their changes
        self._sent: View = {}
        self._painted: Scene | None = None  # the scene of ``_painting``; another language is another scene
        self._painting: View = {}
        self._explorer: Explorer | None = None
        self._stop_listening: Callable[[], object] = lambda: None
        if explorer is not None:
            self._take(explorer)

    def answer(self, call: str, arguments: Sequence[Any] = ()) -> View:
        """Do ``call`` and return what changed."""
        extra: View = {}
        with self._lock:
            self._problem, self._answering = None, self._answering + 1
        try:  # without the lock, because a new language also reaches other places, which have locks too
            if call not in self.CALLS:
                raise not_one_of("call", call, self.CALLS)
            extra = getattr(self, call)(*arguments) or {}
        except BilingualError as error:
            self._problem = text_of(error)
        except Exception as error:
            LOG.exception("a panel's call failed")
            self._problem = UNFORESEEN.format(error=f"{type(error).__name__}: {error}")
        finally:
            with self._lock:
                self._answering -= 1
        with self._lock:
            return {**self._changes(), **extra}

    # ---- calls ----

    def start(
        self,
        name: str,
        query: str = "",
        language: Language | None = None,
        mode: str = LIGHT.name,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Show the explorer ``name`` as the link ``query`` says, else in ``language`` and ``mode``.

        ``language`` None means the reader's present one. ``initial`` are the explorer's arguments, the values
        that reset returns to, with lists for tuples. An explorer that was here before is closed.
        """
        self.close()
        request = read_link(query, NAMES)
        name = request.explorer or name
        if name not in MAKERS:
            raise not_one_of("explorer", name, MAKERS)
        languages.choose(request.language or language or languages.current())
        arguments = {key: as_tuple(value) for key, value in (initial or {}).items()}
        explorer = MAKERS[name](theme=_theme(request.mode or mode), **arguments)
        self._take(explorer)
        problems = (*request.problems, *follow(explorer, request.values))
        if problems:
            self._problem = Text("".join(p.zh for p in problems), " ".join(p.en for p in problems))

    def view(self) -> None:
        """Return the whole view again, for a new panel."""
        self._sent = {}

    def set(self, control: str, value: Any) -> None:
        """Set one control to the value that the panel sends."""
        target = self._control(control)
        target.value = target.from_data(value)

    def restore(self, values: Mapping[str, Any]) -> None:
        """Set several controls to the values that the panel sends, and show the result once."""
        self._present.restore({name: self._control(name).from_data(value) for name, value in values.items()})

    def point(self, panel: str, x: float, y: float, kind: str) -> None:
        """Do what the pointer at (x, y) of ``panel``, in units of its axes, asks for."""
        self._present.point(panel, finite("x", x), finite("y", y), kind)

    def follow_try(self, index: int) -> None:
        """Show one of the explorer's ``tries``."""
        self._present.follow_try(index)

    def reset(self) -> None:
        """Give every control its initial value."""
        self._present.reset()

    def set_language(self, language: Language) -> None:
        """Show everything in ``language``; other places change with their next answer."""
        languages.choose(language)

    def set_mode(self, mode: str) -> None:
        """Show the picture in the theme of that name."""
        self._present.theme = _theme(mode)

    def follow_page(self, dark: bool) -> None:
        """Show the picture dark or light like the page around it, unless another theme was asked for."""
        self._present.follow_page(dark)

    def code(self) -> View:
        """Return ``{"code": …}``, Python that draws the same picture."""
        return {"code": self._present.present_code()}

    def number(self, panel: str, layer: str, row: float, column: float, part: float = -1) -> View:
        """Return ``{"card": …}``, the card of a mark's number; None if it is not shown any more."""
        from posenc_lessons.explorers.cards.every import card_of  # loaded when the first card is asked for

        at = (int(finite(name, value)) for name, value in (("row", row), ("column", column), ("part", part)))
        mark = Mark(panel, layer, *at)
        card = card_of(self._present, mark)
        return {"card": None if card is None else as_data(card)}

    def close(self) -> None:
        """Close the explorer, if there is one."""
        if self._explorer is not None:
            self._stop_listening()
            self._explorer.close()
        self._explorer, self._painted, self._sent = None, None, {}

    # ---- what is sent to the panel ----

    def present_view(self) -> View:
        """Return the whole view, {} without an explorer; later answers do not count it as sent."""
        with self._lock:
            return {} if self._explorer is None else self._view()

    def _view(self) -> View:
        """Return the whole view, as the module's docstring describes it."""
        explorer, language = self._present, languages.current()
        link, omitted = link_and_omitted(explorer, language)
        message = self._problem if explorer.message is None else explorer.message
        return {
            "explorer": explorer.name,
            "title": explorer.title.show(),
            "language": language,
            "mode": explorer.theme.name,
            "controls": [_described(explorer, control) for control in explorer.controls.values()],
            "tries": [
                {"name": tried.name.show(), "look_for": tried.look_for.show()} for tried in explorer.tries
            ],
            "door": explorer.door,
            "first": explorer.first,
            "drag": explorer.drag,
            "hover": explorer.hover,
            "takes": explorer.shown_takes if explorer.message is None else {},
            "reading": as_html(explorer.reading, explorer.theme) if explorer.message is None else "",
            "alert": "" if message is None else as_html(message, explorer.theme),
            "link": link,
            "left_out": [explorer.controls[name].label.show() for name in omitted],
            **self._picture(explorer.shown, language),
        }

    def _picture(self, scene: Scene | None, language: Language) -> View:
        """Return the painter's data of ``scene``, computed once for each scene."""
        if scene is None:
            return {}
        if self._painted is not scene:
            self._painted = scene
            self._painting = {
                "stage": canvas_data.stage(scene, language),
                "axes": canvas_data.axes(scene),
                "data": canvas_data.data(scene),
                "alt": scene.alt.show(language),
            }
        return self._painting

    def _changes(self) -> View:
        """Return the parts of the view that the panel does not have yet."""
        if self._explorer is None:
            return {"alert": "" if self._problem is None else as_html(self._problem, LIGHT)}
        view = self._view()
        old, self._sent = self._sent, view
        changes = {key: value for key, value in view.items() if key not in old or old[key] != value}
        if "data" in changes and "data" in old:
            changes["data"] = {
                name: data for name, data in view["data"].items() if old["data"].get(name) != data
            }
        return changes

    def tell(self, problem: Text | None = None) -> None:
        """Push what changed, and ``problem``, unless the answer to a running call will contain it."""
        with self._lock:
            if self._push is None or self._answering:
                return
            self._problem = problem
            if changes := self._changes():
                self._push(changes)

    def _take(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self._stop_listening = explorer.on_change(self.tell)

    @property
    def _present(self) -> Explorer:
        if self._explorer is None:
            raise BilingualValueError("这里还没有交互图", "no explorer was started here")
        return self._explorer

    def _control(self, name: str) -> Control:
        return self._present.controls[name]


_places: dict[str, Host] = {}


def _theme(mode: str) -> Theme:
    themes = {**THEMES, SLIDE.name: SLIDE}
    if mode not in themes:
        raise not_one_of("mode", mode, themes)
    return themes[mode]


def _described(explorer: Explorer, control: Control) -> View:
    """Return one control as plain data."""
    return {
        "name": control.name,
        "label": control.label.show(),
        "disabled": control.disabled,
        "hidden": control.hidden,
        "rare": control.name in explorer.rare,
        **control.as_data(),
    }


def as_tuple(value: Any) -> Any:
    """Return lists, the form of tuples in a page, as tuples."""
    return tuple(map(as_tuple, value)) if isinstance(value, (list, tuple)) else value
