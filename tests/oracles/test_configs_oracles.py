"""Configurations measured with transformers: files that were once read wrong, and the table beside them."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch

pytest.importorskip("transformers", minversion="5.24")

from posenc_lessons.configs import encoding_from_config, measured, read_config, reading, table
from posenc_lessons.configs.measuring import measure, ropes_of
from posenc_lessons.configs.small import full_config, small_config, text_of
from posenc_lessons.encodings import RotaryEncoding
from posenc_lessons.language import BilingualValueError
from tests.configs.released import NAMES, YARN, llama, released

NEMOTRON = "".join("*" if layer in (5, 12, 19, 26, 33, 42) else "ME"[layer % 2] for layer in range(52))
STEP = {
    "model_type": "step3p5",
    "num_hidden_layers": 4,
    "sliding_window": 512,
    "layer_types": ["full_attention", *["sliding_attention"] * 3],
}
STEP |= {"rope_theta": [5000000, 10000, 10000, 10000], "partial_rotary_factors": [0.5, 1.0, 1.0, 1.0]}


def attending(config: dict[str, Any]) -> list[int]:
    return [number for number, layer in enumerate(read_config(config).layers) if layer.attends]


def test_nemotron_h_attends_in_six_of_52_layers() -> None:
    config = {"model_type": "nemotron_h", "num_hidden_layers": 52, "hybrid_override_pattern": NEMOTRON}
    assert attending(config) == [5, 12, 19, 26, 33, 42]
    assert {layer.reads for layer in read_config(config).layers} == {"none"}


def test_jamba_attends_where_period_and_offset_say() -> None:
    config = {"model_type": "jamba", "num_hidden_layers": 28, "attn_layer_period": 14, "attn_layer_offset": 7}
    assert attending(config) == [7, 21]


def test_minimax_m2_rotates_rotary_dim_features() -> None:
    config = {"model_type": "minimax_m2", "num_hidden_layers": 2, "head_dim": 128, "rotary_dim": 64}
    (rotation,) = read_config(config).layers[1].rotations
    assert (rotation.features, rotation.base, rotation.pairing) == (64, 5e6, "half_split")


def test_step_has_a_base_and_a_share_for_each_layer() -> None:
    layers = read_config(STEP).layers
    assert [(r.features, r.base) for layer in layers for r in layer.rotations] == [
        (64, 5e6),
        *[(128, 1e4)] * 3,
    ]
    assert [layer.window for layer in layers] == [None, 512, 512, 512]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"rope_scaling": {key: value for key, value in YARN.items() if key != "factor"}}, "factor"),
        (
            {"model_type": "qwen2", "use_sliding_window": False, "layer_types": ["sliding_attention"] * 4},
            "is false, but",
        ),
        (
            {"model_type": "qwen2", "use_sliding_window": True, "sliding_window": None},
            "sliding_window is null",
        ),
        ({"rope_theta": "many"}, "rope_theta"),
        ({"rope_theta": [1, 2, 3, 4]}, "rope_theta"),
        ({"num_hidden_layers": 10**9}, "num_hidden_layers"),
        ({"num_attention_heads": 10**7}, "num_attention_heads must be at most"),
        ({"hidden_size": 10**12, "num_attention_heads": 1}, "at most"),
        ({"hidden_size": {"a": 1}}, "hidden_size"),
        ({"layer_types": ["nonsense"] * 4}, "layer_types"),
        ({"model_type": "t5", "relative_attention_num_buckets": 4000}, "num_buckets must be at most"),
        ({"model_type": "t5", "relative_attention_max_distance": 10**9}, "max_distance must be at most"),
        (
            {"model_type": "gpt_neo", "attention_types": [[["global"], 10**9]]},
            "attention_types must be at most",
        ),
    ],
)
def test_what_no_model_can_be_built_of_is_refused_in_a_sentence(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(BilingualValueError, match=message):
        read_config(llama(**keys))


@pytest.mark.parametrize(
    ("config", "unread"),
    [
        (
            {
                "model_type": "gemma3",
                "rope_theta": 5.0,
                "text_config": {"model_type": "gemma3_text", "num_hidden_layers": 6},
            },
            "rope_theta",
        ),
        (
            {
                "model_type": "gemma3_text",
                "num_hidden_layers": 2,
                "layer_types": ["full_attention"] * 2,
                "sliding_window_pattern": 2,
            },
            "sliding_window_pattern",
        ),
        (llama(rope_teta=3.0), "rope_teta"),
        (llama(partial_rotary_factor=0.5), "partial_rotary_factor"),
        (llama(sliding_window=512), "sliding_window"),
        (llama(model_type="phi", partial_rotary_factor=0.5, rotary_dim=4), "rotary_dim"),
        (llama(rope_scaling={**YARN, "attn_factor": 0.9}), "rope_scaling.attn_factor"),
    ],
)
def test_keys_that_nothing_reads_are_named(config: dict[str, Any], unread: str) -> None:
    assert read_config(config).unread == (unread,)
    with pytest.raises(BilingualValueError, match=unread) if "text_config" not in config else _nothing():
        encoding_from_config(config)


def _nothing() -> Any:
    return pytest.raises(BilingualValueError, match="rope_theta")


def test_a_key_that_says_the_same_twice_is_read() -> None:
    assert (
        read_config(llama(rope_theta=5e5, rope_parameters={"rope_type": "default", "rope_theta": 5e5})).unread
        == ()
    )


def test_a_key_that_another_overrules_is_named() -> None:
    model = read_config(llama(model_type="smollm3", no_rope_layers=[1, 1, 1, 0], no_rope_layer_interval=3))
    assert any("no_rope_layer_interval" in remark.en for remark in model.remarks)


@pytest.mark.parametrize(
    ("model_type", "attention", "indexer"),
    [
        ("deepseek_v32", "interleaved 64", "half_split 64"),
        ("glm_moe_dsa", "interleaved 64", "interleaved 64"),
        ("minimax_m3_vl_text", "half_split 128", "half_split 128"),
    ],
)
def test_an_indexer_has_a_rotation_of_its_own(model_type: str, attention: str, indexer: str) -> None:
    more = {"layer_types": ["minimax_m3_sparse"] * 2} if "minimax" in model_type else {}
    layer = read_config({"model_type": model_type, "num_hidden_layers": 2, **more}).layers[1]
    rotations = {rotation.of: f"{rotation.pairing} {rotation.features}" for rotation in layer.rotations}
    assert rotations == {"attention": attention, "indexer": indexer}


#: Files with what the layers of each do: how far they see, what they read, whose keys they use.
LAYERS: list[tuple[dict[str, Any], dict[str, list[Any]]]] = [
    (
        llama(model_type="qwen2", use_sliding_window=True, sliding_window=9, max_window_layers=2),
        {"window": [None, None, 9, 9]},
    ),
    (
        {"model_type": "qwen3_next", "num_hidden_layers": 4, "full_attention_interval": 3},
        {"attends": [False, False, True, False]},
    ),
    (
        {"model_type": "gemma3_text", "num_hidden_layers": 2, "sliding_window_pattern": 2},
        {"window": [4096, None]},
    ),
    (
        llama(model_type="smollm3", no_rope_layer_interval=2),
        {"reads": ["distance", "none", "distance", "none"]},
    ),
    (
        {"model_type": "gemma4_text", "num_hidden_layers": 8, "num_kv_shared_layers": 2},
        {"keys_of": [None] * 6 + [4, 5]},
    ),
    ({"model_type": "dory", "num_hidden_layers": 6}, {"passes": [1] * 4 + [2] * 2}),
    ({"model_type": "zaya", "num_hidden_layers": 2}, {"reads": ["distance"] * 2}),
    ({"model_type": "xlnet", "n_layer": 2}, {"bias": ["by content"] * 2}),
    ({"model_type": "flaubert", "n_layers": 2}, {"attends": [True] * 2}),
    (
        {"model_type": "led", "encoder_layers": 2, "decoder_layers": 1, "attention_window": 512},
        {"window": [256, 256, None]},
    ),
]


@pytest.mark.parametrize(("config", "says"), LAYERS, ids=lambda item: str(item)[:40])
def test_what_each_layer_does(config: dict[str, Any], says: dict[str, list[Any]]) -> None:
    layers = [layer.as_json(index) for index, layer in enumerate(read_config(config).layers)]
    assert {key: [layer[key] for layer in layers] for key in says} == says


def test_a_factor_of_what_rotates_does_not_hide_the_order_of_the_weights() -> None:
    """Neighbours are put into halves and then multiplied by YaRN's factor, which is not 1 here."""
    rope = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}
    encoding = encoding_from_config(
        {"model_type": "deepseek_v3", "num_hidden_layers": 1, "rope_scaling": rope}
    )
    assert isinstance(encoding, RotaryEncoding) and encoding.pairing == "interleaved"


