"""The definition of an explorer: its controls, its picture, and settings worth trying."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from posenc_lessons.explorers.controls import Control
from posenc_lessons.figures.scene import Scene
from posenc_lessons.language import Text, current

Parameters = dict[str, Any]
Arrays = dict[str, Any]


@dataclass(frozen=True)
class Try:
    """Settings with a name, and a sentence that says what to look for.

    ``values`` are the controls, by name, that differ from an explorer made without settings. A text to type
    may be a ``Text``: the reader then sees it in their language.
    """

    name: Text
    values: Mapping[str, Any]
    look_for: Text

    def settings(self) -> dict[str, Any]:
        """Return ``values`` as the controls take them, texts in the reader's language (Chinese for both)."""
        language = "zh" if current() == "both" else current()
        return {
            name: value.show(language) if isinstance(value, Text) else value
            for name, value in self.values.items()
        }


class Definition(ABC):
    """The attributes and methods that a subclass of ``Explorer`` defines."""

    name: ClassVar[str]  # in links and as the name of saved files
    title: ClassVar[Text]
    door: ClassVar[int] = 0  # the door that it is about, whose colour it has; 0 for none or several
    grabs: ClassVar[frozenset[str]] = frozenset()  # panels in which dragging moves something
    hover: ClassVar[bool] = False  # whether hovering previews what a press would choose
    tries: tuple[Try, ...] = ()  # in the order in which a reader should try them
    rare: ClassVar[frozenset[str]] = frozenset()  # controls that are folded away
    first: ClassVar[str | None] = None  # the slider beside the picture on a phone; None for the first of all
    drag: ClassVar[str] = ""  # panel and layer of what to drag in the picture; "" for the slider ``first``

    @abstractmethod
    def make_controls(self) -> dict[str, Control]:
        """Return the controls by parameter name."""

    @abstractmethod
    def compute(self, parameters: Parameters) -> Arrays:
        """Return the numbers to show as NumPy arrays, computed by torch."""

    @abstractmethod
    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        """Return the picture of those numbers."""

    @abstractmethod
    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        """Return the line below the picture, with its most important numbers."""

    def adjust(self) -> None:  # noqa: B027 - most explorers have nothing to adjust
        """Adjust controls whose range depends on other controls; called before every update."""

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        """Return the values, by control, that the pointer at (x, y) of ``panel``, in its units, chooses.

        ``kind`` is "press", "drag" or "hover"; values chosen by hovering are shown but not set.
        """
        return {}

    def takes(self, scene: Scene) -> dict[str, str]:
        """Return the panels of ``scene`` that answer to a press: "grab" if in ``grabs``, else "point"."""
        names = [panel.name for panel in scene.panels]
        grabs = [name for name in names if name in self.grabs]
        points = [name for name in names if name not in self.grabs and self.pointed(name, 0.0, 0.0, "hover")]
        return {**dict.fromkeys(points, "point"), **dict.fromkeys(grabs, "grab")}
