"""Compute how far apart colours are for readers with any kind of colour vision."""

import numpy as np

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
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(color: str, sight: str) -> np.ndarray:
    """Return "#rrggbb" as seen with ``sight`` in CIE L*a*b* [3], in which a distance of 10 is easy to see."""
    rgb = np.array([int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(TO_XYZ @ np.clip(SIGHT[sight] @ linear, 0, 1) / (0.9505, 1.0, 1.089))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
