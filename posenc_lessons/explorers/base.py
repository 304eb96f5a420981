"""What every explorer is: named controls → compute → scene → canvas, with its errors in plain sight."""

from __future__ import annotations

import html
import logging
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import ipywidgets
import traitlets

from posenc_lessons import choices
from posenc_lessons.experiments.machine import threads
from posenc_lessons.explorers import closing
from posenc_lessons.explorers.caption import as_html, headed, paragraph
from posenc_lessons.explorers.comparing import COMPARE, KeptPicture, Pictures
from posenc_lessons.explorers.controls import Choice
from posenc_lessons.explorers.definition import Definition, Parameters
from posenc_lessons.explorers.layout import MORE, Folded, beside, grid
from posenc_lessons.explorers.live import LiveCanvas
from posenc_lessons.explorers.widgets import widgets_in
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.theme import DARK, LIGHT, Theme
from posenc_lessons.figures.with_theme import with_theme
from posenc_lessons.language import BilingualError, BilingualTypeError, Text, current, on_change

if TYPE_CHECKING:
    from posenc_lessons.figures.style import Picture

LOG = logging.getLogger(__name__)

CLOSED = Text("这张交互图已经关闭，请新建一张。", "This explorer was closed; make a new one.")

MOST_TYPED = 10_000  # characters of a text box, of which anything is made
SAVED_SHARPNESS = 1.25  # of the still in a saved notebook, which has many pictures and must stay small

DEVICE = Text("计算设备", "device")
TRY = Text("试试看", "Try this")
RESET = Text("恢复初始值", "Reset")
SHOW_CODE = Text("看代码", "Show the code")
SAVE_PNG = Text("保存 PNG", "Save PNG")
SAVE_SVG = Text("保存 SVG", "Save SVG")
UNFORESEEN = Text(
    "出错了，图没有更新。{error}", "Something went wrong and the picture was not updated. {error}"
)


class Complaint(BilingualError):
    """Something in the reader's input that the explorer cannot show, said in both languages."""


def too_long(zh: str, en: str) -> Complaint:
    """That a text is too long: ``zh`` and ``en`` say how long, and how long it may be."""
    return Complaint(
        f"{zh}：请删短一些（输入的内容还在）。", f"{en}: please shorten it (what you typed is kept)."
    )


def too_many_characters(length: int, most: int) -> Complaint:
    """That a text has ``length`` characters, more than ``most``."""
    return too_long(
        f"这段文字有 {length} 个字符，这里最多 {most} 个",
        f"The text has {length} characters and {most} is the most",
    )


