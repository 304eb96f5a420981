"""Position encodings: plain functions, and modules around them. Needs torch alone."""

from posenc_lessons.encodings.doors import PositionEncoding
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.encodings.pairing import PAIRINGS, Pairing, convert_pairing
from posenc_lessons.encodings.rotary import (
    RotaryEncoding,
    apply_rotary,
    rotary_angles,
    rotary_frequencies,
    rotation_matrix,
)
from posenc_lessons.encodings.sinusoidal import SinusoidalEncoding, shift_matrix, sinusoidal_encoding
from posenc_lessons.encodings.turning import turn_pairs

__all__ = [
    "PAIRINGS",
    "LearnedEncoding",
    "Pairing",
    "PositionEncoding",
    "RotaryEncoding",
    "SinusoidalEncoding",
    "apply_rotary",
    "convert_pairing",
    "rotary_angles",
    "rotary_frequencies",
    "rotation_matrix",
    "shift_matrix",
    "sinusoidal_encoding",
    "turn_pairs",
]
