"""Configurations measured with transformers: files that were once read wrong, and the table beside them."""

import json
from typing import Any

import pytest
import torch

pytest.importorskip("transformers", minversion="5.24")

import transformers

from posenc_lessons.configs import encoding_from_config, measured, read_config, reading, table
from posenc_lessons.configs.network import Network
from posenc_lessons.configs.small import full_config, small_config, text_of
from posenc_lessons.encodings import RotaryEncoding
from posenc_lessons.language import BilingualValueError
from tests.configs.released import NAMES, YARN, llama, released
from tests.oracles import spectrum_presets

PRESETS = json.loads(spectrum_presets.PRESETS.read_text("utf-8"))
NEMOTRON = "".join("*" if layer in (5, 12, 19, 26, 33, 42) else "ME"[layer % 2] for layer in range(52))
STEP = {
    "model_type": "step3p5",
    "num_hidden_layers": 4,
    "sliding_window": 512,
    "layer_types": ["full_attention", *["sliding_attention"] * 3],
}
STEP |= {"rope_theta": [5000000, 10000, 10000, 10000], "partial_rotary_factors": [0.5, 1.0, 1.0, 1.0]}


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"rope_scaling": {key: value for key, value in YARN.items() if key != "factor"}}, "factor"),
        ({"rope_theta": "many"}, "rope_theta"),
        ({"rope_theta": [1, 2, 3, 4]}, "rope_theta"),
        ({"hidden_size": 10**12, "num_attention_heads": 1}, "at most"),
        ({"hidden_size": {"a": 1}}, "hidden_size"),
        ({"layer_types": ["nonsense"] * 4}, "layer_types"),
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
    with pytest.raises(BilingualValueError, match=unread):
        encoding_from_config(config)


def test_a_key_that_says_the_same_twice_is_read() -> None:
    assert (
        read_config(llama(rope_theta=5e5, rope_parameters={"rope_type": "default", "rope_theta": 5e5})).unread
        == ()
    )


@pytest.mark.parametrize(
    ("config", "key"),
    [
        (
            llama(model_type="smollm3", no_rope_layers=[1, 1, 1, 0], no_rope_layer_interval=3),
            "no_rope_layer_interval",
        ),
        (
            {"model_type": "gemma3_text", "layer_types": ["full_attention"], "num_hidden_layers": 1}
            | {"sliding_window": 9},
            "sliding_window",
        ),
    ],
)
def test_a_key_that_another_overrules_is_named(config: dict[str, Any], key: str) -> None:
    remarks = [remark.en for remark in read_config(config).remarks]
    assert any("change nothing" in remark and key in remark for remark in remarks)


#: Files with the rotations of their layers.
ROTATIONS: list[tuple[dict[str, Any], list[str]]] = [
    (
        {"model_type": "deepseek_v32", "num_hidden_layers": 1},
        ["attention interleaved 64 10000", "indexer half_split 64 10000"],
    ),
    (
        {"model_type": "glm_moe_dsa", "num_hidden_layers": 1},
        ["attention interleaved 64 10000", "indexer interleaved 64 10000"],
    ),
    (
        {"model_type": "minimax_m3_vl_text", "num_hidden_layers": 1, "layer_types": ["minimax_m3_sparse"]},
        ["attention half_split 128 5000000", "indexer half_split 128 5000000"],
    ),
    (
        {"model_type": "minimax_m2", "num_hidden_layers": 1, "head_dim": 128, "rotary_dim": 64},
        ["attention half_split 64 5000000"],
    ),
    (STEP, ["attention half_split 64 5000000", *["attention half_split 128 10000"] * 3]),
]


@pytest.mark.parametrize(("config", "rotations"), ROTATIONS, ids=lambda item: str(item)[:40])
def test_each_layers_rotations(config: dict[str, Any], rotations: list[str]) -> None:
    turns = [turn for layer in read_config(config).layers for turn in layer.rotations]
    assert [f"{turn.of} {turn.pairing} {turn.features} {turn.base:.0f}" for turn in turns] == rotations


