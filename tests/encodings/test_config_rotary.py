"""Rotations from a configuration: bases, shares, sections for three coordinates, stretched frequencies.

``tests/oracles/test_config_rotary_oracles.py`` compares them with the models themselves.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from posenc_lessons.encodings import (
    ContextExtension,
    MultiAxisRotary,
    PositionEncoding,
    RotaryEncoding,
    encoding_from_config,
)
from posenc_lessons.encodings.config import read_config
from posenc_lessons.encodings.config.rope import IGNORED
from tests.encodings.released import YARN, assert_same, llama

VISION_AND_TEXT = {"hidden_size": 256, "num_attention_heads": 2, "num_hidden_layers": 2}


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (
            {
                **{"model_type": "qwen2_vl", **VISION_AND_TEXT, "rope_theta": 1e6},
                "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]},
            },
            MultiAxisRotary(128, (16, 24, 24), base=1e6),
        ),
        (
            {
                "model_type": "qwen3_vl",
                "text_config": {
                    **{"model_type": "qwen3_vl_text", **VISION_AND_TEXT, "rope_theta": 5e6},
                    "rope_scaling": {"mrope_interleaved": True, "mrope_section": [24, 20, 20]},
                },
            },
            MultiAxisRotary(128, (24, 20, 20), "interleaved", 5e6),
        ),
        (
            {"model_type": "glm4v", "text_config": {**VISION_AND_TEXT, "partial_rotary_factor": 0.5}},
            MultiAxisRotary(128, (8, 12, 12), pairing="interleaved", rotary_dim=64),
        ),
    ],
    ids=["Qwen2-VL", "Qwen3-VL", "GLM-4V"],
)
def test_models_of_text_and_pictures_read_three_coordinates(
    config: dict[str, Any], expected: MultiAxisRotary
) -> None:
    """For the positions of a text, which have one coordinate, they are plain RoPE."""
    encoding = encoding_from_config(config)
    assert_same(encoding, expected)
    x, at = torch.randn(1, 2, 7, 128), torch.arange(7) * 31
    text = RotaryEncoding(128, expected.base, expected.pairing, expected.rotary_dim)
    torch.testing.assert_close(encoding.turn(x, at), text.turn(x, at))


def test_sections_longer_than_the_head_are_read_as_the_code_reads_them() -> None:
    """Qwen3-VL's rule: rows and columns take every third pair while there are pairs; time takes the rest."""
    rope = {"rope_type": "default", "mrope_section": [16, 24, 24]}
    config = {"model_type": "qwen3_vl_text", **VISION_AND_TEXT, "rope_parameters": rope}
    assert encoding_from_config(config).sections == (22, 21, 21)


@pytest.mark.parametrize(("name", "ignored"), [("llama", True), ("qwen2_vl_text", False)])
def test_a_remark_says_that_the_code_does_not_read_sections(name: str, ignored: bool) -> None:
    rope = {"rope_type": "default", "mrope_section": [2, 3, 3]}
    assert (IGNORED in read_config(llama(model_type=name, rope_scaling=rope)).layers[0].remarks) == ignored


@pytest.mark.parametrize(("times", "said"), [(1, False), (4, False), (2, True)])
def test_a_remark_says_that_the_lengths_give_another_factor(times: int, said: bool) -> None:
    rope = {**YARN, "factor": 4.0, "original_max_position_embeddings": 1024}
    remarks = read_config(llama(rope_scaling=rope, max_position_embeddings=1024 * times)).layers[0].remarks
    assert any("the code goes by factor" in each.en for each in remarks) == said


def test_deepseeks_two_mscales_make_a_ratio() -> None:
    mscales = {**YARN, "factor": 40.0, "mscale": 0.707, "mscale_all_dim": 0.5}
    encoding = encoding_from_config(llama(rope_scaling=mscales))
    assert isinstance(encoding, RotaryEncoding) and encoding.extension is not None
    expected = (0.1 * 0.707 * math.log(40) + 1) / (0.1 * 0.5 * math.log(40) + 1)
    assert encoding.extension.scale == pytest.approx(expected, rel=1e-12)


def test_ministral_3_rotates_and_warms_its_queries() -> None:
    """Its steps come one position later than those of Llama 4, which counts from 1."""
    rope = {"rope_type": "yarn", "factor": 16.0, "original_max_position_embeddings": 16384}
    config = llama(model_type="ministral3", rope_parameters={**rope, "llama_4_scaling_beta": 0.1})
    ones, at = torch.ones(1, 1, 4, 128), torch.tensor([0, 16383, 16384, 32768])
    lengths = encoding_from_config(config).turn(ones, at).norm(dim=-1).flatten()
    stairs = [1.0, 1.0, 1 + 0.1 * math.log(2), 1 + 0.1 * math.log(3)]
    torch.testing.assert_close(lengths / lengths[0], torch.tensor(stairs))


def test_gemma_4_turns_a_quarter_of_the_pairs_in_every_sixth_layer_and_in_the_last() -> None:
    config = {"model_type": "gemma4_text", "num_hidden_layers": 8}
    whole = [layer.settings["turning_pairs"] for layer in read_config(config).layers]
    assert whole == [None] * 5 + [64, None, 64]
    assert_same(encoding_from_config(config, 5), RotaryEncoding(512, 1e6, "half_split", turning_pairs=64))


@pytest.mark.parametrize("factor", [1.0, 1.5])
def test_proportional_rotation_can_be_stretched(factor: float) -> None:
    rope = {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6, "factor": factor}
    config = {"model_type": "gemma4_text", "num_hidden_layers": 6}
    layers = read_config({**config, "rope_parameters": {"full_attention": rope}}).layers
    stretched = ContextExtension("linear", factor, 131072) if factor > 1 else None
    assert layers[5].settings["extension"] == stretched


@pytest.mark.parametrize(
    ("more", "base"), [({}, 10000), ({"rope_scaling": {"rope_type": "linear", "factor": 2.0}}, 500000)]
)
def test_gptj_reads_a_base_only_together_with_a_scaling(more: dict[str, Any], base: int) -> None:
    sizes = {"n_embd": 32, "n_head": 2, "n_layer": 1, "rotary_dim": 8, "n_positions": 64}
    encoding = encoding_from_config({"model_type": "gptj", **sizes, "rope_theta": 500000.0, **more})
    assert encoding.base == base


def test_a_layer_with_a_base_of_zero_does_not_turn() -> None:
    config = llama(model_type="granite_swa", layer_rope_theta=[1e4, 0, 5e5, 0.0])
    layers = [encoding_from_config(config, layer) for layer in range(4)]
    assert [type(each) for each in layers] == [RotaryEncoding, PositionEncoding] * 2
    assert [layers[0].base, layers[2].base] == [1e4, 5e5]
