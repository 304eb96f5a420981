"""Tables, sines and biases from a configuration compared with those of transformers' models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close
from transformers import AutoModel

from posenc_lessons.encodings import encoding_from_config
from tests.oracles.census.small import built, small
from tests.oracles.small_models import LENGTH, NEAR, class_of, model

Tables = tuple[dict[str, Any], Callable[[Any], nn.Embedding], Callable[[Any, Tensor, Tensor], Tensor]]


def gpt2s_sum(network: Any, tokens: Tensor, at: Tensor) -> Tensor:
    return network(input_ids=tokens, position_ids=at, output_hidden_states=True).hidden_states[0]


def berts_sum(network: Any, tokens: Tensor, at: Tensor) -> Tensor:
    """Return the sum before its norm, without the vector of the first segment, which all tokens have."""
    network.embeddings.LayerNorm = nn.Identity()
    segment = network.embeddings.token_type_embeddings.weight[0]
    return network.embeddings(input_ids=tokens, position_ids=at) - segment


TABLES: dict[str, Tables] = {
    "GPT-2": (
        {"model_type": "gpt2", "n_embd": 32, "n_head": 2, "n_layer": 2, "n_positions": 64, "vocab_size": 40},
        lambda network: network.wpe,
        gpt2s_sum,
    ),
    "BERT": (
        model("bert", max_position_embeddings=64),
        lambda n: n.embeddings.position_embeddings,
        berts_sum,
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_embeddings_with_positions_equal_theirs(name: str) -> None:
    config, table_of, sum_of = TABLES[name]
    network = AutoModel.from_config(class_of(config)).eval()
    encoding = encoding_from_config(config)
    encoding.table.data = table_of(network).weight.data.clone()
    tokens = torch.arange(3, 3 + LENGTH)[None]
    with torch.no_grad():
        expected = sum_of(network, tokens, NEAR[None])
        got = encoding(network.get_input_embeddings()(tokens), NEAR[None])
    assert_close(got, expected, rtol=0, atol=1e-5)


def test_t5s_biases_of_encoder_and_decoder() -> None:
    config = {"model_type": "t5", "d_model": 32, "num_heads": 4, "num_layers": 2, "num_decoder_layers": 3}
    config |= {"relative_attention_num_buckets": 16, "relative_attention_max_distance": 40}
    network = AutoModel.from_config(class_of(config | {"d_kv": 8, "vocab_size": 40})).eval()
    at, query = torch.arange(60), torch.zeros(1, 4, 60, 8)
    for stack, layers in ((network.encoder, (0, 1)), (network.decoder, (2, 3, 4))):
        attention = stack.block[0].layer[0].SelfAttention
        with torch.no_grad():
            expected = attention.compute_bias(60, 60)
        for layer in layers:
            encoding = encoding_from_config(config, layer)
            encoding.table.data = attention.relative_attention_bias.weight.data
            got = encoding.score_bias(query, query, at, at, None)
            assert_close(got, expected[0].detach(), rtol=0, atol=1e-5)


SINES = ("marian", "ctrl", "m2m_100", "fsmt", "xglm", "musicgen", "pegasus_x")


@pytest.mark.parametrize("model_type", SINES)
def test_sines_are_those_of_the_models_own_module(model_type: str) -> None:
    config = small(model_type)
    network, encoding = built(config), encoding_from_config(config.to_dict(), 0)
    at = torch.arange(40)
    if model_type == "ctrl":
        theirs = network.pos_encoding[at]
    else:
        module = next(m for name, m in network.named_modules() if name.endswith("embed_positions"))
        if model_type == "pegasus_x":
            theirs = module(torch.zeros(1, 40, config.d_model))[0]
        elif model_type == "xglm":
            theirs = module(at[None])[0]
        else:
            tokens = torch.full((1, 40), 9)
            given = tokens[:, None].expand(1, 4, 40) if model_type == "musicgen" else tokens
            theirs = module(given.shape) if model_type == "marian" else module(given)
    assert_close(encoding.encode(at), theirs.detach().reshape(40, -1), rtol=0, atol=1e-5)
