"""Our extended frequencies compared with those of transformers, which are computed in float32."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
import torch
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from posenc_lessons.encodings import rotary_frequencies, scaled_frequencies

# Their name for each of our options.
NAMES = {
    "yarn": {"slow": "beta_slow", "fast": "beta_fast", "attention_scale": "attention_factor"},
    "llama3": {"slow": "low_freq_factor", "fast": "high_freq_factor"},
}


def config_of(d_head: int, base: float, method: str, factor: float, trained: int, **options: Any) -> Any:
    """Return a LLaMA's configuration with this ``rope_scaling``, called ``rope_parameters`` since 5.0."""
    scaling: dict[str, Any] = {"rope_type": method, "factor": factor}
    if method in ("yarn", "llama3"):
        scaling["original_max_position_embeddings"] = trained
    scaling |= {NAMES.get(method, {}).get(name, name): value for name, value in options.items()}
    # Versions without original_max_position_embeddings for yarn take L from this key.
    longest = trained if method in ("dynamic", "yarn") else int(trained * factor)
    if "truncate" in options and "truncate" not in inspect.getsource(ROPE_INIT_FUNCTIONS[method]):
        pytest.skip("this version of transformers always truncates")
    sizes = {"hidden_size": 2 * d_head, "num_attention_heads": 2, "max_position_embeddings": longest}
    if "rope_parameters" in inspect.signature(LlamaConfig.__init__).parameters:
        return LlamaConfig(**sizes, rope_parameters=scaling | {"rope_theta": base})
    return LlamaConfig(**sizes, rope_theta=base, rope_scaling=scaling)


SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("linear", {}),
    ("dynamic", {}),
    ("yarn", {}),
    ("yarn", {"slow": 2, "fast": 16}),
    ("yarn", {"truncate": False}),
    ("yarn", {"attention_scale": 1.3}),
    ("llama3", {"slow": 1, "fast": 4}),
    ("llama3", {"slow": 0.5, "fast": 20}),
]


@pytest.mark.parametrize(
    ("method", "options"), SETTINGS, ids=[f"{method} {options}" for method, options in SETTINGS]
)
@pytest.mark.parametrize("factor", [1.0, 2.0, 8.0, 32.0])
@pytest.mark.parametrize(
    ("d_head", "base", "trained"), [(128, 1e4, 4096), (128, 5e5, 8192), (64, 1e4, 512), (16, 1e4, 64)]
)
def test_frequencies_and_scale_equal_theirs(
    method: str, options: dict[str, Any], factor: float, d_head: int, base: float, trained: int
) -> None:
    """To 1e-6 of each frequency, and one float32 step of the original frequency: they compute 1 − (1 − x) in
    float32, an error that a division by 32 makes visible (1.9e-6 was seen)."""
    original = rotary_frequencies(d_head, base)
    config = config_of(d_head, base, method, factor, trained, **options)
    for length in (trained // 2, trained, trained + 1, 3 * trained):
        theirs, their_scale = ROPE_INIT_FUNCTIONS[method](config, torch.device("cpu"), seq_len=length)
        ours, scale = scaled_frequencies(d_head, base, method, factor, trained, length, **options)
        assert ((ours - theirs.double()).abs() <= 1e-6 * ours + 2**-23 * original).all()
        assert scale == pytest.approx(their_scale, rel=1e-12)
