"""Test the words of the picture of stretched wavelengths."""

from __future__ import annotations

import numpy as np

from posenc_lessons.encodings import rotary_frequencies
from posenc_lessons.figures.extension import stretched_wavelengths_figure
from posenc_lessons.language import Text

THETA = rotary_frequencies(16).numpy()


def test_the_words_of_the_wavelengths_count_full_turns() -> None:
    wavelengths = 2 * np.pi / THETA
    picture = stretched_wavelengths_figure(wavelengths, {Text("插值", "interpolation"): 4 * wavelengths}, 32)
    assert "Of 8 pairs 2 come full circle within the trained length 32" in picture.alt.en
    assert "8 对里有 2 对在训练的长度 32 之内转完一圈" in picture.alt.zh
