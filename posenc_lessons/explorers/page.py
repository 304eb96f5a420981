"""The page around the explorers: its name, language and mode, and how to use it by keyboard."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

from posenc_lessons.figures.theme import LIGHT, THEMES
from posenc_lessons.language import Language, Text, current

TITLE = Text("位置编码探索器", "Position-encoding explorer")
KEYBOARD = Text(
    "不用鼠标也行：Tab 键换控件，方向键换标签页、移滑块；指着图能做的事，滑块和菜单也都能做。",
    "No mouse needed: Tab moves between controls, the arrow keys between tabs and along sliders; "
    "whatever pointing at the picture does, sliders and menus do too.",
)
MODE = Text("显示", "Display")
MODES = {
    "light": Text("浅色", "light"),
    "dark": Text("深色", "dark"),
    "projector": Text("投影（大字）", "projector (large type)"),
}
SPOKEN: dict[Language, str] = {"zh": "zh-CN", "en": "en", "both": "zh-CN"}


class Page(anywidget.AnyWidget):
    """A line about the keyboard; on a page of the explorers' own, the choice of ``mode``, a name in THEMES.

    There it also says what the page's head and tabs leave unsaid.
    """

    _esm = Path(__file__).with_name("page.js")
    _css = Path(__file__).with_name("page.css")

    mode = traitlets.Enum(list(THEMES), LIGHT.name).tag(sync=True)
    modes = traitlets.Dict().tag(sync=True)  # what each is called
    choose = traitlets.Unicode("").tag(sync=True)  # what they are called together
    title = traitlets.Unicode("").tag(sync=True)
    spoken = traitlets.Unicode("").tag(sync=True)  # the page's language, as HTML names it
    keyboard = traitlets.Unicode("").tag(sync=True)

    def relabel(self) -> None:
        """Speak the reader's language."""
        self.title, self.keyboard = TITLE.show(), KEYBOARD.show()
        self.choose = MODE.show()
        self.modes = {name: MODES[name].show() for name in THEMES}
        self.spoken = SPOKEN[current()]
