"""Scenes, the pictures of explorers as plain data: panels with layers.

``draw.py`` turns a ``Scene`` into a Matplotlib figure, ``canvas_data.py`` into the data that
``explorers/panel/paint.js`` paints in the browser, so still and live picture agree. Lengths and boxes are in
CSS pixels from the top left corner.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from posenc_lessons.figures.theme import LIGHT, Theme
from posenc_lessons.figures.ticks import Ticks, round_ticks
from posenc_lessons.language import Text

Align = Literal["center", "left", "right"]


@dataclass(frozen=True)
class Heatmap:
    """``values`` [rows, columns], row 0 on top, coloured from ``low`` to ``high``; NaN stays empty.

    A cell is one unit of the axes wide and its centre is its index, unless ``within`` gives the heatmap's
    edges (left, top, right, bottom in units of the axes). ``order`` [rows] identifies the items of the rows
    and columns, so that a live picture can slide them when only their places change.
    """

    name: str
    values: np.ndarray
    low: float
    high: float
    colors: str  # a name in colors.RAMPS
    order: tuple[int, ...] = ()
    within: tuple[float, float, float, float] | None = None

    def indices(self) -> np.ndarray:
        """Return the values as uint8 [rows, columns]: 1 … 255 from low to high, 0 for NaN."""
        scaled = np.asarray(self.values, dtype=np.float32) - np.float32(self.low)
        scaled *= np.float32(254 / (self.high - self.low))
        scaled += np.float32(1.5)
        np.clip(scaled, 1, 255, out=scaled)
        empty = np.isnan(scaled)
        if empty.any():
            scaled[empty] = 0
        return scaled.astype(np.uint8)


@dataclass(frozen=True)
class Line:
    """A polyline through ``x`` [n], ``y`` [n]; ``width`` in CSS pixels."""

    name: str
    x: np.ndarray
    y: np.ndarray
    color: str  # "#rrggbb"
    width: float = 1.6
    dashed: bool = False


@dataclass(frozen=True)
class Points:
    """Dots at ``x`` [n], ``y`` [n]; ``size`` is their diameter in CSS pixels."""

    name: str
    x: np.ndarray
    y: np.ndarray
    color: str  # "#rrggbb"
    size: float = 7.0


@dataclass(frozen=True)
class Arrows:
    """Straight arrows from ``start`` [n, 2] to ``end`` [n, 2]; ``width`` in CSS pixels."""

    name: str
    start: np.ndarray
    end: np.ndarray
    color: str  # "#rrggbb"
    width: float = 2.0


@dataclass(frozen=True)
class Labels:
    """A short text at each point ``x`` [n], ``y`` [n], centred or on the side that ``align`` says.

    ``size`` in CSS pixels.
    """

    name: str
    x: np.ndarray
    y: np.ndarray
    texts: tuple[str, ...]
    color: str  # "#rrggbb"
    size: float = 11.0
    align: Align = "center"


Layer = Heatmap | Line | Points | Arrows | Labels


@dataclass(frozen=True)
class Axis:
    """One axis: its label, the values at its two ends (left/bottom first) and its tick labels.

    Where ``ticks`` is None, round numbers are chosen; if ``whole`` is True, only whole ones.
    """

    label: Text
    start: float
    end: float
    ticks: Ticks | None = None
    whole: bool = False

    def shown_ticks(self) -> Ticks:
        """Return the ticks that both the still and the canvas show."""
        return round_ticks(self.start, self.end, self.whole) if self.ticks is None else self.ticks


@dataclass(frozen=True)
class ColorBar:
    """The key to a heatmap's colours, drawn to the right of its panel."""

    colors: str  # a name in colors.RAMPS
    low: float
    high: float

    def shown_ticks(self) -> Ticks:
        """Return the ticks that both the still and the canvas show."""
        return round_ticks(self.low, self.high, False)


@dataclass(frozen=True)
class End:
    """The name of a line, written right of the panel where the line ends, at ``y`` in units of the axis."""

    name: Text
    color: str  # "#rrggbb", of the line
    y: float


@dataclass(frozen=True)
class Panel:
    """A pair of axes in the box (left, top, width, height), layers painted in order."""

    name: str
    box: tuple[float, float, float, float]
    title: Text
    x: Axis
    y: Axis
    layers: tuple[Layer, ...]
    color_bar: ColorBar | None = None
    words: bool = False  # the ticks are words, which get more room; long ones below the panel are slanted
    legend: tuple[tuple[Text, str], ...] = ()  # names and colours, above the panel at the right
    ends: tuple[End, ...] = ()  # names of lines; where lines end close together, names keep apart
    hero: bool = False  # the main panel, which comes first if panels stand one below the other
    equal: bool = False  # a unit has the same length on both axes; one axis is extended to fill the box
    asked: tuple[str, ...] = ()  # the layers whose marks have a card that says where their number comes from

    @property
    def heading(self) -> Text:
        """Return the title as it is written above the panel: in English with a capital letter."""
        return Text(self.title.zh, self.title.en[:1].upper() + self.title.en[1:])


@dataclass(frozen=True)
class Scene:
    """A whole picture: its size in CSS pixels, its panels, and its description for those who cannot see it.

    Its colours are chosen for white paper; ``with_theme`` changes them to those of another theme.
    """

    width: int
    height: int
    panels: tuple[Panel, ...]
    alt: Text
    theme: Theme = LIGHT
    beside: tuple[str, ...] = ()  # panels that stand side by side where others stand only the main one
