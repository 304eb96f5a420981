"""The themes of live pictures: white paper, a dark page, a projector that is seen from far away."""

import colorsys
from dataclasses import dataclass, replace
from functools import lru_cache

from posenc_lessons.figures.colors import INK, MUTED, NIGHT, PAPER, RAMPS, RESULT, RESULT_DARK, RULE

PALE = 2.0  # a colour with less contrast with white paper counts as background
WORDS = 4.6  # least contrast of coloured words; WCAG 2.2 asks for 4.5
GREY = 0.25  # a colour with less saturation counts as grey


@dataclass(frozen=True)
class Theme:
    """The colours of paper, words and axes, and the scales of type and lines.

    ``ink`` is for titles and words, ``quiet`` for numbers along axes and their names, ``rule`` for the lines
    of axes and of zero.

    ``least`` is the least contrast of colours with dark paper (WCAG 2.2: 1 … 21), except for pale ones.
    Heatmaps begin near the colour of the paper, so on dark paper they become lighter.
    """

    name: str
    paper: str  # "#rrggbb", as all colours
    ink: str
    rule: str
    quiet: str
    least: float = 1.0
    type_scale: float = 1.0
    enlarged: float = 1.0  # scale of the whole picture, if the page has room
    instead: tuple[tuple[str, str], ...] = ()  # (a colour, the colour that replaces it on this paper)
    alone: tuple[float, float] | None = None  # a scene has only its main panel, about so large (CSS pixels)

    def shown(self, color: str) -> str:
        """Return the colour that replaces ``color``, which was chosen for white paper.

        On dark paper, greys and pale colours keep their contrast. Other colours, which have a meaning, stay
        the same if they have enough contrast.
        """
        return dict(self.instead).get(color) or _shown(color, self.paper, self.least)

    def legible(self, color: str) -> str:
        """Return ``color``, chosen for white paper, for words: darker or lighter until they are legible."""
        return _legible(self.shown(color), self.paper)

    def ramp(self, colors: str) -> str:
        """Return the name in ``colors.RAMPS`` of the ramp that replaces ``colors`` of white paper."""
        dark = f"{colors}_dark"
        return dark if self.paper == NIGHT and dark in RAMPS else colors


@lru_cache(maxsize=512)
def _shown(color: str, paper: str, least: float) -> str:
    if paper == PAPER or color == PAPER:
        return color if paper == PAPER else paper
    meant = contrast(color, PAPER)
    hue, _, saturation = colorsys.rgb_to_hls(*_channels(color))
    if meant < PALE:
        return _with_contrast(hue, saturation, meant, paper)
    if saturation < GREY:
        return _with_contrast(hue, saturation, max(meant, least), paper)
    return color if contrast(color, paper) >= least else _with_contrast(hue, saturation, least, paper)


@lru_cache(maxsize=512)
def _legible(color: str, paper: str) -> str:
    hue, lightness, saturation = colorsys.rgb_to_hls(*_channels(color))
    end = 0.0 if luminance(paper) > 0.18 else 1.0
    for step in range(101):
        seen = _hex(colorsys.hls_to_rgb(hue, lightness + (end - lightness) * step / 100, saturation))
        if contrast(seen, paper) >= WORDS:
            break
    return seen


def _with_contrast(hue: float, saturation: float, wanted: float, paper: str) -> str:
    """Return the colour of that hue whose contrast with dark ``paper`` is nearest to ``wanted``."""
    enough = wanted * (luminance(paper) + 0.05) - 0.05
    low, high = 0.0, 1.0  # of the lightness
    for _ in range(12):  # to less than a step of eight bits
        middle = (low + high) / 2
        bright = luminance(_hex(colorsys.hls_to_rgb(hue, middle, saturation))) >= enough
        low, high = (low, middle) if bright else (middle, high)
    return _hex(colorsys.hls_to_rgb(hue, high, saturation))


def contrast(color: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((luminance(color), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: str) -> float:
    """Return the relative luminance of "#rrggbb", from 0 to 1 (WCAG 2.2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _channels(color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _channels(color: str) -> tuple[float, float, float]:
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _hex(channels: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * channel):02X}" for channel in channels)


LIGHT = Theme("light", PAPER, INK, RULE, MUTED)
DARK = Theme("dark", NIGHT, "#EEF0F3", "#4D5662", "#A9B1BD", least=4.5, instead=((RESULT, RESULT_DARK),))
PROJECTOR = Theme("projector", PAPER, "#000000", "#B4BAC2", "#333A45", type_scale=1.3, enlarged=1.3)
# For slides, which are seen from further away; a slide enlarges the picture as far as it has room.
SLIDE = replace(PROJECTOR, name="slide", type_scale=2.0, enlarged=8.0, alone=(840, 545))
# Those that a reader can choose.
THEMES = {theme.name: theme for theme in (LIGHT, DARK, PROJECTOR)}