def test_other_peoples_code_is_never_run() -> None:
    model = read_config(llama(auto_map={"AutoModel": "evil.Model"}, trust_remote_code=True))
    assert any("never run" in remark.en for remark in model.remarks)
    with pytest.raises(BilingualValueError, match="other people's code, which is never run"):
        read_config(llama(model_type="nobody", auto_map={"AutoModel": "evil.Model"}))


def test_a_wrong_answer_is_not_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A class whose frequencies are not those of its settings: no encoding agrees with it."""
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    right = LlamaRotaryEmbedding.compute_default_rope_parameters

    def wrong(config: Any, *args: Any, **keys: Any) -> Any:
        frequencies, scale = right(config, *args, **keys)
        return frequencies * torch.linspace(1, 1.3, len(frequencies)), scale

    monkeypatch.setattr(LlamaRotaryEmbedding, "compute_default_rope_parameters", staticmethod(wrong))
    with pytest.raises(BilingualValueError, match="no settings in the file give these frequencies"):
        encoding_from_config(llama(vocab_size=77))


def test_frequencies_beyond_the_length_of_training_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A class whose positions end at the trained length is like dynamic NTK up to there only."""
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    config = llama(num_hidden_layers=1, rope_scaling={"rope_type": "dynamic", "factor": 4.0})
    assert encoding_from_config(config).extension.method == "dynamic"  # type: ignore[union-attr]
    right = LlamaRotaryEmbedding.forward

    def wrong(self: Any, x: Any, position_ids: Any) -> Any:
        return right(self, x, position_ids.clamp(max=self.original_max_seq_len - 1))

    monkeypatch.setattr(LlamaRotaryEmbedding, "forward", wrong)
    with pytest.raises(BilingualValueError, match="no settings in the file"):
        encoding_from_config({**config, "vocab_size": 78})


