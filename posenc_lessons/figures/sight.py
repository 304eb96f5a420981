"""Compute colours as colour-blind readers see them, and as a grey printer prints them."""

from __future__ import annotations

import numpy as np

from posenc_lessons.language import Text

# From linear RGB to the seen colour, in three kinds of colour blindness (Machado, Oliveira, Fernandes 2009,
# "A Physiologically-based Model for Simulation of Color Vision Deficiency", severity 1).
SIGHT: dict[str, np.ndarray] = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
GREY = "grey"  # only luminance
NAMES: dict[str, Text] = {
    "usual": Text("常见色觉", "usual sight"),
    "protanopia": Text("红色盲", "protanopia"),
    "deuteranopia": Text("绿色盲", "deuteranopia"),
    "tritanopia": Text("蓝色盲", "tritanopia"),
    GREY: Text("灰度", "grey"),
}
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def seen_linear(color: str, sight: str) -> np.ndarray:
    """Return "#rrggbb" as seen with ``sight``, a name in ``NAMES``: linear RGB [3], 0 … 1."""
    rgb = np.array([int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    if sight == GREY:
        return np.full(3, _LUMINANCE @ linear)
    return np.asarray(np.clip(SIGHT[sight] @ linear, 0, 1))


def seen(color: str, sight: str) -> str:
    """Return ``color`` as seen with ``sight``, a name in ``NAMES``, as "#rrggbb" for usual eyes."""
    linear = seen_linear(color, sight)
    rgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * float(channel)):02X}" for channel in rgb)


def lab(color: str, sight: str) -> np.ndarray:
    """Return ``color`` as seen with ``sight`` in CIE L*a*b* [3], in which a distance of 10 is easy to see."""
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    ) / np.array([[0.9505], [1.0], [1.089]])
    x, y, z = np.cbrt(to_xyz @ seen_linear(color, sight))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
