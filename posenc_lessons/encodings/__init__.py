"""Position encodings: plain functions, and modules around them. Needs torch alone."""

from typing import TYPE_CHECKING, Any

from posenc_lessons.encodings.alibi import ALiBi, alibi_slopes
from posenc_lessons.encodings.context_extension import ContextExtension, ExtensionMethod, scaled_frequencies
from posenc_lessons.encodings.cope import CoPE, cope_bias, cope_positions
from posenc_lessons.encodings.distances import relative_distances
from posenc_lessons.encodings.doors import PositionEncoding, Role, ScoreMod
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.encodings.pairing import PAIRINGS, Pairing, convert_pairing, rotary_frequencies
from posenc_lessons.encodings.relative import ShawRelative, relative_scores, relative_values
from posenc_lessons.encodings.rotary import RotaryEncoding, apply_rotary, rotary_angles, rotation_matrix
from posenc_lessons.encodings.sinusoidal import SinusoidalEncoding, shift_matrix, sinusoidal_encoding
from posenc_lessons.encodings.t5 import T5RelativeBias, t5_buckets
from posenc_lessons.encodings.temperature import QueryTemperature
from posenc_lessons.encodings.together import Together
from posenc_lessons.encodings.turning import turn_pairs

if TYPE_CHECKING:
    from posenc_lessons.encodings.config import describe_config, encoding_from_config

__all__ = [
    "PAIRINGS",
    "ALiBi",
    "CoPE",
    "ContextExtension",
    "ExtensionMethod",
    "LearnedEncoding",
    "Pairing",
    "PositionEncoding",
    "QueryTemperature",
    "Role",
    "RotaryEncoding",
    "ScoreMod",
    "ShawRelative",
    "SinusoidalEncoding",
    "T5RelativeBias",
    "Together",
    "alibi_slopes",
    "apply_rotary",
    "convert_pairing",
    "cope_bias",
    "cope_positions",
    "describe_config",
    "encoding_from_config",
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


def __getattr__(name: str) -> Any:
    """What reads configurations is loaded when it is asked for: a page without a kernel never does."""
    if name in ("describe_config", "encoding_from_config"):
        from posenc_lessons.encodings import config

        return getattr(config, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
