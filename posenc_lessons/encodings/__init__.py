"""Position encodings: plain functions, and modules around them. Needs only torch."""

from posenc_lessons.encodings.alibi import ALiBi, alibi_bias, alibi_slopes
from posenc_lessons.encodings.axial import AXIAL_LAYOUTS, AxialLayout, AxialRotary, axial_frequencies
from posenc_lessons.encodings.context_extension import ContextExtension, ExtensionMethod, scaled_frequencies
from posenc_lessons.encodings.cope import CoPE, cope_bias, cope_positions
from posenc_lessons.encodings.distances import relative_distances
from posenc_lessons.encodings.doors import PositionEncoding, Role, ScoreMod
from posenc_lessons.encodings.forget_gate import ForgetGate
from posenc_lessons.encodings.grid_bias import ContinuousGridBias, RelativeGridBias
from posenc_lessons.encodings.grid_learned import GridLearned
from posenc_lessons.encodings.grid_query_bias import DecomposedGridBias
from posenc_lessons.encodings.grid_sinusoidal import GridSinusoidal, grid_sinusoidal_encoding
from posenc_lessons.encodings.grids import Interpolation, grid_positions, interpolate_table, patch_centres
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.encodings.mixed_rotary import MixedRotary, mixed_frequencies
from posenc_lessons.encodings.multimodal import Resume, multimodal_positions
from posenc_lessons.encodings.pairing import PAIRINGS, Pairing, convert_pairing, rotary_frequencies
from posenc_lessons.encodings.relative import ShawRelative, relative_scores, relative_values
from posenc_lessons.encodings.rotary import RotaryEncoding, apply_rotary, rotary_angles, rotation_matrix
from posenc_lessons.encodings.rotary_axes import (
    Layout,
    MultiAxisRotary,
    angles_on_axes,
    sectioned_frequencies,
)
from posenc_lessons.encodings.rotating import turn_pairs
from posenc_lessons.encodings.sinusoidal import SinusoidalEncoding, shift_matrix, sinusoidal_encoding
from posenc_lessons.encodings.t5 import T5RelativeBias, t5_buckets
from posenc_lessons.encodings.temperature import (
    LogTemperature,
    PowerTemperature,
    QueryTemperature,
    ScalableSoftmax,
    ScaledQueries,
)
from posenc_lessons.encodings.together import Together
from posenc_lessons.encodings.xpos import XPos

__all__ = [
    "AXIAL_LAYOUTS",
    "PAIRINGS",
    "ALiBi",
    "AxialLayout",
    "AxialRotary",
    "CoPE",
    "ContextExtension",
    "ContinuousGridBias",
    "DecomposedGridBias",
    "ExtensionMethod",
    "ForgetGate",
    "GridLearned",
    "GridSinusoidal",
    "Interpolation",
    "Layout",
    "LearnedEncoding",
    "LogTemperature",
    "MixedRotary",
    "MultiAxisRotary",
    "Pairing",
    "PositionEncoding",
    "PowerTemperature",
    "QueryTemperature",
    "RelativeGridBias",
    "Resume",
    "Role",
    "RotaryEncoding",
    "ScalableSoftmax",
    "ScaledQueries",
    "ScoreMod",
    "ShawRelative",
    "SinusoidalEncoding",
    "T5RelativeBias",
    "Together",
    "XPos",
    "alibi_bias",
    "alibi_slopes",
    "angles_on_axes",
    "apply_rotary",
    "axial_frequencies",
    "convert_pairing",
    "cope_bias",
    "cope_positions",
    "grid_positions",
    "grid_sinusoidal_encoding",
    "interpolate_table",
    "mixed_frequencies",
    "multimodal_positions",
    "patch_centres",
    "relative_distances",
    "relative_scores",
    "relative_values",
    "rotary_angles",
    "rotary_frequencies",
    "rotation_matrix",
    "scaled_frequencies",
    "sectioned_frequencies",
    "shift_matrix",
    "sinusoidal_encoding",
    "t5_buckets",
    "turn_pairs",
]
