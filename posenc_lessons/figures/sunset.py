"""A small picture to cut into patches, drawn here: a sailing boat on a lake at sunset."""

from functools import cache

import numpy as np

from posenc_lessons.figures.colors import LIGHTS, PALETTES

PIXELS = 192  # along a side
COLORS = "sunset"  # the name of its palette
N_COLORS = len(PALETTES[COLORS])
LAST = len(LIGHTS) * N_COLORS - 1  # the largest number of a colour

SUN, FAR, NEAR, SHORE = 6, 7, 8, 9
WATER, GLITTER, SAIL, SHADE, HULL, DARK = (10, 11, 12, 13), 14, 15, 16, 17, 18
HORIZON = 0.62  # like all lengths below, a share of the picture's side
SUN_AT, SUN_RADIUS = (0.70, 0.45), 0.105


@cache
def sunset() -> np.ndarray:
    """Return the picture: numbers of the palette's colours, uint8 [PIXELS, PIXELS], row 0 on top."""
    y, x = (np.mgrid[:PIXELS, :PIXELS] + 0.5) / PIXELS
    drawn = _sky_and_water(x, y)
    for color, height in ((FAR, _far), (NEAR, _near), (SHORE, _shore)):
        drawn[(y < HORIZON) & (y > HORIZON - height(x))] = color
    for at, high, wing in ((0.52, 0.13, 0.05), (0.62, 0.185, 0.04), (0.46, 0.21, 0.032)):
        _bird(drawn, x, y, at, high, wing)
    _boat(drawn, x, y)
    return drawn.astype(np.uint8)


def lit(shares: np.ndarray) -> np.ndarray:
    """Return the picture, each patch lit by its share in ``shares`` [side, side], 0 to 1; dark for NaN."""
    patch = np.arange(PIXELS) * len(shares) // PIXELS
    light = np.rint(np.nan_to_num(shares) * (len(LIGHTS) - 1)).astype(np.uint8)
    return sunset() + np.uint8(N_COLORS) * light[np.ix_(patch, patch)]


def _sky_and_water(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    sky = np.clip((y / HORIZON) ** 1.15 * 6, 0, 5.99).astype(int)
    depth = np.maximum(y - HORIZON, 0) / (1 - HORIZON)
    water = np.take(WATER, np.clip(depth**0.7 * 4, 0, 3.99).astype(int))
    drawn = np.where(y < HORIZON, sky, water)
    drawn[np.hypot(x - SUN_AT[0], y - SUN_AT[1]) < SUN_RADIUS] = SUN
    # The sun's path on the water: stripes that become wider and rarer towards the viewer.
    waves = np.sin(2 * np.pi * 7.5 * depth**0.6) > 0.1
    sway = 0.012 * np.sin(34 * y)
    wide = 0.025 + 0.085 * depth
    drawn[(y > HORIZON) & waves & (np.abs(x - SUN_AT[0] - sway) < wide)] = GLITTER
    return drawn


def _far(x: np.ndarray) -> np.ndarray:
    peaks = ((0.10, 0.25, 0.8), (0.36, 0.17, 0.75), (0.93, 0.22, 0.7))
    return np.max([height - slope * np.abs(x - at) for at, height, slope in peaks], axis=0)


def _near(x: np.ndarray) -> np.ndarray:
    peaks = ((-0.02, 0.17, 0.55), (0.24, 0.10, 0.4), (1.04, 0.16, 0.55))
    return np.max([height - slope * np.abs(x - at) for at, height, slope in peaks], axis=0)


def _shore(x: np.ndarray) -> np.ndarray:
    return 0.022 + 0.010 * np.sin(21 * x) + 0.006 * np.sin(47 * x + 1)


def _bird(drawn: np.ndarray, x: np.ndarray, y: np.ndarray, at: float, high: float, wing: float) -> None:
    """Draw two wings, an arch each, that reach ``wing`` to either side."""
    away = np.abs(x - at)
    arch = high + 1.9 * (away - 0.55 * wing) ** 2 / wing - 0.5 * wing
    drawn[(away < wing) & (np.abs(y - arch) < 0.007)] = DARK


def _boat(drawn: np.ndarray, x: np.ndarray, y: np.ndarray) -> None:
    """Draw mast, sails and hull, and their reflection broken by waves."""
    for color, shape in _parts_of_boat(x, y):
        drawn[shape] = color
    mirrored = 2 * 0.775 - y  # in the water line
    broken = (np.sin(2 * np.pi * y * 34) > -0.35) & (y > 0.783)
    sway = x + 0.006 * np.sin(70 * y)
    for color, shape in _parts_of_boat(sway, 0.775 - (0.775 - mirrored) * 1.9):
        drawn[shape & broken & (y < 0.965)] = HULL if color == HULL else SHADE


def _parts_of_boat(x: np.ndarray, y: np.ndarray) -> tuple[tuple[int, np.ndarray], ...]:
    """Return the number of its colour and the pixels of each part."""
    mast, foot, top = 0.335, 0.715, 0.27
    share = np.clip((foot - y) / (foot - top), 0, 1)  # of the height, 0 at the foot of the sails
    up = (y > top) & (y < foot)
    main = up & (x > mast + 0.008) & (x < mast + 0.008 + 0.165 * (1 - share) * (1 + 0.35 * share))
    jib = (y > top + 0.05) & (y < foot) & (x < mast - 0.008)
    jib &= x > mast - 0.008 - 0.125 * np.clip((y - top - 0.05) / (foot - top - 0.05), 0, 1) ** 1.25
    deep = np.clip((y - 0.727) / 0.048, 0, 1)  # 0 at the deck, 1 at the water line
    hull = (deep > 0) & (deep < 1) & (x > 0.185 + 0.07 * deep**1.6) & (x < 0.535 - 0.05 * deep**1.4)
    pole = (np.abs(x - mast) < 0.0055) & (y > top - 0.02) & (y < 0.735)
    return (SAIL, main), (SHADE, jib), (HULL, hull), (DARK, pole)
