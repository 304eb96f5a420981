"""What an explorer says of itself: its controls, what they show, and what a reader could try."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import ipywidgets

from posenc_lessons.explorers.controls import Control
from posenc_lessons.figures.scene import Scene
from posenc_lessons.language import Text, current

Parameters = dict[str, Any]
Arrays = dict[str, Any]


@dataclass(frozen=True)
class Try:
    """Settings with a name, and one sentence on what to look for.

    ``values`` are the controls, by name, that are not where the explorer starts. A text to type may be a
    ``Text``: the reader then meets a sentence in their own language.
    """

    name: Text
    values: Mapping[str, Any]
    look_for: Text

    def settings(self) -> dict[str, Any]:
        """``values`` as the controls take them, texts in the reader's language; Chinese for both."""
        language = "zh" if current() == "both" else current()
        return {
            name: value.show(language) if isinstance(value, Text) else value
            for name, value in self.values.items()
        }


class Definition:
    """What a subclass of ``Explorer`` defines."""

    name: ClassVar[str]  # of files saved from it
    title: ClassVar[Text]
    # For copies that travel: the control that says most, and where to show it besides its present place; None
    # for the first slider or choice, spread over its range.
    stops: ClassVar[tuple[str, tuple[Any, ...]] | None] = None
    grabs: ClassVar[frozenset[str]] = frozenset()  # panels in which a drag takes something along
    hover: ClassVar[bool] = False  # whether a pointer that is not pressed previews what pressing would choose
    tries: ClassVar[tuple[Try, ...]] = ()  # in the order in which they are worth trying
    rare: ClassVar[frozenset[str]] = frozenset()  # controls to be folded away
    plays: ClassVar[str | None] = None  # the slider that a play button moves on by itself
    needs_kernel: ClassVar[frozenset[str]] = frozenset()  # controls that mean nothing in a page without one

    @abstractmethod
    def make_controls(self) -> dict[str, Control]:
        """The controls by parameter name; a device choice is added to them."""

    @abstractmethod
    def compute(self, parameters: Parameters) -> Arrays:
        """The numbers to show, as NumPy arrays, computed by torch on ``parameters["device"]``."""

    @abstractmethod
    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        """The picture of those numbers."""

    @abstractmethod
    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        """One line below the picture that says its most telling numbers."""

    @abstractmethod
    def code(self, parameters: Parameters) -> str:
        """Python that draws the same picture without the explorer; it runs as it stands."""

    def more_controls(self) -> list[ipywidgets.Widget]:
        """Widgets to stand below the controls that are no parameters themselves, such as a play button."""
        return []

    def more_settings(self) -> list[ipywidgets.Widget]:
        """Widgets to be folded away below the rare controls."""
        return []

    def adjust(self) -> None:
        """Adjust controls whose range depends on others; called before every update."""

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        """What the pointer at (x, y) of ``panel``, in the units of its axes, chooses: values by control.

        ``kind``: "press", "drag", or "hover": of a pointer that only hovers they are shown and not set.
        """
        return {}

    def takes(self, scene: Scene) -> dict[str, str]:
        """The panels of ``scene`` that answer to a press: "grab" in ``grabs``, "point" elsewhere."""
        there = [panel.name for panel in scene.panels]
        grabs = [name for name in there if name in self.grabs]
        points = [name for name in there if name not in self.grabs and self.pointed(name, 0.0, 0.0, "hover")]
        return {**dict.fromkeys(points, "point"), **dict.fromkeys(grabs, "grab")}
