"""One explorer for a page that has no kernel: every call takes plain data, and what changed comes back.

A page has as many *places* as it shows explorers; ``answer`` is all that it calls. Runs in the page's own
Python and, with PyTorch, in any other (the stills that a page begins with are made so).

A whole answer (a "view") is ``{explorer, title, language, mode, controls, tries, plays, stage, axes, data,
alt, reading, alert, note, link, left_out, file}``:

- ``controls``: one each, ``{name, label, disabled, hidden, rare, kind, value, text}``, and ``min``, ``max``,
  ``step`` of a slider, ``options`` of a choice. ``kind`` is "slider", "log" (``value`` as it is, ``min``,
  ``max`` and ``step`` of its power of ten), "choice" (``value`` counts ``options`` from 0), "several"
  (``value`` is a list of such numbers), "tick" or "text". ``text`` is the value as it is read out.
- ``tries``: ``{name, look_for}`` each; ``plays``: the name of the control that goes on by itself, or None;
  ``hover``: whether a pointer that is not pressed shows something; ``takes``: the panels
  that answer to a press, each with "grab" where something is taken along and "point" elsewhere.
- ``stage``, ``axes``, ``data``, ``alt``: what the painter takes, see ``figures/canvas_data.py``.
- ``reading`` and ``alert``: HTML, escaped; ``alert`` is "" while nothing is wrong.
- ``note``: a sentence on what is not offered here, "" where all is.
- ``link``: what stands after a question mark to come back to this; ``left_out``: the labels of controls whose
  text is too long for it.
- ``file``: {name, most} where the reader may open and save what is shown: what it is saved as, and how many
  bytes one that is opened has at most; else None.

The first answer is whole. Afterwards a key is there only if it changed, ``data`` only with changed layers.
Whatever goes wrong is said by ``alert``, in the reader's language; nothing is raised.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from posenc_lessons import language as languages
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import UNFORESEEN, Explorer
from posenc_lessons.explorers.caption import as_html
from posenc_lessons.explorers.controls import Control, finite, not_one_of
from posenc_lessons.explorers.links import NOT_IN_LINKS, follow, link_and_omitted, read_link
from posenc_lessons.explorers.race import RaceExplorer
from posenc_lessons.explorers.race_files import MOST_BYTES, check_size, results_in
from posenc_lessons.figures import canvas_data
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.theme import LIGHT, THEMES, Theme
from posenc_lessons.language import BilingualError, BilingualValueError, Language, Text, text_of

LOG = logging.getLogger(__name__)

View = dict[str, Any]

NAMES = tuple(explorer.name for explorer in EXPLORERS)
POINTING = ("press", "drag", "hover", "leave")
FILE = {"name": "race.json", "most": MOST_BYTES}
NEEDS_KERNEL = Text(
    "训练要用笔记本（JupyterLab 里的同一张图）；这里放的是录好的结果。",
    "Training needs the notebook: the same explorer in JupyterLab. What you see here was recorded.",
)


def answer(call: str, arguments: Sequence[Any] = (), place: str = "") -> View:
    """What ``call``, the name of a method of ``Host``, changes at ``place``."""
    return _places.setdefault(place, Host()).answer(call, arguments)


class Host:
    """The explorer at one place of a page, and what the page has been told of it."""

    CALLS = (
        *("start", "set", "restore", "point", "follow_try", "reset", "set_language", "set_mode", "code"),
        *("open_file", "save_file", "show_recorded"),
    )

    def __init__(self) -> None:
        self._explorer: Explorer | None = None
        self._scene: Scene | None = None
        self._problem: Text | None = None  # with the last call; the picture is still right
        self._sent: View = {}

    def answer(self, call: str, arguments: Sequence[Any] = ()) -> View:
        """Do ``call`` and say what changed."""
        self._problem = None
        extra: View = {}
        try:
            if call not in self.CALLS:
                raise not_one_of("call", call, self.CALLS)
            extra = getattr(self, call)(*arguments) or {}
        except BilingualError as error:
            self._problem = text_of(error)
        except Exception as error:
            LOG.exception("a page's call failed")
            self._problem = UNFORESEEN.format(error=f"{type(error).__name__}: {error}")
        return {**self._changes(), **extra}

    # ---- calls ----

    def start(
        self,
        name: str,
        query: str = "",
        language: Language = "both",
        mode: str = LIGHT.name,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Show the explorer ``name`` as the link ``query`` says, else in ``language`` and ``mode``.

        ``initial``: what reset returns to, by control, as in the explorer's own arguments; lists stand for
        tuples. The explorer that was here before is given up.
        """
        self.close()
        asked = read_link(query, NAMES)
        name = asked.explorer or name
        makers = {explorer.name: explorer for explorer in EXPLORERS}
        if name not in makers:
            raise not_one_of("explorer", name, NAMES)
        languages.choose(asked.language or language)
        given = {key: _as_tuple(value) for key, value in (initial or {}).items()}
        explorer = self._explorer = makers[name](theme=_theme(asked.mode or mode), **given)
        # The page has a canvas of its own; mypy would have a method stay one.
        setattr(explorer.canvas, "paint", self._keep_scene)  # noqa: B010
        problems = (*asked.problems, *follow(explorer, asked.values))
        if problems:
            self._problem = Text("".join(p.zh for p in problems), " ".join(p.en for p in problems))

    def set(self, control: str, value: Any) -> None:
        """Give one control the value that the page has for it."""
        found = self._control(control)
        found.widget.value = found.from_data(control, value)

    def restore(self, values: Mapping[str, Any]) -> None:
        """Give several controls their values, and show the result once."""
        wanted = {name: self._control(name).from_data(name, value) for name, value in values.items()}
        self._shown_explorer.restore(wanted)

    def point(self, panel: str, x: float = 0, y: float = 0, kind: str = "press") -> None:
        """The reader pressed, dragged or hovered at (x, y) of ``panel``, in units of its axes; or left."""
        explorer = self._shown_explorer
        if kind not in POINTING:
            raise not_one_of("kind", kind, POINTING)
        panels = [] if self._scene is None else [each.name for each in self._scene.panels]
        if kind != "leave" and panel not in panels:
            raise not_one_of("panel", panel, panels)
        where = {"panel": panel, "x": finite("x", x), "y": finite("y", y), "kind": kind}
        explorer.canvas.pointer = {}  # the same place may be pressed twice
        explorer.canvas.pointer = where

    def follow_try(self, index: int) -> None:
        """Show one of the explorer's named settings; what it does not name is as at the start."""
        explorer = self._shown_explorer
        if index not in range(len(explorer.tries)):
            raise not_one_of("try", index, range(len(explorer.tries)))
        explorer.follow_try(index)

    def reset(self) -> None:
        """Put every control back to where it started."""
        self._shown_explorer.reset()

    def set_language(self, language: Language) -> None:
        """Show everything in ``language``; other places follow when they are asked again."""
        languages.choose(language)

    def set_mode(self, mode: str) -> None:
        """Show the picture in the theme of that name."""
        self._shown_explorer.theme = _theme(mode)

    def code(self) -> View:
        """``{"code": …}``, Python that draws the same picture."""
        return {"code": self._shown_explorer.present_code()}

    def open_file(self, name: str, size: int, content: str) -> None:
        """Show the race in a file of ``size`` bytes that the reader opened; too large, it comes empty."""
        race = self._race
        check_size(size, name)
        race.show_results(results_in(content.encode(errors="replace"), name), Text(name, name))

    def save_file(self) -> View:
        """``{"saved": …}``, the text of a file with the race that is shown."""
        return {"saved": self._race.results.to_json()}

    def show_recorded(self) -> None:
        """Show the recorded race again."""
        self._race.show_recorded()

    def close(self) -> None:
        """Give up the explorer, if there is one."""
        if self._explorer is not None:
            self._explorer.close()
        self._explorer, self._scene, self._sent = None, None, {}

    # ---- what the page is told ----

    def view(self) -> View:
        """All there is to show, as the module's first lines say."""
        explorer, language = self._shown_explorer, languages.current()
        link, rest = link_and_omitted(explorer, language)
        message = explorer.message or self._problem
        view: View = {
            "explorer": explorer.name,
            "title": explorer.title.show(),
            "language": language,
            "mode": explorer.theme.name,
            "controls": [
                _described(explorer, name) for name in explorer.controls if name not in _not_offered(explorer)
            ],
            "tries": [
                {"name": each.name.show(), "look_for": each.look_for.show()} for each in explorer.tries
            ],
            "plays": explorer.plays,
            "hover": explorer.hover,
            "takes": {} if explorer.message else explorer.canvas.takes,
            "reading": "" if explorer.message else as_html(explorer.said, explorer.theme),
            "alert": "" if message is None else as_html(message, explorer.theme),
            "note": NEEDS_KERNEL.show() if explorer.needs_kernel else "",
            "link": link,
            "left_out": [explorer.label(name).show() for name in rest],
            "file": FILE if isinstance(explorer, RaceExplorer) else None,
        }
        if self._scene is not None:
            view |= {
                "stage": canvas_data.stage(self._scene, language),
                "axes": canvas_data.axes(self._scene),
                "data": canvas_data.data(self._scene),
                "alt": self._scene.alt.show(language),
            }
        return view

    def _changes(self) -> View:
        """What of the view the page does not have yet."""
        if self._explorer is None:
            return {"alert": "" if self._problem is None else as_html(self._problem, LIGHT)}
        view = self.view()
        sent, self._sent = self._sent, view
        changes = {key: value for key, value in view.items() if key not in sent or sent[key] != value}
        if "data" in changes and "data" in sent:
            before = sent["data"]
            changes["data"] = {name: data for name, data in view["data"].items() if before.get(name) != data}
        return changes

    def _keep_scene(self, scene: Scene, _language: Language) -> None:
        self._scene = scene

    @property
    def _shown_explorer(self) -> Explorer:
        if self._explorer is None:
            raise BilingualValueError("这里还没有交互图", "no explorer was started here")
        return self._explorer

    @property
    def _race(self) -> RaceExplorer:
        explorer = self._shown_explorer
        if not isinstance(explorer, RaceExplorer):
            raise not_one_of("explorer", explorer.name, [RaceExplorer.name])
        return explorer

    def _control(self, name: str) -> Control:
        explorer = self._shown_explorer
        offered = [each for each in explorer.controls if each not in _not_offered(explorer)]
        if name not in offered:
            raise not_one_of("control", name, offered)
        return explorer.named_controls[name]


_places: dict[str, Host] = {}


def _theme(mode: str) -> Theme:
    if mode not in THEMES:
        raise not_one_of("mode", mode, THEMES)
    return THEMES[mode]


def _not_offered(explorer: Explorer) -> frozenset[str]:
    """The controls that mean nothing without a kernel."""
    return explorer.needs_kernel | {NOT_IN_LINKS}


def _described(explorer: Explorer, name: str) -> View:
    """One control as plain data."""
    widget = explorer.controls[name]
    return {
        "name": name,
        "label": explorer.label(name).show(),
        "disabled": bool(getattr(widget, "disabled", False)),
        "hidden": widget.layout.display == "none",
        "rare": name in explorer.rare,
        **explorer.named_controls[name].as_data(),
    }


def _as_tuple(value: Any) -> Any:
    """Lists, which is what a page makes of tuples, as tuples again."""
    return tuple(map(_as_tuple, value)) if isinstance(value, (list, tuple)) else value
