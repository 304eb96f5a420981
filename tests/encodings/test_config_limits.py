"""Keys of a configuration at their limits: the last value that is read, and the first that is refused."""

from __future__ import annotations

from typing import Any

import pytest

from posenc_lessons.encodings.config import read_config
from posenc_lessons.encodings.config.overview import census_rows
from posenc_lessons.language import BilingualValueError
from tests.encodings.released import YARN, llama

THREE = {"model_type": "qwen2_vl_text", "head_dim": 16}
LLAMA3 = {"rope_type": "llama3", "factor": 8, "original_max_position_embeddings": 64}
GPTJ = {"model_type": "gptj", "n_embd": 32, "n_head": 2, "n_layer": 1, "n_positions": 64}
ROBERTA = {"model_type": "roberta", "hidden_size": 8, "num_attention_heads": 1, "num_hidden_layers": 1}
GEMMA4 = {"model_type": "gemma4_text", "num_hidden_layers": 2}
NEO = {"model_type": "gpt_neo", "hidden_size": 8, "num_heads": 1}


def sections(*numbers: Any) -> dict[str, Any]:
    return llama(**THREE, rope_scaling={"type": "mrope", "mrope_section": list(numbers)})


@pytest.mark.parametrize(
    ("config", "setting", "read"),
    [
        (sections(0, 4, 4), "sections", (0, 4, 4)),
        (llama(head_dim=2), "d_head", 2),
        (llama(head_dim=1_000_000), "d_head", 1_000_000),
        (llama(hidden_size=1_000_000, num_attention_heads=1), "d_head", 1_000_000),
        (llama(partial_rotary_factor=1.0), "rotary_dim", 16),  # Llama reads no share, and this one is all
        (llama(rope_scaling={**YARN, "beta_slow": 0.1, "beta_fast": 0.5}), "rotary_dim", 16),
        (llama(rope_scaling={**YARN, "beta_slow": 1e-9}), "base", 10000.0),
        (llama(model_type="phi", partial_rotary_factor=1.0), "rotary_dim", 16),
        (llama(model_type="phi", partial_rotary_factor=0.125), "rotary_dim", 2),
        ({**GPTJ, "rotary_dim": 2}, "rotary_dim", 2),
        ({**ROBERTA, "max_position_embeddings": 9, "pad_token_id": 0}, "max_len", 8),
        ({**ROBERTA, "max_position_embeddings": 3}, "max_len", 1),
        ({"model_type": "m2m_100", "d_model": 8, "encoder_layers": 1, "decoder_layers": 1}, "first", 2),
        ({"model_type": "seamless_m4t", "hidden_size": 8, "num_hidden_layers": 1}, "first", 1),
        ({**GEMMA4, "per_layer_config": {"0": {"head_dim": 2}}}, "d_head", 2),
    ],
)
def test_the_last_value_is_read(config: dict[str, Any], setting: str, read: Any) -> None:
    assert read_config(config).layers[0].settings[setting] == read


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (sections(-1, 5, 4), r"mrope_section must be three whole numbers.*got \[-1, 5, 4\]"),
        (sections(1.0, 3, 4), r"mrope_section must be three whole numbers"),
        (sections(True, 3, 4), r"mrope_section must be three whole numbers"),
        (
            llama(model_type="qwen2", use_sliding_window=True, sliding_window=9, max_window_layers=-1),
            r"max_window_layers must be a whole number, 0 or more; got -1",
        ),
        (llama(head_dim=1), r"head_dim must be a whole number, 2 or more; got 1"),
        (llama(head_dim=1_000_001), r"head_dim must be at most 1000000; got 1000001"),
        (llama(hidden_size=1_000_004), r"hidden_size must be at most 1000000; got 1000004"),
        (llama(head_dim=10**400), r"head_dim must be at most 1000000; got 1000"),
        (llama(rope_scaling=YARN, max_position_embeddings=10**12 + 1), r"must be at most 1000000000000; got"),
        (llama(rope_scaling={**YARN, "original_max_position_embeddings": 10**400}), r"must be at most 10000"),
        ({**GEMMA4, "per_layer_config": {"0": {"head_dim": 10**9}}}, r"0\.head_dim must be at most 1000000;"),
        ({**GEMMA4, "global_head_dim": 10**9}, r"global_head_dim must be at most 1000000; got"),
        (llama(rope_scaling={**YARN, "beta_slow": 0}), r"beta_slow .*above 0; got 0"),
        (llama(rope_scaling={**YARN, "beta_fast": 0}), r"beta_fast .*above 0; got 0"),
        (llama(rope_scaling={**YARN, "attention_factor": -0.1}), r"attention_factor .*0 or more"),
        (llama(rope_scaling={**YARN, "mscale": -1, "mscale_all_dim": 1}), r"mscale .*0 or more"),
        (
            llama(rope_scaling={**LLAMA3, "low_freq_factor": 0, "high_freq_factor": 4}),
            r"low_freq_factor .*got 0",
        ),
        (llama(model_type="phi", partial_rotary_factor=0), r"partial_rotary_factor .*above 0; got 0"),
        ({**GPTJ, "rotary_dim": 1}, r"rotary_dim must be a whole number, 2 or more; got 1"),
        (
            {**ROBERTA, "max_position_embeddings": 2},
            r"max_position_embeddings is too small: position 0 is row 2",
        ),
        ({**ROBERTA, "max_position_embeddings": 9, "pad_token_id": -1}, r"pad_token_id .*0 or more; got -1"),
        (llama(model_type="granite_swa", layer_rope_theta=1e4), r"layer_rope_theta must be 4 numbers.*got 1"),
        (llama(model_type="granite_swa", layer_rope_theta=[1e4] * 3), r"layer_rope_theta must be 4 numbers"),
        (llama(model_type="granite_swa", layer_rope_theta=[-1.0] * 4), r"layer_rope_theta .*got -1"),
        ({**GEMMA4, "per_layer_config": {"0": {"head_dim": 1}}}, r"per_layer_config\.0\.head_dim .*got 1"),
        ({**GEMMA4, "per_layer_config": {"2": {"head_dim": 8}}}, r"unknown keys: per_layer_config\.2"),
        (llama(rope_theta=1), r"rope_theta must be a finite number, above 1; got 1"),
        (llama(rope_parameters={"rope_theta": 1}), r"rope_theta must be a finite number, above 1; got 1"),
        (llama(num_hidden_layers=0), r"num_hidden_layers must be a whole number, 1 or more; got 0"),
        (llama(num_hidden_layers=10_001), r"num_hidden_layers must be at most 10000; got 10001"),
        (
            llama(model_type="smollm3", no_rope_layers=[1, 0, 1, 2]),
            r"no_rope_layers must be a list of 4, one for each layer, of 0, 1",
        ),
        (llama(model_type="smollm3", no_rope_layer_interval=0), r"no_rope_layer_interval .*1 or more; got 0"),
    ],
)
def test_the_first_value_beyond_is_refused(config: dict[str, Any], message: str) -> None:
    with pytest.raises(BilingualValueError, match=message):
        read_config(config)


