"""The moving pictures in images/, and the page that shows them. ``make images`` makes them again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

from tests.browser.animations import ANIMATIONS, LANGUAGES

IMAGES = Path(__file__).resolve().parents[1] / "images"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ANIMATIONS)
def test_an_explorer_has_a_small_endless_film_that_contains_its_still(name: str, language: str) -> None:
    moving, still = (IMAGES / f"{name}.{language}{suffix}" for suffix in (".webp", ".still.webp"))
    page = (IMAGES / "README.md").read_text(encoding="utf-8")
    assert f'src="{moving.name}"' in page and f'srcset="{still.name}"' in page
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
