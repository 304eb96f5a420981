"""The dials of lesson 08 say in words which pairs meet angles never seen, and they say it rightly."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.patches import Polygon

from posenc_lessons.encodings import rotary_frequencies, scaled_frequencies
from posenc_lessons.figures.extension import Dials, seen_angles_figure, stretched_wavelengths_figure
from posenc_lessons.figures.style import Picture
from posenc_lessons.language import Text

THETA = rotary_frequencies(16).numpy()
TRAINED = Dials(Text("训练", "trained"), THETA, 32)


def dials(way: str, length: int = 128) -> Dials:
    used = THETA if way == "none" else scaled_frequencies(16, 10000.0, way, 4, 32)[0].numpy()  # type: ignore[arg-type]
    return Dials(Text("现在", "now"), used, length)


def new_pairs(now: Dials) -> int:
    """How many pairs reach, at some distance in steps of a hundredth, an angle not reached in training."""
    found = 0
    for pair in range(8):
        before = TRAINED.length * THETA[pair]
        angles = np.arange(0, now.length, 0.01) * now.frequencies[pair]
        found += bool(before < 2 * np.pi and (angles % (2 * np.pi) > before + 1e-6).any())
    return found


@pytest.mark.parametrize(("way", "expected"), [("none", 6), ("linear", 0), ("ntk", 5), ("yarn", 0)])
def test_the_words_count_the_pairs_that_meet_new_angles(way: str, expected: int) -> None:
    now = dials(way)
    assert new_pairs(now) == expected
    picture = seen_angles_figure(TRAINED, [now], range(8))
    assert picture.alt.en.endswith(f"now: {expected} meet angles never seen.")
    assert picture.alt.zh.endswith(f"现在：{expected} 对遇到没见过的角度。")
    assert orange(picture) == expected


def orange(picture: Picture) -> int:
    """Sectors in the colour of what is new."""
    patches = (patch for axes in picture.axes for patch in axes.patches if isinstance(patch, Polygon))
    return sum(patch.get_alpha() == 0.75 for patch in patches)


def test_no_longer_than_trained_nothing_is_new() -> None:
    assert orange(seen_angles_figure(TRAINED, [dials("none", 32)], range(8))) == 0


def test_the_words_of_the_wavelengths_count_full_turns() -> None:
    wavelengths = 2 * np.pi / THETA
    picture = stretched_wavelengths_figure(wavelengths, {Text("插值", "interpolation"): 4 * wavelengths}, 32)
    assert "Of 8 pairs 2 come full circle within the trained length 32" in picture.alt.en
    assert "8 对里有 2 对在训练的长度 32 之内转完一圈" in picture.alt.zh
