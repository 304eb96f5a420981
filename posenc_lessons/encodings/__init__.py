"""Position encodings: plain functions, and modules around them. Needs torch alone."""

from posenc_lessons.encodings.doors import PositionEncoding
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.encodings.sinusoidal import SinusoidalEncoding, shift_matrix, sinusoidal_encoding

__all__ = [
    "LearnedEncoding",
    "PositionEncoding",
    "SinusoidalEncoding",
    "shift_matrix",
    "sinusoidal_encoding",
]
