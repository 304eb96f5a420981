"""The live canvas: a frame drawn once per layout by Matplotlib, then only data, as bytes.

Measured in a browser, this is the fastest way from a slider to the screen: see ``benchmarks/results.md``.
``live.js`` paints what arrives here; all mathematics stays in Python.
"""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
from PIL import Image

from posenc_lessons.figures.draw import color_table, draw
from posenc_lessons.figures.fonts import FAMILY, WEB_FONT
from posenc_lessons.figures.scene import Arrows, Axis, Heatmap, Labels, Layer, Line, Scene
from posenc_lessons.figures.theme import Theme
from posenc_lessons.language import Language, Text

FONT_WANTED = {"wanted": "font"}  # what a page without a Chinese font says, once
SHARPNESS = 2  # canvas pixels per CSS pixel, however large the theme shows the picture

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


class LiveCanvas(anywidget.AnyWidget):
    """Shows one scene at a time. ``paint`` sends what differs from the scene before, in one message.

    ``pointer`` is where the reader last pressed or dragged (or just moved, with ``hover``):
    {"panel", "x", "y"} in the units of its axes.
    """

    _esm = Path(__file__).with_name("live.js")

    frame = traitlets.Bytes().tag(sync=True)  # PNG
    stage = traitlets.Dict().tag(sync=True)  # size, boxes and the looks of each layer
    axes = traitlets.Dict().tag(sync=True)  # limits and ticks by panel
    alt = traitlets.Unicode().tag(sync=True)
    edition = traitlets.Int(0).tag(sync=True)  # counts the scenes; the canvas echoes the one it painted
    pointer = traitlets.Dict().tag(sync=True)
    hover = traitlets.Bool(False).tag(sync=True)  # whether the pointer counts when it is not pressed
    sharpness = traitlets.Int(SHARPNESS).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)  # WORDS in the reader's language
    disconnected = traitlets.Dict().tag(
        sync=True
    )  # DISCONNECTED in each language: the switch needs no kernel

    @traitlets.default("disconnected")
    def _in_each_language(self) -> dict[str, str]:
        return DISCONNECTED.parts()

    def paint(self, scene: Scene, language: Language) -> None:
        """Show ``scene``, its words in ``language``."""
        data = {data_name(panel.name, layer.name): layer for panel in scene.panels for layer in panel.layers}
        new = {name: traitlets.Dict().tag(sync=True) for name in data if not self.has_trait(name)}
        if new:
            self.add_traits(**new)
        with self.hold_sync():
            self.frame = _frame_png(scene.frame(), language)
            self.stage = _stage(scene)
            self.axes = {panel.name: {"x": _axis(panel.x), "y": _axis(panel.y)} for panel in scene.panels}
            for name, layer in data.items():
                setattr(self, name, _data(layer))
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


def data_name(panel: str, layer: str) -> str:
    """The trait that carries a layer's data; each has its own, so that only what changes travels."""
    return f"{panel}_{layer}"


@lru_cache(maxsize=64)
def _frame_png(frame: Scene, language: Language) -> bytes:
    buffer = io.BytesIO()  # in full colour: a palette would show as bands in the colour bars
    scale = SHARPNESS * frame.theme.enlarged
    Image.fromarray(draw(frame, language).pixels(scale)).save(buffer, "PNG")
    return buffer.getvalue()


def _stage(scene: Scene) -> dict[str, Any]:
    panels = {
        panel.name: {
            "box": panel.box,
            "words": panel.words,
            "layers": {layer.name: _looks(layer) for layer in panel.layers},
        }
        for panel in scene.panels
    }
    return {"width": scene.width, "height": scene.height, "panels": panels, "theme": _theme(scene.theme)}


def _theme(theme: Theme) -> dict[str, Any]:
    return {
        "ink": theme.ink,
        "grid": theme.grid,
        "type": theme.type_scale,
        "enlarged": theme.enlarged,
        "at_least": theme.at_least,
    }


def _looks(layer: Layer) -> dict[str, Any]:
    if isinstance(layer, Heatmap):
        return {"kind": "heatmap", "table": color_table(layer.colors).tobytes()}
    if isinstance(layer, Line):
        return {"kind": "line", "color": layer.color, "width": layer.width, "dashed": layer.dashed}
    if isinstance(layer, Arrows):
        return {"kind": "arrows", "color": layer.color, "width": layer.width}
    if isinstance(layer, Labels):
        return {"kind": "labels", "color": layer.color, "size": layer.size}
    return {"kind": "points", "color": layer.color, "size": layer.size}


def _axis(axis: Axis) -> dict[str, Any]:
    return {"start": axis.start, "end": axis.end, "ticks": axis.shown_ticks()}


def _data(layer: Layer) -> dict[str, Any]:
    if isinstance(layer, Heatmap):
        values = layer.indices()
    elif isinstance(layer, Arrows):
        values = np.hstack([layer.start, layer.end]).astype(np.float32)
    else:
        values = np.column_stack([layer.x, layer.y]).astype(np.float32)
    data = {"shape": values.shape, "bytes": values.tobytes()}
    return {**data, "texts": layer.texts} if isinstance(layer, Labels) else data
