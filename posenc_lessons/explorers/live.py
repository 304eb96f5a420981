"""The live canvas in a notebook: what differs from the scene before goes to the page, as bytes.

Measured in a browser, this is the fastest way from a slider to the screen: see ``benchmarks/results.md``.
``paint.js`` paints what arrives there, ``live.js`` listens to pointer and kernel; all mathematics stays in
Python.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from posenc_lessons.explorers.layout import STYLE
from posenc_lessons.figures import canvas_data
from posenc_lessons.figures.fonts import FAMILY, WEB_FONT
from posenc_lessons.figures.scene import Scene
from posenc_lessons.language import Language, Text

FONT_WANTED = {"wanted": "font"}  # what a page without a Chinese font says, once

DISCONNECTED = Text(
    "内核已停止或重启，这张图不再响应。请重新运行这个单元格（以及第一个单元格）。",
    "The kernel has stopped or restarted, so this picture no longer answers. "
    "Run this cell again (and the first one).",
)

# What ipywidgets' own buttons leave unsaid, and what is said of the picture besides its alt text.
WORDS = {
    "play": Text("播放", "Play"),
    "pause": Text("暂停", "Pause"),
    "stop": Text("停止，回到开头", "Stop, back to the start"),
    "repeat": Text("循环播放", "Repeat"),
    "instead": Text(
        "指着图能做的事，用上面的控件也都能做。",
        "What pointing at the picture does, the controls above do too.",
    ),
}


JOINED = ("paint.js", "font.js", "live.js")
IMPORTS = re.compile(r'^import .* from "\./.*;\n', re.MULTILINE)  # of each other


class Module:
    """``live.js`` after what it imports, without the imports, for anywidget takes a single module.

    Read when a canvas is first made: a page without a kernel has none of these files.
    """

    def __str__(self) -> str:
        texts = (Path(__file__).with_name(name).read_text("utf-8") for name in JOINED)
        return "".join(IMPORTS.sub("", text) for text in texts)


class LiveCanvas(anywidget.AnyWidget):
    """Shows one scene at a time. ``paint`` sends what differs from the scene before, in one message.

    ``pointer`` is where the reader last pressed or dragged (or just moved, with ``hover``):
    {"panel", "x", "y"} in the units of its axes.
    """

    _esm = Module()
    _css = STYLE

    stage = traitlets.Dict().tag(sync=True)  # this and the next as in ``canvas_data.py``
    axes = traitlets.Dict().tag(sync=True)
    alt = traitlets.Unicode().tag(sync=True)
    edition = traitlets.Int(0).tag(sync=True)  # counts the scenes; the canvas echoes the one it painted
    pointer = traitlets.Dict().tag(sync=True)
    dark = traitlets.Bool(False).tag(sync=True)  # whether JupyterLab around it is; the page says so
    hover = traitlets.Bool(False).tag(sync=True)  # whether the pointer counts when it is not pressed
    takes = traitlets.Dict().tag(sync=True)  # panels that answer to a press: "grab" or "point"
    words = traitlets.Dict().tag(sync=True)  # WORDS in the reader's language
    disconnected = traitlets.Dict().tag(
        sync=True
    )  # DISCONNECTED in each language: the switch needs no kernel

    @traitlets.default("disconnected")
    def _in_each_language(self) -> dict[str, str]:
        return DISCONNECTED.parts()

    def paint(self, scene: Scene, language: Language) -> None:
        """Show ``scene``, its words in ``language``."""
        data = canvas_data.data(scene)  # each has a trait of its own, so that only what changes travels
        new = {name: traitlets.Dict().tag(sync=True) for name in data if not self.has_trait(name)}
        if new:
            self.add_traits(**new)
        with self.hold_sync():
            self.stage = canvas_data.stage(scene, language)
            self.axes = canvas_data.axes(scene)
            for name, layer in data.items():
                setattr(self, name, layer)
            self.alt = scene.alt.show(language)
            self.words = {name: text.show(language) for name, text in WORDS.items()}
            self.edition += 1

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.on_msg(self._answer)

    def _answer(self, _widget: object, content: Any, _buffers: object) -> None:
        if content == FONT_WANTED:
            self.send({"font": FAMILY}, [WEB_FONT.read_bytes()])

    def download(self, name: str, mime: str, content: bytes) -> None:
        """Hand the reader a file through their browser, wherever the kernel runs."""
        self.send({"name": name, "type": mime}, [content])
