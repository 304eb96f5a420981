"""Default numbers and switches, as in papers and released code."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from posenc_lessons import encodings

T5 = {"n_buckets": 32, "max_distance": 128, "bidirectional": True}  # Raffel et al. 2020, §2.1
DEFAULTS: dict[str, dict[str, Any]] = {
    "ALiBi": {"signed": False},
    # Heo et al. 2024
    "AxialRotary": {"base": 100.0, "alternate": False, "columns_first": False, "scale": 1.0},
    "ContextExtension.frequencies": {"base": 10000.0},
    "CoPE": {"divide_gates": True, "divide_table": False},
    "ContinuousGridBias": {"width": 512},  # Swin v2
    "DecomposedGridBias": {"std": 0.02},
    "GridLearned": {"std": 0.02},
    "GridSinusoidal": {"base": 10000.0, "axes": 2},
    "LearnedEncoding": {"std": 0.02},  # GPT-2
    "LogTemperature": {"scale": 0.1, "floor": 128000},
    "MixedRotary": {"base": 10.0},  # Heo et al. 2024
    "MultiAxisRotary": {"base": 10000.0},
    "PowerTemperature": {"exponent": 0.1, "step": 2048},
    "QueryTemperature": {"scale": 0.1, "step": 8192, "plus": 1},  # Llama 4
    "RelativeGridBias": {"std": 0.02, "class_token": False},  # Swin
    "RotaryEncoding": {"base": 10000.0},  # Su et al. 2021
    "ScalableSoftmax": {"scale": 0.43},  # Nakanishi 2025
    "ShawRelative": {"max_distance": 16, "keys": True, "values": True},  # Shaw et al. 2018, §4.1
    "SinusoidalEncoding": {"max_len": 5000, "base": 10000.0, "dropout": 0.0, "first": 0},
    "T5RelativeBias": {**T5, "std": 0.02},
    "XPos": {"base": 10000.0, "gamma": 0.4, "scale_base": 512.0},  # Sun et al. 2023
    "alibi_bias": {"signed": False},
    "apply_rotary": {"base": 10000.0},
    "axial_frequencies": {"base": 100.0, "alternate": False},
    "encoding_from_config": {"layer": 0},
    "grid_sinusoidal_encoding": {"base": 10000.0},
    "interpolate_table": {"prefix": 0, "antialias": False},
    "mixed_frequencies": {"base": 10.0},
    "multimodal_positions": {"tokens_per_second": 4.0},  # Qwen2.5-VL
    "rotary_angles": {"base": 10000.0},
    "rotary_frequencies": {"base": 10000.0},
    "sectioned_frequencies": {"base": 10000.0},
    "shift_matrix": {"base": 10000.0},
    "sinusoidal_encoding": {"base": 10000.0},  # Vaswani et al. 2017, §3.5
    "t5_buckets": T5,
}


PUBLIC = {name: getattr(encodings, name) for name in encodings.__all__}
PUBLIC |= {
    f"{name}.{method}": each
    for name in encodings.__all__
    if inspect.isclass(PUBLIC[name])
    for method, each in vars(PUBLIC[name]).items()
    if not method.startswith("_")
}
CALLED = sorted(name for name, each in PUBLIC.items() if inspect.isclass(each) or inspect.isfunction(each))


def defaults_of(name: str) -> dict[str, Any]:
    given = inspect.signature(PUBLIC[name]).parameters.values()
    return {each.name: each.default for each in given if isinstance(each.default, (bool, int, float))}


@pytest.mark.parametrize("name", CALLED)
def test_default_numbers_and_switches(name: str) -> None:
    assert defaults_of(name) == DEFAULTS.get(name, {})
