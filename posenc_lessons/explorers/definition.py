"""The definition of an explorer: its controls, what they show, and settings worth trying."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
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

    ``values`` are the controls, by name, that are not where the explorer starts. A text to type may be a
    ``Text``: the reader then meets a sentence in their own language.
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


@dataclass(frozen=True)
class Action:
    """A button: its label, what it does, and how it looks. A ``rare`` one is folded away."""

    label: Text
    act: Callable[[], object]
    disabled: bool = False
    primary: bool = False
    rare: bool = False


@dataclass(frozen=True)
class Progress:
    """How far work has come, as ``value`` from 0 to ``max`` and in words."""

    value: float
    max: float
    text: Text


class Definition(ABC):
    """All that a subclass of ``Explorer`` defines."""

    name: ClassVar[str]  # in links and as the name of saved files
    title: ClassVar[Text]
    door: ClassVar[int] = 0  # the one door that it is about, whose colour it wears; else 0
    # For exported copies: the most telling control, and the values to show besides its present one; None
    # stands for the first slider or choice, spread over its range.
    stops: ClassVar[tuple[str, tuple[Any, ...]] | None] = None
    grabs: ClassVar[frozenset[str]] = frozenset()  # panels in which a drag moves something
    hover: ClassVar[bool] = False  # whether hovering previews what a press would choose
    tries: ClassVar[tuple[Try, ...]] = ()  # in a good order to try them
    rare: ClassVar[frozenset[str]] = frozenset()  # controls to be folded away
    saves_still: ClassVar[bool] = True  # whether a saved notebook shows its picture before its cell runs
    # Lines, arrows and dots, by panel, in which a kept state is drawn faint in the axes of the present one;
    # where there are none, the kept picture is shown whole below the present one.
    compares: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    plays: ClassVar[str | None] = None  # the slider that a play button moves on by itself
    needs_kernel: ClassVar[frozenset[str]] = frozenset()  # controls that mean nothing in a page without one
    not_in_links: ClassVar[frozenset[str]] = frozenset({"device"})  # controls that mean nothing elsewhere

    @abstractmethod
    def make_controls(self) -> dict[str, Control]:
        """Return the controls by parameter name; a choice of device is added to them."""

    @abstractmethod
    def compute(self, parameters: Parameters) -> Arrays:
        """Return the numbers to show as NumPy arrays, computed by torch on ``parameters["device"]``."""

    @abstractmethod
    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        """Return the picture of those numbers."""

    @abstractmethod
    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        """Return the line below the picture, which says its most telling numbers."""

    @abstractmethod
    def code(self, parameters: Parameters) -> str:
        """Return Python that draws the same picture without the explorer and runs unchanged."""

    def actions(self) -> Mapping[str, Action]:
        """Return the buttons beside the controls, by name. They need a kernel."""
        return {}

    def progress(self) -> Progress | None:
        """Return how far work in the background has come, None if there has been none."""
        return None

    def adjust(self) -> None:  # noqa: B027 - most explorers have nothing to adjust
        """Adjust controls whose range depends on other controls; called before every update."""

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        """Return the values, by control, chosen by the pointer at (x, y) of ``panel``, in units of its axes.

        ``kind`` is "press", "drag" or "hover"; values chosen by hovering are shown but not set.
        """
        return {}

    def takes(self, scene: Scene) -> dict[str, str]:
        """Return the panels of ``scene`` that answer to a press: "grab" if in ``grabs``, else "point"."""
        there = [panel.name for panel in scene.panels]
        grabs = [name for name in there if name in self.grabs]
        points = [name for name in there if name not in self.grabs and self.pointed(name, 0.0, 0.0, "hover")]
        return {**dict.fromkeys(points, "point"), **dict.fromkeys(grabs, "grab")}

    def compared(self, scene: Scene) -> dict[str, tuple[str, ...]]:
        """Return the layers, by panel of ``scene``, in which a kept state is drawn faint: ``compares``."""
        return {
            panel.name: self.compares[panel.name] for panel in scene.panels if panel.name in self.compares
        }
