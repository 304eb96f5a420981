"""Encodings take sizes down to their least, and refuse smaller ones by name."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest
import torch

from posenc_lessons import encodings
from tests.support.refusals import assert_refused

LEAST: dict[str, dict[str, float]] = {
    "ALiBi": {"n_heads": 1},
    "AxialRotary": {"d_head": 4},
    "CoPE": {"d_head": 1, "n_positions": 1},
    "ContinuousGridBias": {"n_heads": 1, "window": 1, "width": 1},
    "DecomposedGridBias": {"d_head": 1, "window": 1, "std": 0},
    "ForgetGate": {"d_model": 1, "n_heads": 1},
    "GridLearned": {"d_model": 1, "rows": 1, "columns": 1, "std": 0},
    "GridSinusoidal": {"d_model": 4},
    "LearnedEncoding": {"d_model": 1, "max_len": 1, "std": 0},
    "LogTemperature": {"scale": 0, "floor": 1},
    "MixedRotary": {"d_head": 4, "n_heads": 1},
    "PowerTemperature": {"exponent": 0, "step": 1},
    "QueryTemperature": {"scale": 0, "step": 1, "plus": 0},
    "RelativeGridBias": {"n_heads": 1, "window": 1},
    "RotaryEncoding": {"d_head": 2, "turning_pairs": 0},
    "ScalableSoftmax": {"n_heads": 1},
    "ShawRelative": {"d_head": 1, "max_distance": 1},
    "SinusoidalEncoding": {"d_model": 2, "max_len": 1},
    "T5RelativeBias": {"n_heads": 1, "std": 0},
    "XPos": {"d_head": 2},
    "alibi_slopes": {"n_heads": 1},
    "grid_positions": {"height": 1, "width": 1},
    "patch_centres": {"height": 1, "width": 1},
    "relative_distances": {"len_q": 1, "len_k": 1, "clip": 1},
    "rotary_frequencies": {"rotary_dim": 2},
}


@pytest.mark.parametrize("name", LEAST)
def test_the_least_sizes_are_taken_and_smaller_ones_refused(name: str) -> None:
    make: Callable[..., Any] = getattr(encodings, name)
    make(**LEAST[name])
    for size, least in LEAST[name].items():
        smaller = {**LEAST[name], size: least - 1}
        assert_refused(functools.partial(make, **smaller), rf"{size} .*got")


def test_a_t5_table_needs_a_bucket_beyond_those_of_single_distances() -> None:
    at = torch.arange(3)
    for both_sides, least in ((True, 4), (False, 2)):
        encodings.t5_buckets(at, least, 9, both_sides)
        few = functools.partial(encodings.t5_buckets, at, least - 1, 9, both_sides)
        assert_refused(few, r"n_buckets .*got")