#: Files with what the layers of each do: how far they see, what they read, whose keys they use.
LAYERS: list[tuple[dict[str, Any], dict[str, list[Any]]]] = [
    (
        {"model_type": "nemotron_h", "num_hidden_layers": 52, "hybrid_override_pattern": NEMOTRON},
        {"attends": [letter == "*" for letter in NEMOTRON], "reads": ["none"] * 52},
    ),
    (
        {"model_type": "jamba", "num_hidden_layers": 28, "attn_layer_period": 14, "attn_layer_offset": 7},
        {"attends": [layer in (7, 21) for layer in range(28)]},
    ),
    (STEP, {"window": [None, 512, 512, 512]}),
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
    (
        {"model_type": "llama4_text", "num_hidden_layers": 4, "num_local_experts": 1},
        {"temperature": [None] * 3 + [{"kind": "QueryTemperature", "scale": 0.1, "step": 8192}]},
    ),
    ({"model_type": "dory", "num_hidden_layers": 6}, {"passes": [1] * 4 + [2] * 2}),
    ({"model_type": "bloom", "n_layer": 1}, {"bias": ["ALiBi"]}),
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


@pytest.mark.parametrize(("of_last", "factor"), [(1.005, 1.0), (1.0, 1.1)])
def test_a_slow_pair_that_is_a_little_off_and_a_factor_that_no_setting_gives_are_seen(
    of_last: float, factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The slow pair hardly turns at any position that is asked for, so only its frequency tells."""
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    right = LlamaRotaryEmbedding.compute_default_rope_parameters

    def wrong(*args: Any, **keys: Any) -> Any:
        frequencies, scale = right(*args, **keys)
        return torch.cat((frequencies[:-1], of_last * frequencies[-1:])), factor * scale

    monkeypatch.setattr(LlamaRotaryEmbedding, "compute_default_rope_parameters", staticmethod(wrong))
    with pytest.raises(BilingualValueError, match="no settings in the file give these frequencies"):
        encoding_from_config(llama(num_hidden_layers=1, rope_theta=1e6, vocab_size=79 + (factor > 1)))


@pytest.mark.parametrize("beyond", [False, True])
def test_a_wrong_answer_is_not_silent(beyond: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A class that turns otherwise than its settings say, everywhere or beyond the trained length only."""
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    right = LlamaRotaryEmbedding.forward

    def wrong(self: Any, x: Any, position_ids: Any) -> Any:
        last = self.original_max_seq_len - 1
        return right(self, x, position_ids.clamp(max=last) if beyond else 1.01 * position_ids)

    config = llama(num_hidden_layers=1, rope_scaling={"rope_type": "dynamic", "factor": 4.0})
    assert encoding_from_config(config).extension.method == "dynamic"  # type: ignore[union-attr]
    monkeypatch.setattr(LlamaRotaryEmbedding, "forward", wrong)
    with pytest.raises(BilingualValueError, match="no settings in the file give these frequencies"):
        encoding_from_config({**config, "vocab_size": 77 + beyond})


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
    usual = "of" in row or "num_decoder_layers" in row["keys"]  # two stacks have two keys
    same({"model_type": name, **({} if usual else {"num_hidden_layers": 12})})


FAMILIES = ("llama", "qwen3", "mistral", "gpt_neox", "olmo2", "deepseek_v3")
KINDS: list[dict[str, Any]] = [
    {"rope_type": "default"},
    {"rope_type": "linear", "factor": 5.5},
    {"rope_type": "dynamic", "factor": 3.25},
    {**YARN, "rope_type": "llama3", "low_freq_factor": 0.75, "high_freq_factor": 3.5},
    {**YARN, "factor": 12.5},
]
SETTINGS = [
    pytest.param(
        FAMILIES[n % 6], {**KINDS[n % 5], "rope_theta": 54321.5}, marks=pytest.mark.sweep if n >= 6 else ()
    )
    for n in range(30)
]


@pytest.mark.parametrize(("family", "rope"), SETTINGS)
def test_settings_give_the_familys_own_frequencies(family: str, rope: dict[str, Any]) -> None:
    """The encoding turns as the family's own module, also beyond the length of training."""
    rope = {**rope, "partial_rotary_factor": 0.25} if family == "gpt_neox" else rope
    config: dict[str, Any] = {"model_type": family, "num_hidden_layers": 1, "rope_parameters": rope}
    config["max_position_embeddings"] = 8192
    same(config)
    network = Network(small_config(text_of(full_config(config))))
    module = next(item for item in network.module.modules() if hasattr(item, "inv_freq"))
    encoding = encoding_from_config(config)
    assert isinstance(encoding, RotaryEncoding)
    where = torch.tensor([[0, 1, 77, 2 * config["max_position_embeddings"] - 1]])
    cosines = module(torch.zeros(1, 4, 8), where)[0][0].double()  # [4, rotary_dim]
    firsts = torch.zeros(encoding.d_head, dtype=torch.float64)  # 1 at the first feature of each pair
    half = encoding.rotary_dim // 2
    places = slice(0, 2 * half, 2) if encoding.pairing == "interleaved" else slice(0, half)
    firsts[places] = 1.0
    turned = encoding.turn(firsts.expand(1, 1, 4, -1).contiguous(), where[0])[0, 0, :, places]
    torch.testing.assert_close(turned, cosines[:, :half], atol=5e-3, rtol=0)


@pytest.mark.skipif(transformers.__version__ != PRESETS["transformers"], reason="its defaults may be others")
@pytest.mark.sweep
def test_the_spectrum_explorers_models_are_as_in_their_configurations() -> None:
    assert spectrum_presets.presets() == PRESETS


def test_reading_twice_measures_once() -> None:
    config = json.loads(json.dumps(llama()))
    assert read_config(config) is read_config(config) and reading.measurable()
