"""Keys about positions that the model's code does not read are refused by name."""

from __future__ import annotations

import pytest

from posenc_lessons.encodings import encoding_from_config
from posenc_lessons.encodings.config.keys import about_positions
from posenc_lessons.language import BilingualValueError
from tests.encodings.released import llama

NAMES = [
    "rope_interleaved",
    "rotary_ndims",
    "position_biases",
    "use_alibi",
    "relative_attention",
    "theta",
    "partial_factor",
    "yarn_factor",
    "ntk_alpha",
    "mscale",
    "sliding_size",
    "window_layers",
    "layer_types_2",
    "per_layer_config",
    "global_head_dim",
    "attention_chunk_size",
    "attn_temperature_tuning",
    "floor_scale",
    "attn_scale",
    "attn_factor",
]


@pytest.mark.parametrize("key", NAMES)
def test_an_unread_key_about_positions_is_refused(key: str) -> None:
    with pytest.raises(BilingualValueError, match=rf"unknown keys: {key}\."):
        encoding_from_config(llama(**{key: 2}))


@pytest.mark.parametrize("key", ["vocab_size", "chunk_size_limit", "attn_scale_factor", "my_attn_factor"])
def test_other_keys_are_ignored(key: str) -> None:
    assert not about_positions(key)
    encoding_from_config(llama(**{key: 2}))
