"""The moving picture of the READMEs. ``make images`` makes it again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

IMAGES = Path(__file__).resolve().parents[1] / "images"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_film_is_small_endless_and_contains_its_still(language: str) -> None:
    moving, still = (IMAGES / f"rotation.{language}{suffix}" for suffix in (".webp", ".still.webp"))
    assert moving.stat().st_size < 400_000 and still.stat().st_size < 60_000
    with Image.open(moving) as image:
        assert image.format == "WEBP" and image.info["loop"] == 0
        frames = [
            (np.asarray(frame.convert("RGB")), frame.info["duration"])
            for frame in ImageSequence.Iterator(image)
        ]
    assert len(frames) >= 8 and 2000 <= sum(milliseconds for _, milliseconds in frames) <= 6000
    with Image.open(still) as image:
        chosen = np.asarray(image.convert("RGB"))
    assert any(np.array_equal(chosen, pixels) for pixels, _ in frames)
