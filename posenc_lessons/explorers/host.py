"""One explorer for a panel: every call takes plain data, and what changed comes back.

The panel is in JupyterLab, where a comm carries the calls, or in a page, whose own Python answers them. A
page has as many *places* as it shows explorers; ``answer`` is all that it calls.

A whole answer (a "view") is ``{explorer, title, heading, language, mode, controls, actions, progress, tries,
plays, door, hover, takes, compares, stage, axes, data, alt, reading, alert, note, link, left_out, file}``:

- ``heading``: the level of the title as a heading.
- ``controls``: one each, ``{name, label, disabled, hidden, rare, kind, value, text}``, and ``min``, ``max``,
  ``step`` of a slider, ``options`` of a choice. ``kind`` is "slider", "log" (``value`` as it is, ``min``,
  ``max`` and ``step`` of its power of ten), "choice" (``value`` counts ``options`` from 0), "several"
  (``value`` is a list of such numbers), "tick" or "text". ``text`` is the value as it is read out.
- ``actions``: the buttons, ``{name, label, disabled, primary, rare}`` each; none without a kernel.
- ``progress``: ``{value, max, text}`` of work in the background, or None.
- ``tries``: ``{name, look_for}`` each; ``plays``: the name of the control that goes on by itself, or None;
  ``hover``: whether a pointer that is not pressed shows something; ``takes``: the panels
  that answer to a press, each with "grab" where something is taken along and "point" elsewhere.
- ``compares``: the layers, by panel, in which a kept state is drawn faint in the same axes; {} where both
  pictures are shown whole.
- ``stage``, ``axes``, ``data``, ``alt``: what the painter takes, see ``figures/canvas_data.py``.
- ``reading`` and ``alert``: HTML, escaped; ``alert`` is "" while nothing is wrong. An alert without a reading
  stands in place of the picture.
- ``note``: a sentence on what is not offered here, "" where all is.
- ``link``: the part of a link after its question mark; ``left_out``: the labels of controls whose text is too
  long for it.
- ``file``: {name, most} where the reader may open and save what is shown: the name under which it is saved,
  and how many bytes a file to open has at most; else None.

The first answer is whole. Afterwards a key is there only if it changed, ``data`` only with changed layers.
Whatever goes wrong is said by ``alert``, in the reader's language; nothing is raised.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from posenc_lessons import language as languages
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import UNFORESEEN, Explorer
from posenc_lessons.explorers.caption import as_html
from posenc_lessons.explorers.cards.card import Mark, as_data
from posenc_lessons.explorers.controls import Choice, Control, finite, not_one_of
from posenc_lessons.explorers.links import follow, link_and_omitted, read_link
from posenc_lessons.explorers.race import RaceExplorer
from posenc_lessons.explorers.race_files import MOST_BYTES, check_size, results_in
from posenc_lessons.explorers.sheets import SHEETS
from posenc_lessons.figures import canvas_data
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.theme import LIGHT, THEMES, Theme
from posenc_lessons.language import BilingualError, BilingualValueError, Language, Text, text_of

LOG = logging.getLogger(__name__)

View = dict[str, Any]

NAMES = tuple(explorer.name for explorer in EXPLORERS)
MAKERS = {explorer.name: explorer for explorer in (*EXPLORERS, *SHEETS.values())}
POINTING = ("press", "drag", "hover", "leave")
FILE = {"name": "race.json", "most": MOST_BYTES}
NEEDS_KERNEL = Text(
    "训练要用笔记本（JupyterLab 里的同一张图）；这里放的是录好的结果。",
    "Training needs the notebook: the same explorer in JupyterLab. What you see here was recorded.",
)


def answer(call: str, arguments: Sequence[Any] = (), place: str = "") -> View:
    """Return what ``call``, the name of a method of ``Host``, changes at ``place`` of a page."""
    return _places.setdefault(place, Host()).answer(call, arguments)


def show_at(place: str, explorer: Explorer) -> None:
    """Answer at ``place`` for an explorer that a cell has made."""
    _places[place] = Host(explorer)


class Host:
    """The explorer at one place, and what its panel has been told of it.

    With a ``kernel`` all controls and actions are offered. ``push`` is called with the changes of the view
    that no call made: a cell set a control, the language changed, a race went on.
    """

    CALLS = (
        *("start", "view", "set", "restore", "point", "follow_try", "reset", "press", "set_language"),
        *("set_mode", "follow_page", "code", "number", "open_file", "save_file", "show_recorded"),
    )

    def __init__(
        self,
        explorer: Explorer | None = None,
        *,
        kernel: bool = False,
        push: Callable[[View], object] | None = None,
    ) -> None:
        self._kernel, self._push = kernel, push
        self._problem: Text | None = None  # with the last call; the picture is still right
        self._lock = threading.RLock()  # around what was sent: a kernel takes messages in several threads
        self._answering = 0  # calls under way, whose answers will say what they change
        self._sent: View = {}
        self._painted: Scene | None = None  # the scene of ``_painting``; another language is another scene
        self._painting: View = {}
        self._explorer: Explorer | None = None
        self._not_offered: frozenset[str] = frozenset()  # the controls that mean nothing here
        self._stop_listening: Callable[[], object] = lambda: None
        if explorer is not None:
            self._take(explorer)

    def answer(self, call: str, arguments: Sequence[Any] = ()) -> View:
        """Do ``call`` and return what changed."""
        extra: View = {}
        with self._lock:
            self._problem, self._answering = None, self._answering + 1
        try:  # without the lock, as a new language also reaches the other places, which have locks too
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

        ``language`` None is the reader's present one. ``initial``: what reset returns to, by control, as in
        the explorer's own arguments; lists stand for tuples. The explorer that was here before is given up.
        """
        self.close()
        asked = read_link(query, {*NAMES, name})  # a sheet's own link leads to no other page
        name = asked.explorer or name
        if name not in MAKERS:
            raise not_one_of("explorer", name, MAKERS)
        languages.choose(asked.language or language or languages.current())
        given = {key: _as_tuple(value) for key, value in (initial or {}).items()}
        explorer = MAKERS[name](theme=_theme(asked.mode or mode), **given)
        self._take(explorer)
        problems = (*asked.problems, *follow(explorer, asked.values))
        if problems:
            self._problem = Text("".join(p.zh for p in problems), " ".join(p.en for p in problems))

    def view(self) -> None:
        """Return everything again, for a panel that has just come."""
        self._sent = {}

    def set(self, control: str, value: Any) -> None:
        """Give one control the value that the panel has for it."""
        found = self._control(control)
        found.value = found.from_data(value)

    def restore(self, values: Mapping[str, Any]) -> None:
        """Give several controls their values, and show the result once."""
        wanted = {name: self._control(name).from_data(value) for name, value in values.items()}
        self._present.restore(wanted)

    def point(self, panel: str, x: float, y: float, kind: str) -> None:
        """Do what the pointer at (x, y) of ``panel``, in units of its axes, asks for."""
        explorer = self._present
        if kind not in POINTING:
            raise not_one_of("kind", kind, POINTING)
        panels = [] if explorer.shown is None else [each.name for each in explorer.shown.panels]
        if kind != "leave" and panel not in panels:
            raise not_one_of("panel", panel, panels)
        explorer.point(panel, finite("x", x), finite("y", y), kind)

    def follow_try(self, index: int) -> None:
        """Show one of the explorer's named settings; what it does not name is as at the start."""
        explorer = self._present
        if index not in range(len(explorer.tries)):
            raise not_one_of("try", index, range(len(explorer.tries)))
        explorer.follow_try(index)

    def reset(self) -> None:
        """Put every control back to where it started."""
        self._present.reset()

    def press(self, name: str) -> None:
        """Do what the button of that name does."""
        explorer = self._present
        actions = explorer.actions() if self._kernel else {}
        there = [each for each, action in actions.items() if not action.disabled]
        if name not in there:
            raise not_one_of("action", name, there)
        explorer.press(name)

    def set_language(self, language: Language) -> None:
        """Show everything in ``language``; other places follow when they are asked again."""
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

    def number(self, panel: str, layer: str, row: float, column: float) -> View:
        """Return ``{"card": …}``, where the number of a mark comes from; None if it is not shown any more."""
        from posenc_lessons.explorers.cards.every import card_of  # with the first question, not the picture

        mark = Mark(panel, layer, int(finite("row", row)), int(finite("column", column)))
        card = card_of(self._present, mark)
        return {"card": None if card is None else as_data(card)}

    def open_file(self, name: str, size: int, content: str) -> None:
        """Show the race in a file of ``size`` bytes that the reader opened; too large, it comes empty."""
        race = self._race
        check_size(size, name)
        race.show_results(results_in(content.encode(errors="replace"), name), Text(name, name))

    def save_file(self) -> View:
        """Return ``{"saved": …}``, the text of a file with the race that is shown."""
        return {"saved": self._race.results.to_json()}

    def show_recorded(self) -> None:
        """Show the recorded race again."""
        self._race.show_recorded()

    def close(self) -> None:
        """Give up the explorer, if there is one."""
        if self._explorer is not None:
            self._stop_listening()
            self._explorer.close()
        self._explorer, self._painted, self._sent = None, None, {}

    # ---- what the panel is told ----

    def present_view(self) -> View:
        """Return all there is to show, {} without an explorer; later answers do not rely on it."""
        with self._lock:
            return {} if self._explorer is None else self._view()

    def _view(self) -> View:
        """Return all there is to show, as the module's first lines say."""
        explorer, language = self._present, languages.current()
        link, rest = link_and_omitted(explorer, language)
        message = explorer.message if explorer.hides_picture else self._problem or explorer.message
        progress = explorer.progress()
        return {
            "explorer": explorer.name,
            "title": explorer.title.show(),
            "heading": explorer.heading,
            "language": language,
            "mode": explorer.theme.name,
            "controls": [
                _described(explorer, control)
                for name, control in explorer.controls.items()
                if name not in self._not_offered
            ],
            "actions": [
                {
                    **{"name": name, "label": action.label.show(), "disabled": action.disabled},
                    **{"primary": action.primary, "rare": action.rare},
                }
                for name, action in (explorer.actions() if self._kernel else {}).items()
            ],
            "progress": progress
            and {"value": progress.value, "max": progress.max, "text": progress.text.show()},
            "tries": [
                {"name": each.name.show(), "look_for": each.look_for.show()} for each in explorer.tries
            ],
            "door": explorer.door,
            "plays": explorer.plays,
            "hover": explorer.hover,
            "takes": {} if explorer.hides_picture else explorer.shown_takes,
            "compares": {panel: list(layers) for panel, layers in explorer.shown_compared.items()},
            "reading": "" if explorer.hides_picture else as_html(explorer.said, explorer.theme),
            "alert": "" if message is None else as_html(message, explorer.theme),
            "note": NEEDS_KERNEL.show() if explorer.needs_kernel and not self._kernel else "",
            "link": link,
            "left_out": [explorer.label(name).show() for name in rest],
            "file": FILE if isinstance(explorer, RaceExplorer) else None,
            **self._picture(explorer.shown, language),
        }

    def _picture(self, scene: Scene | None, language: Language) -> View:
        """Return what the painter takes of ``scene``, made once for each scene."""
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
        """Return what of the view the panel does not have yet."""
        if self._explorer is None:
            return {"alert": "" if self._problem is None else as_html(self._problem, LIGHT)}
        view = self._view()
        sent, self._sent = self._sent, view
        changes = {key: value for key, value in view.items() if key not in sent or sent[key] != value}
        if "data" in changes and "data" in sent:
            before = sent["data"]
            changes["data"] = {name: data for name, data in view["data"].items() if before.get(name) != data}
        return changes

    def _tell(self) -> None:
        """Push what changed, unless the answer to a call will say so."""
        with self._lock:
            if self._push is None or self._answering:
                return
            self._problem = None
            if changes := self._changes():
                self._push(changes)

    def _take(self, explorer: Explorer) -> None:
        device = explorer.controls["device"]
        lone = isinstance(device, Choice) and len(device.options) == 1
        needs_kernel = frozenset() if self._kernel else explorer.needs_kernel
        self._not_offered = needs_kernel | {*(["device"] if lone or not self._kernel else [])}
        self._explorer = explorer
        self._stop_listening = explorer.on_change(self._tell)

    @property
    def _present(self) -> Explorer:
        if self._explorer is None:
            raise BilingualValueError("这里还没有交互图", "no explorer was started here")
        return self._explorer

    @property
    def _race(self) -> RaceExplorer:
        explorer = self._present
        if not isinstance(explorer, RaceExplorer):
            raise not_one_of("explorer", explorer.name, [RaceExplorer.name])
        return explorer

    def _control(self, name: str) -> Control:
        explorer = self._present
        offered = [each for each in explorer.controls if each not in self._not_offered]
        if name not in offered:
            raise not_one_of("control", name, offered)
        return explorer.controls[name]


_places: dict[str, Host] = {}


def _theme(mode: str) -> Theme:
    if mode not in THEMES:
        raise not_one_of("mode", mode, THEMES)
    return THEMES[mode]


def _described(explorer: Explorer, control: Control) -> View:
    """Return one control as plain data."""
    return {
        "name": control.name,
        "label": control.label.show(),
        "disabled": control.disabled,
        "hidden": control.hidden,
        "rare": control.name in explorer.rare or control.name == "device",
        **control.as_data(),
    }


def _as_tuple(value: Any) -> Any:
    """Return lists, which stand for tuples in a page, as tuples."""
    return tuple(map(_as_tuple, value)) if isinstance(value, (list, tuple)) else value