def same(config: dict[str, Any]) -> None:
    """Assert that the table says what is measured, layer by layer."""
    name = config["model_type"]
    one, other = measured.read_measured(config, name), table.read_table(config, name)
    assert len(one.layers) == len(other.layers)
    for seen, told in zip(one.layers, other.layers, strict=True):
        for key in ("attends", "sees", "window", "reads", "bias", "sink", "temperature"):
            assert getattr(seen, key) == getattr(told, key), key
        assert repr(seen.encoding()) == repr(told.encoding())
        for rotation, listed in zip(seen.rotations, told.rotations, strict=True):
            assert (rotation.pairing, rotation.features) == (listed.pairing, listed.features)
            torch.testing.assert_close(
                torch.tensor(rotation.inverse_frequencies),
                torch.tensor(listed.inverse_frequencies),
                rtol=1e-4,
                atol=1e-9,
            )


LONG = ("llama-4-scout", "smollm3-3b")  # their lists say something of every layer


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.sweep if name in LONG else ())
        for name in NAMES
        if name != "deepseek-r1-0528-qwen3-8b"
    ],
)
def test_the_table_reads_released_files_as_measured(name: str) -> None:
    config = released(name)
    for level in (config, config.get("text_config", {})):
        for key in ("num_hidden_layers", "num_layers"):
            if key in level and "layer_types" not in level and "no_rope_layers" not in level:
                level[key] = min(level[key], 6)
    same(config)


