"""Models without rotation from a configuration: their tables, sines, penalties and biases.

``tests/oracles/test_config_without_rope_oracles.py`` compares them with the models themselves.
"""

from __future__ import annotations

from typing import Any

import pytest

from posenc_lessons.encodings import (
    ALiBi,
    LearnedEncoding,
    PositionEncoding,
    T5RelativeBias,
    encoding_from_config,
)
from posenc_lessons.encodings.config import describe_config, read_config
from tests.encodings.released import assert_same, llama


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (
            {"model_type": "gpt2", "n_embd": 8, "n_positions": 16, "n_ctx": 16, "n_layer": 2},
            LearnedEncoding(8, 16),
        ),
        (llama(model_type="bert", position_embedding_type="absolute"), LearnedEncoding(64, 4096)),
        ({"model_type": "bloom", "n_embed": 8, "n_head": 2, "n_layer": 2, "offset_alibi": 100}, ALiBi(2)),
        (
            {
                **{"model_type": "mpt", "d_model": 8, "n_heads": 2, "n_layers": 2, "learned_pos_emb": True},
                "attn_config": {"alibi": True, "alibi_bias_max": 8, "attn_impl": "torch", "prefix_lm": False},
            },
            ALiBi(2),
        ),
        ({"model_type": "t5", "d_model": 8, "num_heads": 2, "num_layers": 2}, T5RelativeBias(2)),
    ],
    ids=lambda case: case["model_type"] if isinstance(case, dict) else "",
)
def test_models_without_rope(config: dict[str, Any], expected: PositionEncoding) -> None:
    for layer in (0, 1):
        assert_same(encoding_from_config(config, layer), expected)


def test_a_t5_has_its_decoders_layers_after_its_encoders() -> None:
    config = {"model_type": "t5", "num_heads": 2, "num_layers": 2, "num_decoder_layers": 3}
    both_ways = [layer.settings["bidirectional"] for layer in read_config(config).layers]
    assert both_ways == [True, True, False, False, False]
    alone = {**config, "is_encoder_decoder": False}
    for decoder in ({"is_decoder": True}, {"is_decoder": False}, {}):
        both_ways = [layer.settings["bidirectional"] for layer in read_config({**alone, **decoder}).layers]
        assert both_ways == [not decoder.get("is_decoder")] * 2


@pytest.mark.parametrize(
    "config",
    [
        {"model_type": "pegasus_x", "d_model": 64, "encoder_layers": 1, "decoder_layers": 1},
        {"model_type": "musicgen_decoder", "hidden_size": 64, "num_hidden_layers": 1},
        {"model_type": "xglm", "d_model": 64, "num_layers": 1},
    ],
    ids=lambda config: config["model_type"],
)
def test_frequencies_spaced_over_one_step_less_are_those_of_another_base(config: dict[str, Any]) -> None:
    (layer, *_) = read_config(config).layers
    assert layer.settings["base"] == pytest.approx(10000 ** (64 / 62))


@pytest.mark.parametrize(
    ("name", "key"), [("esm", "position_embedding_type"), ("falcon", "alibi"), ("zamba2", "use_mem_rope")]
)
@pytest.mark.parametrize("value", [[], {}])
def test_a_list_or_a_mapping_chooses_no_other_encoding(name: str, key: str, value: object) -> None:
    """The code compares the value with one that chooses another encoding."""
    config = llama(model_type=name, **{key: value})
    assert describe_config(config) == describe_config({**config, key: "other"})