class Explorer(Definition, ipywidgets.VBox):
    """Controls above a live picture. A subclass says what its controls are and what they show.

    ``controls`` maps each parameter's name to its widget; ``still()`` is the present picture as a Matplotlib
    Figure; ``message`` is the complaint now shown in place of the picture, or None; ``said`` is the line to
    read below the picture.
    """

    theme = traitlets.Any(LIGHT)  # a Theme: the colours and sizes of the picture
    heading = traitlets.Int(3)  # the level of its title: in a lesson it stands in a section, which is 2

    def __init__(self, *, theme: Theme = LIGHT, **initial: Any) -> None:
        """``initial`` sets controls by name; they are what reset returns to. ``theme``: the first one."""
        self._stop_listening: Callable[[], object] = lambda: None
        self._links: list[ipywidgets.Widget] = []
        self.controls: dict[str, ipywidgets.Widget] = {}  # a kind of control may be refused
        self.named_controls = self.make_controls()
        devices = [(Text(device, device), device) for device in choices.available_devices()]
        self.named_controls["device"] = Choice(DEVICE, devices, choices.device())
        self.controls = {name: control.widget for name, control in self.named_controls.items()}
        unknown = sorted(set(initial) - set(self.controls))
        if unknown:
            raise BilingualTypeError(
                f"没有名为 {', '.join(unknown)} 的控件；现有 {', '.join(self.controls)}",
                f"no control is called {', '.join(unknown)}; there are {', '.join(self.controls)}",
            )
        self.canvas = LiveCanvas(hover=self.hover)
        self.message: Text | None = None
        self.said = Text("", "")
        self._at_try = -1  # the one of ``tries`` that was followed last
        self._preview: Parameters = {}  # what the pointer hovers over, shown in place of what is set
        self._alert = ipywidgets.HTML(layout={"display": "none"})
        self._caption = ipywidgets.HTML()
        self._caption.add_class("posenc-reading")
        self._pictures = Pictures(self.canvas, self._caption)
        self._code = ipywidgets.HTML(layout={"display": "none"})
        self._still_setting_up = True
        self._untouched = {
            name for name, control in self.named_controls.items() if control.starting_text() is not None
        }
        self._untouched -= set(initial)
        super().__init__(self._rows(), theme=theme)
        self.add_class("posenc-explorer")
        self._set(initial)
        self._initial = self.parameters()
        self._still_setting_up = False
        for widget in self.controls.values():
            widget.observe(self._refresh, "value")
        self.observe(self._refresh, "theme")
        self.canvas.observe(self._take_pointer, "pointer")
        self.canvas.observe(self._follow_page_theme, "dark")
        relabel = weakref.WeakMethod(self._relabel)
        self._stop_listening = on_change(lambda: (method := relabel()) and method())
        self._relabel()

    def parameters(self) -> Parameters:
        """The present value of every control, by name."""
        return {name: control.value() for name, control in self.named_controls.items()}

    def label(self, name: str) -> Text:
        """What the control of that name is called."""
        return self.named_controls[name].label

    @property
    def initial(self) -> Parameters:
        """The value that every control started with, by name."""
        return dict(self._initial)

    def still(self) -> Picture:
        """The picture at the present parameters."""
        from posenc_lessons.figures.draw import draw  # loads Matplotlib, which the live picture does without

        return draw(self.present_scene()[0], current())

    def reset(self) -> None:
        """Put every control back to where it started."""
        self._at_try = -1
        self._show_tip()
        self.restore(self._initial)

    def follow_try(self, index: int) -> None:
        """Show one of ``tries`` and say what to watch; what it does not name is as at the start."""
        self._at_try = index
        self._show_tip()
        self.restore({**self._initial, **self.tries[index].settings()})

    def _show_tip(self) -> None:
        coming = (self._at_try + 1) % len(self.tries) if self.tries else 0
        self._next.description = f"{TRY.show()} {coming + 1}/{len(self.tries)} →"
        self._tip.layout.display = None if self._at_try >= 0 else "none"
        if self._at_try >= 0:
            tried = self.tries[self._at_try]
            self._tip.value = paragraph(headed(tried.name, tried.look_for), 'role="status"')

    def restore(self, values: Parameters) -> None:
        """Set the controls named, as far as their ranges allow, and show the result once."""
        with self.one_update():
            self._set(values)

    def _set(self, values: Parameters) -> None:
        for _ in range(2):  # a range may have to grow before its slider can go there
            for name, value in values.items():
                self.controls[name].value = value
                self._settle()

    def _settle(self) -> None:
        """Bring the controls into line: whole steps, which a page's slider keeps but a message need not."""
        for widget in self.controls.values():
            if isinstance(widget, ipywidgets.IntSlider) and (widget.value - widget.min) % widget.step:
                widget.value -= (widget.value - widget.min) % widget.step
        if not self._typed_too_much():
            self.adjust()

    def _typed_too_much(self) -> int:
        """The length of a text that is longer than any explorer takes, 0 when there is none.

        Of such a text nothing is computed: it would cost seconds at every key.
        """
        texts = (w.value for w in self.controls.values() if isinstance(w, ipywidgets.Text))
        longest = max(map(len, texts), default=0)
        return longest if longest > MOST_TYPED else 0

    def link(self, source: ipywidgets.Widget, target: ipywidgets.Widget, name: str = "value") -> None:
        """Keep the trait ``name`` of both widgets equal in the page; ``source`` gives the start."""
        self._links.append(ipywidgets.jslink((source, name), (target, name)))

    def close(self) -> None:
        """Give up every widget in it, and stop following the language. It cannot be shown again."""
        self._stop_listening()
        self._stop_listening = lambda: None
        for root in (self, *self._links, *self.controls.values()):  # a lone device stands nowhere in it
            for widget in list(widgets_in(root)):
                ipywidgets.Widget.close(widget)
        # ipywidgets puts None there, and the reader would be shown what Python calls the object.
        closed = {"text/plain": CLOSED.show()}
        setattr(self, "_repr_mimebundle_", lambda **kwargs: closed)  # noqa: B010 - mypy has a method stay one

    def _checked_parameters(self) -> Parameters:
        """The present value of every control; Complaint where a text is too long to look at."""
        if length := self._typed_too_much():
            raise too_many_characters(length, MOST_TYPED)
        return self.parameters()

    def present_scene(self) -> tuple[Scene, Text]:
        """The scene at the present parameters, and the line to read below it."""
        scene, said = self._scene_of({**self._checked_parameters(), **self._preview})
        return with_theme(scene, self.theme), said

    def _scene_of(self, parameters: Parameters) -> tuple[Scene, Text]:
        """The scene at ``parameters``, as on white paper, and the line to read below it."""
        with threads(1):
            arrays = self.compute(parameters)
        return self.scene(parameters, arrays), self.caption(parameters, arrays)

    def present_code(self) -> str:
        """Python that draws the present picture. Raises ``Complaint`` as ``present_scene``."""
        return self.code(self._checked_parameters())

    def _refresh(self, _change: object = None) -> None:
        if not self._still_setting_up:
            self._show({})

    def _show(self, preview: Parameters) -> None:
        """Show what is set, but for ``preview``."""
        self._preview = preview
        with self._errors_shown():
            with self.one_update(refresh=False):
                self._settle()
            # Before the picture: what is kept is there even where the present settings show nothing.
            seen = {**self.parameters(), **preview}
            self._pictures.name_both(self.named_controls, seen, self.theme)
            scene, self.said = self.present_scene()
            self.canvas.paint(scene, current())
            self.canvas.takes = self.takes(scene)
            self._caption.value = paragraph(as_html(self.said, self.theme), 'aria-live="polite"')
            if self._show_code.value:
                self._code.value = _listing(self.present_code())
            self._show_message(None)  # here alone: a button pressed meanwhile does not mend the picture

    @contextmanager
    def one_update(self, refresh: bool = True) -> Iterator[None]:
        """Let several controls change, then show the result once."""
        self._still_setting_up = True
        try:
            yield
        finally:
            self._still_setting_up = False
        if refresh:
            self._refresh()

    @contextmanager
    def _errors_shown(self, in_place: bool = True) -> Iterator[None]:
        """Show whatever goes wrong, in place of the picture or above it: ipywidgets would only log it."""
        try:
            yield
        except Complaint as complaint:
            self._show_message(complaint.text, in_place)
        except Exception as error:
            LOG.exception("an explorer could not be updated")
            said = f"{type(error).__name__}: {error}"
            self._show_message(UNFORESEEN.format(error=said), in_place)

    def _show_message(self, message: Text | None, in_place: bool = True) -> None:
        """Show ``message``, ``in_place`` of the picture or above it; None: all is well again."""
        if message is None and not self._alert.value:
            return
        self.message = message
        self._alert.value = "" if message is None else alert(message)
        self._alert.layout.display = "none" if message is None else None
        for widget in (self.canvas, self._caption):
            widget.layout.display = "none" if message is not None and in_place else None

    def _take_pointer(self, change: dict[str, Any]) -> None:
        """Where the pointer is (panel, x, y) and what it does: press (if not said), drag, hover or leave."""
        where = change["new"]
        if not where:
            return
        kind, chosen = where.get("kind", "press"), {}
        with self._errors_shown():
            if kind != "leave":
                chosen = self.pointed(where["panel"], where["x"], where["y"], kind)
        new = {name: value for name, value in chosen.items() if self.controls[name].value != value}
        if kind in ("hover", "leave"):
            if new != self._preview and self.message is None:
                self._show(new)
        elif new:
            with self._errors_shown():
                self.restore(new)

    def _follow_page_theme(self, change: dict[str, Any]) -> None:
        """The page around the picture turned dark, or light again."""
        if self.theme in (LIGHT, DARK):  # another was asked for
            self.theme = DARK if change["new"] else LIGHT

    def _start_in_language(self) -> None:
        """A text that the reader has not touched is the one its readers begin with."""
        for name in self._untouched:
            before, self._initial[name] = self._initial[name], self.named_controls[name].starting_text()
            if self.controls[name].value == before:
                self.controls[name].value = self._initial[name]

    def _relabel(self) -> None:
        with self.one_update():
            self._start_in_language()
            for control in self.named_controls.values():
                control.relabel()
        self._show_title()
        for button, label in self._buttons:
            button.description = label.show()
        self._show_tip()
        if self.message is not None:
            self._alert.value = alert(self.message)

    @traitlets.observe("heading")
    def _show_title(self, _change: object = None) -> None:
        self._title.value = f"<h{self.heading}>{html.escape(self.title.show())}</h{self.heading}>"

    def _rows(self) -> list[ipywidgets.Widget]:
        self._title = ipywidgets.HTML()
        self._tip = ipywidgets.HTML(layout={"display": "none"})
        self._next = ipywidgets.Button(layout={"width": "auto", "align_self": "flex-start"})
        self._next.on_click(lambda _: self.follow_try((self._at_try + 1) % len(self.tries)))
        self._keep = ipywidgets.ToggleButton(icon="columns", layout={"width": "auto"})
        self._keep.observe(self._toggle_kept, "value")
        self._show_code = ipywidgets.ToggleButton()
        reset, png, svg = ipywidgets.Button(), ipywidgets.Button(), ipywidgets.Button()
        for button in (reset, self._show_code, png, svg):
            button.layout.width = "auto"
        self._buttons: tuple[tuple[ipywidgets.Widget, Text], ...] = (
            (self._keep, COMPARE),
            (reset, RESET),
            (self._show_code, SHOW_CODE),
            (png, SAVE_PNG),
            (svg, SAVE_SVG),
        )
        reset.on_click(lambda _: self.reset())
        png.on_click(lambda _: self._save("png", "image/png"))
        svg.on_click(lambda _: self._save("svg", "image/svg+xml"))
        self._show_code.observe(self._toggle_code, "value")
        tools = ipywidgets.HBox([button for button, _ in self._buttons[1:]], layout={"flex_flow": "row wrap"})
        return [beside([self._title, *self._controls()], [self._alert, self._pictures]), tools, self._code]

    def _controls(self) -> list[ipywidgets.Widget]:
        """The controls of use at any time, then those folded away; a device only where there is a choice."""
        shown = {name: widget for name, widget in self.controls.items() if name != "device"}
        rare = [shown.pop(name) for name in self.controls if name in self.rare]
        if len(self.controls["device"].options) > 1:
            rare.append(self.controls["device"])
        rows: list[ipywidgets.Widget] = [grid(list(shown.values())), *self.more_controls()]
        steps = [*([self._next] if self.tries else []), self._keep]
        rows += [ipywidgets.HBox(steps, layout={"flex_flow": "row wrap"}), self._tip]
        folded = [*([grid(rare)] if rare else []), *self.more_settings()]
        if folded:
            rows.append(more := Folded(folded))
            self._buttons = (*self._buttons, (more.button, MORE))
        return rows

    def _toggle_kept(self, change: dict[str, Any]) -> None:
        with self._errors_shown():
            if change["new"]:
                seen = {**self._checked_parameters(), **self._preview}
                self._pictures.keep(KeptPicture(*self._scene_of(seen), seen), self.named_controls, self.theme)
            else:
                self._pictures.end()
        self._keep.value = self._pictures.compared  # there may be nothing to keep

    def _toggle_code(self, change: dict[str, Any]) -> None:
        with self._errors_shown():
            self._code.layout.display = None if change["new"] else "none"
            self._code.value = _listing(self.present_code()) if change["new"] else ""

    def _save(self, kind: str, mime: str) -> None:
        with self._errors_shown():
            picture = self.still()
            content = picture.png() if kind == "png" else picture.svg()
            self.canvas.download(f"{self.name}.{kind}", mime, content)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The live picture, and for a reader without a kernel the still and its words."""
        closing.close_when_replaced(self)
        live = super()._repr_mimebundle_(**kwargs)
        # On Colab the canvas knows where its code comes from, and whatever holds the canvas must say so too.
        bundle = self.canvas._repr_mimebundle_()
        source = {} if bundle is None else bundle[1]
        if self.message is not None:
            return {**live, "text/plain": self.message.show("both")}, source
        still, size = self.still().bundle(SAVED_SHARPNESS)
        return {**live, **still}, {**size, **source}


def alert(message: Text) -> str:
    """``message`` as HTML that is seen and read aloud at once; what it quotes is escaped."""
    style = "border-left:4px solid #b3261e;background:#fdecea;color:#222;padding:8px 14px"
    return f'<div role="alert" style="{style}">{as_html(message, LIGHT)}</div>'


def _listing(code: str) -> str:
    style = "background:#f6f6f6;color:#222;padding:8px 14px;line-height:1.35;overflow:auto"
    return f'<pre tabindex="0" style="{style}">{html.escape(code)}</pre>'
