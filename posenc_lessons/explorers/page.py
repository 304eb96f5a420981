"""The page around the explorers: its name, its language, and how to use it by keyboard."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

from posenc_lessons.course.language import Language, Text, current

TITLE = Text("位置编码探索器", "Position-encoding explorer")
KEYBOARD = Text(
    "不用鼠标也行：Tab 键换控件，方向键换标签页、移滑块；指着图能做的事，滑块和菜单也都能做。",
    "No mouse needed: Tab moves between controls, the arrow keys between tabs and along sliders; "
    "whatever pointing at the picture does, sliders and menus do too.",
)
SPOKEN: dict[Language, str] = {"zh": "zh-CN", "en": "en", "both": "zh-CN"}


class Page(anywidget.AnyWidget):
    """A line about the keyboard; on a page of the explorers' own, what its head and tabs leave unsaid."""

    _esm = Path(__file__).with_name("page.js")
    _css = Path(__file__).with_name("page.css")

    title = traitlets.Unicode("").tag(sync=True)
    spoken = traitlets.Unicode("").tag(sync=True)  # the page's language, as HTML names it
    keyboard = traitlets.Unicode("").tag(sync=True)

    def relabel(self) -> None:
        """Speak the reader's language."""
        self.title, self.keyboard = TITLE.show(), KEYBOARD.show()
        self.spoken = SPOKEN[current()]