@pytest.mark.parametrize(
    "config",
    [
        llama(num_hidden_layers=10_000),
        {**NEO, "num_layers": 10_000, "attention_types": [[["local"], 10_000]]},
        {**NEO, "num_layers": 10_000, "attention_types": [[["global", "local"], 5000]]},
    ],
    ids=["llama", "gpt_neo", "gpt_neo in turns"],
)
def test_ten_thousand_layers_are_read(config: dict[str, Any]) -> None:
    assert len(read_config(config).layers) == 10_000


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"model_type": "swin", "depths": [2, 10**8, 2, 2]}, r"depths\[1\] must be at most 10000; got 1000"),
        (
            {"model_type": "hiera", "depths": [10**8, 2, 2, 2]},
            r"depths\[0\] must be at most 10000; got 1000",
        ),
        (
            {"model_type": "swin", "num_heads": [3, 6, 12, 10**30]},
            r"num_heads\[3\] must be at most 1000000000000",
        ),
        (
            {"model_type": "vit", "image_size": [16, 10**400]},
            r"image_size\[1\] must be at most 1000000000000",
        ),
        (
            {"model_type": "vit", "patch_size": 512},
            r"image_size is 224 × 224, smaller than a patch of 512 × 512",
        ),
        (
            {"model_type": "sam3_vit_model", "patch_size": [14, 10**8]},
            r"smaller than a patch of 14 × 100000000",
        ),
        ({"model_type": "sam_vision_model", "patch_size": 2000}, r"smaller than a patch of 2000 × 2000"),
        ({"model_type": "beit", "patch_size": [225, 1]}, r"224 × 224, smaller than a patch of 225 × 1"),
    ],
)
def test_a_vision_tower_of_impossible_sizes_is_refused(config: dict[str, Any], message: str) -> None:
    with pytest.raises(BilingualValueError, match=message):
        read_config(config, part="vision")


@pytest.mark.parametrize(
    ("more", "rotating"),
    [
        ({}, [True, True, True, False]),
        ({"no_rope_layer_interval": 2}, [True, False, True, False]),
        ({"no_rope_layers": [0, 1, 1, 0]}, [False, True, True, False]),
    ],
)
def test_smollm3_leaves_every_fourth_layer_without_rotation(
    more: dict[str, Any], rotating: list[bool]
) -> None:
    layers = read_config(llama(model_type="smollm3", **more)).layers
    assert ["base" in layer.settings for layer in layers] == rotating


@pytest.mark.parametrize(
    ("own", "window"), [({}, 512), ({"sliding_window": 7}, 7), ({"sliding_window": None}, None)]
)
def test_a_layer_may_have_its_own_window(own: dict[str, Any], window: int | None) -> None:
    config = {**GEMMA4, "sliding_window": 512, "per_layer_config": {"0": {"head_dim": 8, **own}}}
    assert read_config(config).layers[0].window == window


def test_a_share_of_one_means_the_whole_head() -> None:
    rows = {row.name: (row.share, row.amount) for row in census_rows()}
    assert rows["phi3"] == rows["glm4v_text"] == ("whole", None)
    assert rows["phi"] == ("part", 0.5) and rows["gptj"] == ("part", 64)
    assert rows["gemma4_text"] == ("proportional", 0.25)
