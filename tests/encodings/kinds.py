"""Every encoding of the package, each setting that takes another path a row: the family of most tests.

A new encoding gets a row in ``KINDS``; its least sizes and its default numbers go to ``LEAST`` and
``DEFAULTS``. The rest of its tests, and what it refuses, are in a file of its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from posenc_lessons.encodings import (
    ALiBi,
    AxialRotary,
    ContextExtension,
    CoPE,
    GridSinusoidal,
    LearnedEncoding,
    LogTemperature,
    MixedRotary,
    MultiAxisRotary,
    PositionEncoding,
    PowerTemperature,
    QueryTemperature,
    RotaryEncoding,
    ShawRelative,
    SinusoidalEncoding,
    T5RelativeBias,
    Together,
)

H, D = 3, 8  # heads, and features of a head


@dataclass(frozen=True)
class Kind:
    """An encoding for H heads of D features, and what is true of it.

    ``saved``: the shapes of what is saved. ``bounded``: there is nothing for distant tokens (positions up to
    40, grids of 20 × 40, differences up to 19). ``whole``: it takes only whole positions. ``relative``: only
    differences of positions matter.
    """

    make: Callable[[], PositionEncoding]
    doors: tuple[int, ...]
    saved: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    bounded: bool = False
    whole: bool = False
    relative: bool = True


TABLE = {"table": (40, H * D)}
BOTH = {"key_table": (7, D), "value_table": (7, D)}
YARN, NTK = ContextExtension("yarn", 4, 16), ContextExtension("ntk", 4, 16)
TABLES = {"bounded": True, "whole": True}
PLACES = {**TABLES, "relative": False}
KINDS: dict[str, Kind] = {
    "none": Kind(PositionEncoding, ()),
    "sinusoidal": Kind(lambda: SinusoidalEncoding(H * D, 40), (1,), relative=False),
    "sinusoidal, halves from 2 on": Kind(
        lambda: SinusoidalEncoding(H * D, 40, order="halves", first=2), (1,), relative=False
    ),
    "learned": Kind(lambda: LearnedEncoding(H * D, 40), (1,), TABLE, **PLACES),
    "Shaw": Kind(lambda: ShawRelative(D, 3), (3, 4), BOTH, whole=True),
    "Shaw, keys only": Kind(
        lambda: ShawRelative(D, 3, values=False), (3,), {"key_table": (7, D)}, whole=True
    ),
    "T5": Kind(lambda: T5RelativeBias(H, 8, 20), (3,), {"table": (8, H)}, whole=True),
    "T5, one way": Kind(lambda: T5RelativeBias(H, 8, 20, False), (3,), {"table": (8, H)}, whole=True),
    "ALiBi": Kind(lambda: ALiBi(H), (3,)),
    "ALiBi, signed": Kind(lambda: ALiBi(H, signed=True), (3,)),
    "RoPE": Kind(lambda: RotaryEncoding(D), (2,)),
    "RoPE, half-split, in part, YaRN": Kind(lambda: RotaryEncoding(D, 500.0, "half_split", 6, YARN), (2,)),
    "RoPE, two pairs of it": Kind(lambda: RotaryEncoding(D, turning_pairs=2), (2,)),
    "temperature": Kind(lambda: QueryTemperature(0.5, 3), (2,), relative=False),
    "temperature from 0": Kind(lambda: QueryTemperature(0.5, 3, plus=0), (2,), relative=False),
    "temperature, a power": Kind(lambda: PowerTemperature(0.5, 3), (2,), relative=False),
    "temperature, a logarithm": Kind(lambda: LogTemperature(0.5, 3), (2,), relative=False),
    "CoPE": Kind(lambda: CoPE(D, 6), (3,), {"table": (6, D)}),
    "CoPE, as released": Kind(
        lambda: CoPE(D, 6, divide_gates=False, divide_table=True), (3,), {"table": (6, D)}
    ),
    "axial": Kind(lambda: AxialRotary(D), (2,)),
    "axial, half-split, in part": Kind(lambda: AxialRotary(D, 10.0, "half_split", (2, 4)), (2,)),
    "mixed": Kind(lambda: MixedRotary(D), (2,), {"frequencies": (2, 4)}),
    "mixed, a set for each head": Kind(
        lambda: MixedRotary(D, H, pairing="half_split"), (2,), {"frequencies": (H, 2, 4)}
    ),
    "sections": Kind(lambda: MultiAxisRotary(D, (2, 1, 1), "interleaved"), (2,)),
    "sections, in part, NTK": Kind(lambda: MultiAxisRotary(D, (1, 1, 1), rotary_dim=6, extension=NTK), (2,)),
    "grid sinusoidal": Kind(lambda: GridSinusoidal(H * D), (1,), relative=False),
    "together": Kind(
        lambda: Together(LearnedEncoding(H * D, 40), RotaryEncoding(D), ALiBi(H), ShawRelative(D, 3)),
        (1, 2, 3, 4),
        {"encodings.0.table": (40, H * D)} | {f"encodings.3.{name}": shape for name, shape in BOTH.items()},
        **PLACES,
    ),
    "together on a grid": Kind(
        lambda: Together(LearnedEncoding(H * D, 40), MixedRotary(D), ALiBi(H)),
        (1, 2, 3),
        {"encodings.0.table": (40, 24), "encodings.1.frequencies": (2, 4)},
    ),
}

# The smallest size of each argument that has one.
LEAST: dict[str, dict[str, float]] = {
    "ALiBi": {"n_heads": 1},
    "AxialRotary": {"d_head": 4},
    "CoPE": {"d_head": 1, "n_positions": 1},
    "GridSinusoidal": {"d_model": 4},
    "LearnedEncoding": {"d_model": 1, "max_len": 1, "std": 0},
    "LogTemperature": {"scale": 0, "floor": 1},
    "MixedRotary": {"d_head": 4, "n_heads": 1},
    "PowerTemperature": {"exponent": 0, "step": 1},
    "QueryTemperature": {"scale": 0, "step": 1, "plus": 0},
    "RotaryEncoding": {"d_head": 2, "turning_pairs": 0},
    "ShawRelative": {"d_head": 1, "max_distance": 1},
    "SinusoidalEncoding": {"d_model": 2, "max_len": 1},
    "T5RelativeBias": {"n_heads": 1, "std": 0},
    "alibi_slopes": {"n_heads": 1},
    "grid_positions": {"height": 1, "width": 1},
    "relative_distances": {"len_q": 1, "len_k": 1, "clip": 1},
    "rotary_frequencies": {"rotary_dim": 2},
}

# Default numbers and switches, as in papers and released code.
T5 = {"n_buckets": 32, "max_distance": 128, "bidirectional": True}  # Raffel et al. 2020, §2.1
DEFAULTS: dict[str, dict[str, Any]] = {
    "ALiBi": {"signed": False},
    "AxialRotary": {"base": 100.0},  # Heo et al. 2024
    "ContextExtension.frequencies": {"base": 10000.0},
    "CoPE": {"divide_gates": True, "divide_table": False},
    "GridSinusoidal": {"base": 10000.0},
    "LearnedEncoding": {"std": 0.02},  # GPT-2
    "LogTemperature": {"scale": 0.1, "floor": 128000},
    "MixedRotary": {"base": 10.0},  # Heo et al. 2024
    "MultiAxisRotary": {"base": 10000.0},
    "PowerTemperature": {"exponent": 0.1, "step": 2048},
    "QueryTemperature": {"scale": 0.1, "step": 8192, "plus": 1},  # Llama 4
    "RotaryEncoding": {"base": 10000.0},  # Su et al. 2021
    "ShawRelative": {"max_distance": 16, "values": True},  # Shaw et al. 2018, §4.1
    "SinusoidalEncoding": {"max_len": 5000, "base": 10000.0, "first": 0},
    "T5RelativeBias": {**T5, "std": 0.02},
    "alibi_bias": {"signed": False},
    "apply_rotary": {"base": 10000.0},
    "axial_frequencies": {"base": 100.0},
    "interpolate_table": {"prefix": 0},
    "mixed_frequencies": {"base": 10.0},
    "multimodal_positions": {"tokens_per_second": 4.0},  # Qwen2.5-VL
    "rotary_angles": {"base": 10000.0},
    "rotary_frequencies": {"base": 10000.0},
    "shift_matrix": {"base": 10000.0},
    "sinusoidal_encoding": {"base": 10000.0},  # Vaswani et al. 2017, §3.5
    "t5_buckets": T5,
}
