"""The probe reads the rotations of published libraries rightly."""

import importlib
import warnings
from typing import Any

import pytest
from torch import Tensor
from transformers import AutoConfig

from posenc_lessons.probing import probe_rotation

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # they still import torch.jit.script
    import rotary_embedding_torch
    from x_transformers import x_transformers

YARN = {
    "rope_type": "yarn",
    "factor": 4.0,
    "original_max_position_embeddings": 4096,
    "rope_theta": 10_000.0,
}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500_000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
LINEAR = {"rope_type": "linear", "factor": 2.0, "rope_theta": 10_000.0}
# A type of transformers, what its configuration is given, and what is expected.
TYPES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "Llama": ("llama", {}, {"pairing": "half_split", "base": 10_000, "features": 64, "scale": 1}),
    "Llama, YaRN": ("llama", {"rope_parameters": YARN}, {"pairing": "half_split", "base": 10_000}),
    "Llama, llama3": ("llama", {"rope_parameters": LLAMA3}, {"base": 500_000, "scale": 1}),
    "Llama, linear": ("llama", {"rope_parameters": LINEAR}, {"base": 10_000}),
    "Cohere": ("cohere", {}, {"pairing": "interleaved", "base": 500_000, "features": 64}),
    "Gemma": ("gemma", {"head_dim": 64}, {"pairing": "half_split", "base": 10_000, "features": 64}),
    "Qwen2": ("qwen2", {}, {"pairing": "half_split"}),
}


@pytest.mark.parametrize("name", TYPES)
def test_types_of_transformers(name: str) -> None:
    model_type, keys, expected = TYPES[name]
    module = importlib.import_module(f"transformers.models.{model_type}.modeling_{model_type}")
    config = AutoConfig.for_model(model_type, hidden_size=128, num_attention_heads=2, **keys)
    (rotary,) = [getattr(module, kind) for kind in dir(module) if kind.endswith("RotaryEmbedding")]
    answer = probe_rotation(module.apply_rotary_pos_emb, 64, tables=rotary(config))
    assert answer.is_rotation and answer.along == "tokens" and answer.direction == "anticlockwise"
    assert {key: getattr(answer, key) for key in expected} == pytest.approx(expected)
    assert answer.deviation is not None and answer.deviation < 1e-5
    inverse, scale = rotary(config).inv_freq.double(), rotary(config).attention_scaling
    assert answer.inverse_frequencies == pytest.approx(inverse.tolist(), rel=1e-6)
    assert answer.scale == pytest.approx(scale, rel=1e-6)
    kind = keys.get("rope_parameters", {}).get("rope_type")
    assert (answer.extension and answer.extension.method) == kind
    if answer.extension is not None:
        assert answer.extension.factor == keys["rope_parameters"]["factor"]
        length = keys["rope_parameters"].get("original_max_position_embeddings", 1)
        assert answer.extension.original_length == length


def test_gpt_neox_rotates_a_part() -> None:
    from transformers.models.gpt_neox import modeling_gpt_neox as neox

    config = neox.GPTNeoXConfig(hidden_size=128, num_attention_heads=2)  # 0.25 of each head
    rotary = neox.GPTNeoXRotaryEmbedding(config)
    answer = probe_rotation(neox.apply_rotary_pos_emb, 64, tables=rotary)
    assert (answer.pairing, answer.features, answer.share, answer.base) == ("half_split", 16, 0.25, 10_000)
    assert answer.pairs[0] == (0, 8)


def test_gpt_j_pairs_neighbours_of_another_layout() -> None:
    from transformers.models.gptj import modeling_gptj as gptj

    def turn(x: Tensor, positions: Tensor) -> Tensor:
        table = gptj.create_sinusoidal_positions(int(positions.max()) + 1, 16)[positions][None]
        sin, cos = table.to(x.dtype).chunk(2, dim=-1)
        rotated: Tensor = gptj.apply_rotary_pos_emb(x, sin, cos)
        return rotated

    answer = probe_rotation(turn, 16)
    assert (answer.pairing, answer.base, answer.along) == ("interleaved", 10_000, "heads")


def test_deepseek_v3_moves_its_neighbours_into_halves() -> None:
    from transformers.models.deepseek_v3 import modeling_deepseek_v3 as deepseek

    rotary = deepseek.DeepseekV3RotaryEmbedding(deepseek.DeepseekV3Config(qk_rope_head_dim=64))
    answer = probe_rotation(deepseek.apply_rotary_pos_emb_interleave, 64, tables=rotary)
    assert answer.pairing == "interleaved" and not answer.zero_is_identity and answer.keeps_lengths
    assert "another order" in str(answer)


def test_x_transformers_and_rotary_embedding_torch() -> None:
    rotary = x_transformers.RotaryEmbedding(32)
    answer = probe_rotation(lambda x, at: x_transformers.apply_rotary_pos_emb(x, *rotary(at)), 64)
    assert (answer.pairing, answer.features, answer.base) == ("interleaved", 32, 10_000)
    theirs = rotary_embedding_torch.RotaryEmbedding(32)
    answer = probe_rotation(theirs.rotate_queries_or_keys, 64)
    assert (answer.pairing, answer.features, answer.base) == ("interleaved", 32, 10_000)
    assert not answer.reads_positions and not answer.notes


def test_xpos_changes_lengths_and_is_no_rotation() -> None:
    theirs = rotary_embedding_torch.RotaryEmbedding(32, use_xpos=True)
    assert "queries and keys differently" in str(probe_rotation(theirs.rotate_queries_and_keys, 32))

    def only_queries(x: Tensor) -> Tensor:
        rotated: Tensor = theirs.rotate_queries_and_keys(x, x)[0]
        return rotated

    assert "length changes" in str(probe_rotation(only_queries, 32))
