"""A picture that stays while settings change: beside the present one, or below it in a narrow room.

What is kept is the scene, whose words are in both languages and whose colours are chosen for white paper. So
it follows the reader's language and theme, and nothing is computed again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets

from posenc_lessons.explorers.caption import as_html, headed, paragraph
from posenc_lessons.explorers.controls import Control
from posenc_lessons.explorers.live import LiveCanvas
from posenc_lessons.explorers.widgets import widgets_in
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.theme import Theme
from posenc_lessons.figures.with_theme import with_theme
from posenc_lessons.language import Language, Text, current

COMPARE = Text("留下对照", "Compare")
KEPT = Text("留下的图", "Kept picture")
PRESENT = Text("现在的图", "Present picture")
NO_DIFFERENCE = Text("改一个设置，就能对照", "change a setting to compare")


class Pictures(ipywidgets.VBox):
    """The present picture, and the one that was kept, if any. Their names say which settings differ."""

    children: tuple[ipywidgets.Widget, ...]

    def __init__(self, canvas: LiveCanvas, reading: ipywidgets.HTML) -> None:
        self._which = ipywidgets.HTML(layout={"display": "none"})
        self._kept: KeptPicture | None = None
        self._present = ipywidgets.VBox([self._which, canvas, reading])
        super().__init__([self._present])
        self.add_class("posenc-pictures")

    @property
    def compared(self) -> bool:
        """Whether there is one to compare with."""
        return self._kept is not None

    def keep(self, kept: KeptPicture, controls: Mapping[str, Control], theme: Theme) -> None:
        """Let ``kept``, what is shown now, stay beside what will be; ``controls`` name its settings."""
        self._kept = kept
        self.name_both(controls, kept.parameters, theme)  # painted before the page makes room for it
        self.children = (self._present, kept)  # last: the page makes anew what follows a newcomer
        self._which.layout.display = None

    def end(self) -> None:
        """Give up what was kept, if anything was."""
        kept, self._kept = self._kept, None
        self._which.layout.display = "none"
        self.children = (self._present,)
        if kept is not None:
            for widget in list(widgets_in(kept)):
                widget.close()

    def name_both(self, controls: Mapping[str, Control], parameters: Mapping[str, Any], theme: Theme) -> None:
        """Name both pictures, the present one being of ``parameters``, in the reader's language."""
        if self._kept is None:
            return
        before = self._kept.parameters
        differ = [name for name in controls if before[name] != parameters[name]]
        self._which.value = paragraph(headed(PRESENT, _settings(controls, parameters, differ)))
        self._kept.show(_settings(controls, before, differ) if differ else NO_DIFFERENCE, theme)


class KeptPicture(ipywidgets.VBox):
    """A picture as it was, in the reader's language and theme."""

    def __init__(self, scene: Scene, said: Text, parameters: Mapping[str, Any]) -> None:
        """``scene``, as on white paper, is of ``parameters``; ``said`` is the line to read below it."""
        self.parameters = parameters
        self.canvas = LiveCanvas()
        self._scene, self._said = scene, said
        self._painted: tuple[Language, Theme] | None = None  # in which it was painted last
        self._which, self._caption = ipywidgets.HTML(), ipywidgets.HTML()
        self._caption.add_class("posenc-reading")
        super().__init__([self._which, self.canvas, self._caption])
        self.add_class("posenc-kept")

    def show(self, settings: Text, theme: Theme) -> None:
        """Name it after ``settings``; paint it where language or ``theme`` have changed."""
        if self._painted != (current(), theme):
            self._painted = (current(), theme)
            self.canvas.paint(with_theme(self._scene, theme), current())
            self._caption.value = paragraph(as_html(self._said, theme))
        self._which.value = paragraph(headed(KEPT, settings))
        alt, kept = self._scene.alt, Text("{}（{}）：{}", "{} ({}): {}")
        said = (kept.zh.format(KEPT.zh, settings.zh, alt.zh), kept.en.format(KEPT.en, settings.en, alt.en))
        self.canvas.alt = Text(*said).show()


def _settings(controls: Mapping[str, Control], values: Mapping[str, Any], names: list[str]) -> Text:
    """What each of ``names`` is set to: "query at m: 5; key at n: 9"."""
    said = [(controls[name].label, controls[name].in_words(values[name])) for name in names]
    return Text(
        "；".join(f"{label.zh}：{value.zh}" for label, value in said),
        "; ".join(f"{label.en}: {value.en}" for label, value in said),
    )
