"""The base class of explorers: named controls → compute → scene; errors are shown to the reader."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from posenc_lessons import choices
from posenc_lessons.experiments.machine import threads
from posenc_lessons.explorers.controls import Slider, TextBox
from posenc_lessons.explorers.definition import Arrays, Definition, Parameters, Try
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.theme import DARK, LIGHT, Theme
from posenc_lessons.figures.with_theme import with_theme
from posenc_lessons.language import (
    BilingualError,
    BilingualRuntimeError,
    BilingualTypeError,
    Text,
    current,
    on_change,
)

if TYPE_CHECKING:
    from posenc_lessons.figures.style import Picture

LOG = logging.getLogger(__name__)

CLOSED = Text("这张交互图已经关闭，请新建一张。", "This explorer was closed; make a new one.")

MOST_TYPED = 10_000  # characters of a text box; nothing is computed from a longer text
SAVED_SHARPNESS = 1.25  # pixels per CSS pixel of a still in a saved notebook; few, so that files stay small

UNFORESEEN = Text(
    "出错了，图没有更新。{error}", "Something went wrong and the picture was not updated. {error}"
)


class Complaint(BilingualError):
    """A message to the reader, in both languages, about input that the explorer cannot show."""


def too_long(zh: str, en: str) -> Complaint:
    """Return the complaint about a long text: ``zh`` and ``en`` say its length and the longest possible."""
    return Complaint(
        f"{zh}：请删短一些（输入的内容还在）。", f"{en}: please shorten it (what you typed is kept)."
    )


def too_many_characters(length: int, most: int) -> Complaint:
    """Return the complaint about a text of ``length`` characters if at most ``most`` are allowed."""
    return too_long(
        f"这段文字有 {length} 个字符，这里最多 {most} 个",
        f"The text has {length} characters and {most} is the most",
    )


class Explorer(Definition):
    """Controls and the live picture of their values. A subclass defines both.

    ``controls`` maps each parameter's name to its ``Control``: ``explorer.controls["m"].value = 5`` shows the
    picture for 5. ``widget`` is its panel as an ipywidget, with a trait for each control. ``shown`` is the
    last scene that could be drawn, ``shown_from`` its parameters and numbers, ``reading`` the line below it.
    ``message`` is the present complaint, which replaces the picture, or None.
    """

    # Returns the widget that shows an explorer in a notebook. ``explorers/__init__.py`` sets it, because an
    # explorer is complete without a widget.
    make_widget: ClassVar[Callable[[Explorer], Any]]

    def __init__(self, *, theme: Theme = LIGHT, **initial: Any) -> None:
        """Set controls to the values of ``initial``, to which ``reset`` returns; begin in ``theme``."""
        self.controls = self.make_controls()
        for name, control in self.controls.items():
            control.name = name
        unknown = sorted(set(initial) - set(self.controls))
        if unknown:
            raise BilingualTypeError(
                f"没有名为 {', '.join(unknown)} 的控件；现有 {', '.join(self.controls)}",
                f"no control is called {', '.join(unknown)}; there are {', '.join(self.controls)}",
            )
        self.message: Text | None = None
        self.reading = Text("", "")
        self.shown: Scene | None = None
        self.shown_from: tuple[Parameters, Arrays] = {}, {}
        self.shown_takes: dict[str, str] = {}
        self.closed = False
        self._theme = theme
        self._preview: Parameters = {}  # shown instead of the controls' values while the pointer hovers
        self._listeners: list[Callable[[], object]] = []
        self._live: Any = None  # its panel in Jupyter
        self._still_setting_up = True
        self._untouched = {
            name for name, control in self.controls.items() if control.starting_text() is not None
        } - set(initial)
        self._set(initial)
        for name, value in initial.items():
            self.controls[name].checked(value)  # within the limits that the other values leave it
        self._initial = self.parameters()
        # A try that would change nothing is not offered.
        self.tries = tuple(attempt for attempt in self.tries if self._in_try(attempt) != self._initial)
        for control in self.controls.values():
            control.observe(self._refresh)
        self._still_setting_up = False
        follow = weakref.WeakMethod(self._follow_language)
        self._stop_listening = weakref.finalize(self, on_change(lambda: (method := follow()) and method()))
        self._follow_language()

    @property
    def widget(self) -> Any:
        """Return the panel, an ipywidget whose traits are the controls: ``widget.m = 5``."""
        if self.closed:
            raise BilingualRuntimeError(CLOSED.zh, CLOSED.en)
        if self._live is None:
            self._live = type(self).make_widget(self)
        return self._live

    # ---- settings ----

    def parameters(self) -> Parameters:
        """Return the present value of every control, by name."""
        return {name: control.value for name, control in self.controls.items()}

    @property
    def device(self) -> str:
        """Return where to compute: the reader's choice in lesson 00."""
        return choices.device()

    def slider(self, name: str) -> Slider:
        """Return the slider of that name, whose range an explorer may limit."""
        slider = self.controls[name]
        assert isinstance(slider, Slider), f"{name} is no slider"
        return slider

    @property
    def initial(self) -> Parameters:
        """The value that every control started with, by name."""
        return dict(self._initial)

    @property
    def theme(self) -> Theme:
        """The colours and sizes of the picture."""
        return self._theme

    @theme.setter
    def theme(self, theme: Theme) -> None:
        if theme != self._theme:
            self._theme = theme
            self._refresh()

    def follow_page(self, dark: bool) -> None:
        """Take the dark or the light theme of the page around it, unless another theme was asked for."""
        if self.theme in (LIGHT, DARK):
            self.theme = DARK if dark else LIGHT

    def reset(self) -> None:
        """Give every control its initial value."""
        self.restore(self._initial)

    def follow_try(self, index: int) -> None:
        """Show one of ``tries``, of which each begins from an explorer made without settings."""
        self.restore(self._in_try(self.tries[index]))

    def _in_try(self, attempt: Try) -> Parameters:
        plain = {name: control.value for name, control in self.make_controls().items()}
        return {**plain, **attempt.settings()}

    def restore(self, values: Parameters) -> None:
        """Set the named controls, as far as their ranges allow, and show the result once."""
        with self.one_update():
            self._set(values)

    def point(self, panel: str, x: float, y: float, kind: str = "press") -> None:
        """Do what the pointer at (x, y) of ``panel`` asks for: "press", "drag", "hover" or "leave"."""
        values: Parameters = {}
        with self.errors_shown():
            if kind != "leave":
                values = self.pointed(panel, x, y, kind)
        new = {name: value for name, value in values.items() if self.controls[name].value != value}
        if kind in ("hover", "leave"):
            if new != self._preview and self.message is None:
                self._show(new)
        elif new:
            with self.errors_shown():
                self.restore(new)

    # ---- picture and code ----

    def still(self) -> Picture:
        """Return the picture at the present parameters."""
        from posenc_lessons.figures.draw import draw  # loads Matplotlib, which the live picture does not need

        return draw(self.present_scene()[0], current())

    def present_scene(self) -> tuple[Scene, Text]:
        """Return the scene at the present parameters, and the line to read below it."""
        return self._scene_from(*self._present_numbers())

    def _present_numbers(self) -> tuple[Parameters, Arrays]:
        parameters = {**self._checked_parameters(), **self._preview}
        with threads(1):
            return parameters, self.compute(parameters)

    def _scene_from(self, parameters: Parameters, arrays: Arrays) -> tuple[Scene, Text]:
        return with_theme(self.scene(parameters, arrays), self.theme), self.caption(parameters, arrays)

    def present_code(self) -> str:
        """Return Python that draws the present picture. Raises ``Complaint`` as ``present_scene`` does."""
        kind, parameters = type(self).__name__, self._checked_parameters()
        settings = "".join(f"    {name}={value!r},\n" for name, value in parameters.items())
        return f"""\
from posenc_lessons.explorers import {kind}

explorer = {kind}(
{settings})
explorer.still()
"""

    def on_change(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call ``listener()`` whenever the view may have changed; return a function that stops it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    @contextmanager
    def one_update(self, refresh: bool = True) -> Iterator[None]:
        """Show the result only once after several controls change."""
        outer, self._still_setting_up = self._still_setting_up, True
        try:
            yield
        finally:
            self._still_setting_up = outer
        if refresh:
            self._refresh()

    @contextmanager
    def errors_shown(self) -> Iterator[None]:
        """Show errors of the ``with`` block in place of the picture."""
        try:
            yield
        except Complaint as complaint:
            self.show_message(complaint.text)
        except Exception as error:
            LOG.exception("an explorer could not be updated")
            self.show_message(UNFORESEEN.format(error=f"{type(error).__name__}: {error}"))

    def show_message(self, message: Text | None) -> None:
        """Show ``message`` in place of the picture; None clears it."""
        self.message = message
        for listener in list(self._listeners):
            listener()

    def close(self) -> None:
        """Stop following the language and close its panel. It cannot be shown again."""
        self.closed = True
        self._stop_listening()
        self._listeners.clear()
        live, self._live = self._live, None
        if live is not None:
            live.close()

    # ---- inside ----

    def _set(self, values: Parameters) -> None:
        for _ in range(2):  # the second time for sliders whose range had to grow first
            for name, value in values.items():
                self.controls[name].value = self.controls[name].nearest(value)
                self._settle()

    def _settle(self) -> None:
        """Adjust controls that depend on each other."""
        if not self._typed_too_much():
            self.adjust()

    def _typed_too_much(self) -> int:
        """Return the length of a text that is too long for any explorer, 0 if there is none.

        Nothing is computed from such a text, because that would take seconds at every key.
        """
        lengths = (len(box.value) for box in self.controls.values() if isinstance(box, TextBox))
        longest = max(lengths, default=0)
        return longest if longest > MOST_TYPED else 0

    def _checked_parameters(self) -> Parameters:
        """Return the value of every control; Complaint if a text is too long for any explorer."""
        if length := self._typed_too_much():
            raise too_many_characters(length, MOST_TYPED)
        return self.parameters()

    def _refresh(self, _change: object = None) -> None:
        if not self._still_setting_up:
            self._show({})

    def _show(self, preview: Parameters) -> None:
        """Show the values of the controls, some replaced by ``preview``."""
        self._preview = preview
        with self.errors_shown():
            with self.one_update(refresh=False):
                self._settle()
            numbers = self._present_numbers()
            self.shown, self.reading = self._scene_from(*numbers)
            self.shown_from = numbers
            self.shown_takes = self.takes(self.shown)
            self.show_message(None)

    def _follow_language(self) -> None:
        """Show the reader's language; text boxes that the reader has not changed start again in it."""
        with self.one_update():
            for name in self._untouched:
                old, self._initial[name] = self._initial[name], self.controls[name].starting_text()
                if self.controls[name].value == old:
                    self.controls[name].value = self._initial[name]

    def saved(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what a notebook saves for a reader without a kernel: still and words, or the message."""
        if self.message is not None:
            return {"text/plain": self.message.show("both")}, {}
        return self.still().saved(SAVED_SHARPNESS)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return ({"text/plain": CLOSED.show()}, {}) if self.closed else self.widget._repr_mimebundle_(**kwargs)
