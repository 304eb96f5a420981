"""Position encodings: plain functions, and modules around them. Needs only torch."""

from posenc_lessons.encodings.alibi import ALiBi, alibi_bias, alibi_slopes
from posenc_lessons.encodings.axial import AxialRotary, axial_frequencies
from posenc_lessons.encodings.context_extension import ContextExtension, ExtensionMethod, scaled_frequencies
from posenc_lessons.encodings.cope import CoPE, cope_bias, cope_positions
from posenc_lessons.encodings.distances import relative_distances
from posenc_lessons.encodings.doors import PositionEncoding, Role
from posenc_lessons.encodings.grid_sinusoidal import GridSinusoidal
from posenc_lessons.encodings.grids import grid_positions, interpolate_table
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.encodings.mixed_rotary import MixedRotary, mixed_frequencies
from posenc_lessons.encodings.multimodal import multimodal_positions
from posenc_lessons.encodings.pairing import PAIRINGS, Pairing, convert_pairing, rotary_frequencies
from posenc_lessons.encodings.relative import ShawRelative, relative_scores, relative_values
from posenc_lessons.encodings.rotary import RotaryEncoding, apply_rotary, rotary_angles, rotation_matrix
from posenc_lessons.encodings.rotary_axes import MultiAxisRotary
from posenc_lessons.encodings.rotating import turn_pairs
from posenc_lessons.encodings.sinusoidal import SinusoidalEncoding, shift_matrix, sinusoidal_encoding
from posenc_lessons.encodings.t5 import T5RelativeBias, t5_buckets
from posenc_lessons.encodings.temperature import (
    LogTemperature,
    PowerTemperature,
    QueryTemperature,
    ScaledQueries,
)
from posenc_lessons.encodings.together import Together

__all__ = [
    "PAIRINGS",
    "ALiBi",
    "AxialRotary",
    "CoPE",
    "ContextExtension",
    "ExtensionMethod",
    "GridSinusoidal",
    "LearnedEncoding",
    "LogTemperature",
    "MixedRotary",
    "MultiAxisRotary",
    "Pairing",
    "PositionEncoding",
    "PowerTemperature",
    "QueryTemperature",
    "Role",
    "RotaryEncoding",
    "ScaledQueries",
    "ShawRelative",
    "SinusoidalEncoding",
    "T5RelativeBias",
    "Together",
    "alibi_bias",
    "alibi_slopes",
    "apply_rotary",
    "axial_frequencies",
    "convert_pairing",
    "cope_bias",
    "cope_positions",
    "grid_positions",
    "interpolate_table",
    "mixed_frequencies",
    "multimodal_positions",
    "relative_distances",
    "relative_scores",
    "relative_values",
    "rotary_angles",
    "rotary_frequencies",
    "rotation_matrix",
    "scaled_frequencies",
    "shift_matrix",
    "sinusoidal_encoding",
    "t5_buckets",
    "turn_pairs",
]
