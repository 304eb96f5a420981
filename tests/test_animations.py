"""The moving pictures in images/, and where the READMEs show them. ``make images`` makes them again."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from posenc_lessons.explorers import EXPLORERS
from tests.browser.animations import ANIMATIONS, LANGUAGES, as_loop, frames_of, show_the_same
from tests.support.duties import assert_complete

ROOT = Path(__file__).resolve().parents[1]
READMES = {"en": "README.md", "zh": "README.zh.md"}
NAMES = [kind.name for kind in EXPLORERS]
# <picture> with a still for readers who prefer less motion, the moving picture, and the alternative text.
SHOWN = re.compile(
    r"<picture>\n"
    r' +<source media="\(prefers-reduced-motion: reduce\)" srcset="(?P<still>\S+)">\n'
    r' +<img src="(?P<moving>\S+)" alt="(?P<alt>[^"]+)">\n'
    r"</picture>"
)


def readme(language: str) -> str:
    return (ROOT / READMES[language]).read_text(encoding="utf-8")


def test_every_explorer_has_an_animation() -> None:
    assert_complete(
        NAMES,
        ANIMATIONS,
        "ANIMATIONS (tests/browser/animations.py) has no entry for the explorer {}",
        "ANIMATIONS (tests/browser/animations.py) has an entry {}, which is no explorer",
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_an_animation_is_small_and_endless_and_contains_the_still(name: str, language: str) -> None:
    moving, still = (ROOT / "images" / f"{name}.{language}{suffix}" for suffix in (".webp", ".still.webp"))
    lacking = [path.name for path in (moving, still) if not path.is_file()]
    assert not lacking, f"images/ lacks {', '.join(lacking)}: run `make images`"
    assert moving.stat().st_size < 400_000 and still.stat().st_size < 60_000
    with Image.open(moving) as image:
        assert image.format == "WEBP" and image.info["loop"] == 0
    frames = frames_of(moving.read_bytes())
    assert len(frames) >= 8 and 2000 <= sum(shown for _, shown in frames) <= 6000
    with Image.open(still) as image:
        telling = np.asarray(image.convert("RGB"))
    assert any(np.array_equal(telling, pixels) for pixels, _ in frames)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_readme_shows_every_explorer_moving_or_still_with_a_description(language: str) -> None:
    found = [found.groupdict() for found in SHOWN.finditer(readme(language))]
    assert_complete(
        [f"images/{name}.{language}.webp" for name in NAMES],
        [shown["moving"] for shown in found],
        f"{READMES[language]} does not show {{}}",
        f"{READMES[language]} shows {{}}, which is no explorer's",
    )
    assert all(shown["still"] == shown["moving"].replace(".webp", ".still.webp") for shown in found)
    assert all(len(shown["alt"].encode()) > 60 for shown in found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_of_a_readme_exist_and_are_small_together(language: str) -> None:
    text = readme(language)
    named = {ROOT / path for path in re.findall(r'(?:\]\(|src="|srcset=")(images/[^")]+\.\w+)', text)}
    assert text.count("<picture") == len(SHOWN.findall(text)) and all(path.is_file() for path in named)
    assert sum(path.stat().st_size for path in named if path.suffix == ".webp") < 3_000_000


def test_an_animation_is_written_again_only_after_a_change() -> None:
    plain = np.full((32, 64, 3), 200, dtype=np.uint8)
    dotted = plain.copy()
    dotted[::2, ::3] -= 20  # like letters and lines with other smoothing
    moved = plain.copy()
    moved[8:24, 8:24] = 90

    def taken(*frames: np.ndarray, shown: int = 100) -> bytes:
        return as_loop([Image.fromarray(frame) for frame in frames], [shown] * len(frames))

    before = taken(plain, moved)
    assert show_the_same(before, taken(dotted, moved))
    for other in (taken(moved, plain), taken(plain, moved, plain), taken(plain, moved, shown=200)):
        assert not show_the_same(before, other)
