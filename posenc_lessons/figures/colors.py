"""The colours of every picture, as data: lines and words by name, heatmaps by ramps."""

from functools import cache

import numpy as np

# The meanings of colours in plots. None is the colour of a door (figures/four_doors.py): doors' colours are
# for tabs, headings and cards. Readers with any kind of colour vision can tell these colours apart.
QUERY, KEY = "#3D5FE0", "#D67E00"
WRONG = "#C8102E"  # wrong, or never seen in training
RESULT = "#2FA656"  # the computed result: a score, a similarity
RESULT_DARK = (
    "#57D68A"  # on dark paper, where WRONG is lighter: green-blind readers tell the two by lightness
)
CHOSEN = "#DB4A9F"  # the reader's choice, set or pointed at

# Okabe and Ito's colours, for series to compare; readers with any kind of colour vision can tell them apart.
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, INK = "#E69F00", "#56B4E9", "#1A1A1A"
CYCLE = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)
MUTED, GRID, PAPER = "#5F6670", "#E3E6EA", "#FFFFFF"
RULE = "#C4C9D1"  # the lines of axes, and those of zero
PALE = "#C9CED6"  # the rims of dials
ECHO = "#A3ABB6"  # curves in the background of another
NIGHT = "#14171C"  # the paper of dark pages

# Ramps from nothing to much (attention weights) and from minus to plus (encodings, scores). Lightness shows
# the amount, so they also work in grey; red-green blind readers can tell the ends of the diverging ones
# apart. Zero is nearly, but not quite, the colour of the paper, so that a map shows its extent without a
# frame and cells of zero differ from empty ones. The ramps for dark paper grow lighter.
ZERO, ZERO_DARK = "#F1F4F7", "#20262E"
RAMPS: dict[str, tuple[str, ...]] = {
    "sequential": (ZERO, "#D6E8F5", "#93C6E8", "#3F93C9", "#0B5F9C", "#072F5F"),
    "diverging": (
        *("#053B66", "#0F6FAF", "#74B5DE", "#D3E7F4"),
        ZERO,
        *("#FBE0C8", "#F0A05A", "#CB5A0A", "#702C00"),
    ),
    "sequential_dark": (ZERO_DARK, "#143650", "#1B5A8A", "#3F8FC6", "#93C6E8", "#EAF4FB"),
    "ink": (PAPER, INK),
    "ink_dark": (NIGHT, "#EEF0F3"),
    "diverging_dark": (
        *("#D3E9F8", "#6FB1DE", "#1F6CA6", "#163A57"),
        ZERO_DARK,
        *("#4E2C0D", "#964D0D", "#DE8C40", "#FBE3CD"),
    ),
}
STEPS = 256  # colours of a ramp, as in Matplotlib

# Colours by number, for a heatmap that is a drawing; the same on any paper. Of n colours the k-th is number
# l·n + k in the l-th light, from dark to full.
LIGHTS = np.linspace(0.16, 1, 11)
PALETTES: dict[str, tuple[str, ...]] = {
    "sunset": (
        *("#33507F", "#56719F", "#8E96BC", "#CFA9B8", "#EFB79A", "#F7CE9C"),  # sky, from the top down
        *("#FFF0B8", "#7B7FA6", "#57648C", "#3A4A6C"),  # sun, mountains far and near, shore
        *("#C98F8C", "#7C83A8", "#4C6794", "#33507F"),  # water, from the horizon on
        *("#FCE0A6", "#FFFAF0", "#E4D5C8", "#9B3F36", "#232B3E"),  # glitter, two sails, hull, mast and birds
    ),
}


@cache
def ramp(name: str) -> np.ndarray:
    """Return the colours of a ramp from end to end: float64 [256, 3], 0 … 1."""
    stops = _channels(RAMPS[name])
    at = (STEPS - 1) * np.linspace(0, 1, len(stops))
    place = (STEPS - 1) * np.linspace(0, 1, STEPS)
    after = np.searchsorted(at, place)[1:-1]
    share = ((place[1:-1] - at[after - 1]) / (at[after] - at[after - 1]))[:, None]
    between = share * (stops[after] - stops[after - 1]) + stops[after - 1]
    return np.concatenate([stops[:1], between, stops[-1:]])


@cache
def color_table(name: str) -> np.ndarray:
    """Return the colours for ``Heatmap.indices``: uint8 [256, 4], row 0 transparent, then low … high."""
    if name in PALETTES:
        stops = (LIGHTS[:, None, None] * _channels(PALETTES[name])).reshape(-1, 3)
        chosen = stops[np.rint(np.linspace(0, len(stops) - 1, 255)).astype(int)]
    else:
        chosen = ramp(name)[np.minimum(np.linspace(0, 1, 255) * STEPS, STEPS - 1).astype(int)]
    opaque = np.concatenate([chosen * 255, np.full((255, 1), 255.0)], axis=1)
    return np.concatenate([np.zeros((1, 4), np.uint8), opaque.astype(np.uint8)])


def _channels(stops: tuple[str, ...]) -> np.ndarray:
    """Return red, green and blue of "#rrggbb" colours: float64 [n, 3], 0 … 1."""
    return np.array([[int(stop[at : at + 2], 16) / 255 for at in (1, 3, 5)] for stop in stops])
