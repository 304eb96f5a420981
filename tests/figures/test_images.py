"""The committed pictures in images/ equal those that the code draws."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from posenc_lessons.figures.images import FOLDER, IMAGES, SUFFIXES, write_images

FILES = [f"{name}{suffix}" for name in IMAGES for suffix in SUFFIXES.values()]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("images") / "new"
    assert sorted(path.name for path in write_images(folder)) == sorted(FILES)
    return folder


@pytest.mark.parametrize("file", FILES)
def test_a_committed_picture_is_up_to_date(file: str, drawn: Path) -> None:
    """Another version of Matplotlib may move letters by a pixel, which changes a block by 12 at most."""
    committed, again = (_blocks(folder / file) for folder in (FOLDER, drawn))
    assert (FOLDER / file).stat().st_size < 60_000
    assert committed.shape == again.shape and np.abs(committed - again).max() < 18, "run `make images`"


def _blocks(path: Path) -> np.ndarray:
    """Return the mean colours of blocks of 32 × 32 pixels, about a word each."""
    image = Image.open(path).convert("RGB")
    size = (image.width // 32, image.height // 32)
    return np.asarray(image.resize(size, Image.Resampling.BOX), dtype=int)
