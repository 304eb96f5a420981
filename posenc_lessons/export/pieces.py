"""Find where a phone may break a picture into rows: in a gap between two panels."""

from __future__ import annotations

import base64
import io
from itertools import pairwise

import numpy as np
from PIL import Image

ROW = 388  # CSS pixels: a row of this width keeps letters of 12 px at 11 px on a phone of 390 px
GAP = 8  # the narrowest gap between two panels
LEAST = 120  # the narrowest row


def cuts(png: str, width: int | None) -> list[int]:
    """Return the places to break a picture (base64, ``width`` CSS pixels), in pixels from its left edge.

    A gap is a band that has the colour of the paper from top to bottom. Each row is as long as fits; a
    picture of unknown width has none.
    """
    if not width:
        return []
    with Image.open(io.BytesIO(base64.b64decode(png))) as image:
        pixels = np.asarray(image.convert("RGB"))  # [height, columns, 3]
    blank = (pixels == pixels[0, 0]).all(axis=(0, 2))  # [columns]
    edges = np.flatnonzero(np.diff(blank, prepend=False, append=False)).reshape(-1, 2)  # [gaps, 2]
    scale = width / len(blank)
    wide = edges[(edges[:, 1] - edges[:, 0]) * scale >= GAP]
    middles = [*(wide.mean(axis=1) * scale).round().astype(int).tolist(), width]
    places, start = list[int](), 0
    for middle, following in pairwise(middles):
        if following - start > ROW and middle - start >= LEAST and width - middle >= LEAST:
            places.append(middle)
            start = middle
    return places