@pytest.mark.sweep
@pytest.mark.parametrize("name", sorted(table.table()["types"]))
def test_the_table_reads_every_types_defaults_as_measured(name: str) -> None:
    row = table.table()["types"][name]
    usual = "of" in row or row["decoder_layers"]  # two stacks have two keys
    same({"model_type": name, **({} if usual else {"num_hidden_layers": 12})})


def draws() -> list[Any]:
    """Return random settings of RoPE for several families, as old keys and as new ones."""
    numbers = torch.Generator().manual_seed(4242)
    drawn = []
    for number in range(60):
        a, b, c = torch.rand(3, generator=numbers).tolist()
        kind = ("default", "linear", "dynamic", "llama3", "yarn")[number % 5]
        rope: dict[str, Any] = {"rope_type": kind, "rope_theta": round(10 ** (3 + 4 * a), 3)}
        rope |= {} if kind == "default" else {"factor": round(1 + 31 * b, 3)}
        if kind in ("llama3", "yarn"):
            rope["original_max_position_embeddings"] = int(64 + 4000 * c)
        if kind == "llama3":
            rope |= {"low_freq_factor": 0.5 + a, "high_freq_factor": 2 + 4 * b}
        family = ("llama", "qwen3", "mistral", "gpt_neox", "olmo2", "deepseek_v3")[number % 6]
        more = {"num_hidden_layers": 1, "max_position_embeddings": 8192}
        rope |= {"partial_rotary_factor": 0.25} if family == "gpt_neox" else {}
        drawn.append(
            pytest.param(
                {"model_type": family, **more, "rope_parameters": rope},
                marks=pytest.mark.sweep if number >= 6 else (),
            )
        )
    return drawn


@pytest.mark.parametrize("config", draws())
def test_random_settings_give_the_familys_own_frequencies(config: dict[str, Any]) -> None:
    """The encoding turns as the family's own module, also beyond the length of training."""
    same(config)
    small = small_config(text_of(full_config(config)))
    network = measure(small)
    module = next(
        item for item in network.module.modules() if "inv_freq" in dict(item.named_buffers(recurse=False))
    )
    encoding = encoding_from_config(config)
    assert isinstance(encoding, RotaryEncoding)
    longest = 2 * config["max_position_embeddings"]
    where = torch.tensor([[0, 1, 77, longest - 1]])
    cosines = module(torch.zeros(1, 4, 8), where)[0][0].double()  # [4, d]
    x = torch.zeros(1, 1, 4, encoding.d_head, dtype=torch.float64)
    x[..., : encoding.rotary_dim : 2 if encoding.pairing == "interleaved" else 1] = 1.0
    if encoding.pairing == "half_split":
        x[..., encoding.rotary_dim // 2 :] = 0.0
    turned = encoding.turn(x, where[0])[0, 0]
    first = (
        turned[:, : encoding.rotary_dim : 2]
        if encoding.pairing == "interleaved"
        else turned[:, : encoding.rotary_dim // 2]
    )
    torch.testing.assert_close(first, cosines[:, : first.shape[-1]], atol=5e-3, rtol=0)
    assert ropes_of(small.full)


def test_reading_twice_measures_once() -> None:
    config = json.loads(json.dumps(llama()))
    assert read_config(config) is read_config(config) and reading.measurable()
