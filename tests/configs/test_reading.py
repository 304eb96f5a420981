"""What a configuration says, read from the table of well-known types: the page's way, without transformers.

``tests/oracles/test_configs_oracles.py`` compares the table with measurements.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from posenc_lessons.configs import describe_config, encoding_from_config, read_config, reading
from posenc_lessons.configs.files import MOST_LAYERS
from posenc_lessons.encodings import (
    ALiBi,
    ContextExtension,
    LearnedEncoding,
    PositionEncoding,
    QueryTemperature,
    RotaryEncoding,
    T5RelativeBias,
)
from posenc_lessons.language import BilingualValueError
from tests.configs.released import LLAMA, NAMES, YARN, assert_same, llama, released


@pytest.fixture(autouse=True, scope="module")
def from_the_table() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "measurable", lambda: False)
        yield


LLAMA3 = ContextExtension("llama3", 8, 8192, slow=1, fast=4)
GPT_OSS = ContextExtension("yarn", 32, 4096, slow=1, fast=32, truncate=False)
DEEPSEEK = ContextExtension("yarn", 40, 4096, slow=1, fast=32, truncate=True, attention_scale=1.0)
# Each file with some of its layers and their encodings.
RELEASED: list[tuple[str, dict[int, PositionEncoding]]] = [
    ("llama-3.1-8b-instruct", {31: RotaryEncoding(128, 500000.0, "half_split", extension=LLAMA3)}),
    ("gemma-3-1b-it", {4: RotaryEncoding(256, 1e4, "half_split"), 5: RotaryEncoding(256, 1e6, "half_split")}),
    ("gpt-oss-120b", dict.fromkeys((0, 35), RotaryEncoding(64, 150000.0, "half_split", extension=GPT_OSS))),
    ("llama-4-scout", {2: RotaryEncoding(128, 500000.0, extension=LLAMA3), 3: QueryTemperature(0.1, 8192)}),
    ("smollm3-3b", {34: RotaryEncoding(128, 5e6, "half_split"), 35: PositionEncoding()}),
    ("t5-small", {5: T5RelativeBias(8, 32, 128), 6: T5RelativeBias(8, 32, 128, False)}),
    ("deepseek-v3", {60: RotaryEncoding(64, 10000.0, extension=DEEPSEEK)}),
]
OTHERS: list[tuple[dict[str, Any], PositionEncoding]] = [
    ({"model_type": "gpt2", "n_embd": 96, "n_positions": 77}, LearnedEncoding(96, 77)),
    ({"model_type": "roberta", "hidden_size": 96, "max_position_embeddings": 77}, LearnedEncoding(96, 75)),
    ({"model_type": "bloom", "n_head": 16}, ALiBi(16)),
    (
        {"model_type": "gemma3_text", "rope_theta": 5.0, "rope_local_base_freq": 777.0},
        RotaryEncoding(256, 777.0, "half_split"),
    ),
    (
        {"model_type": "falcon", "hidden_size": 4544, "num_attention_heads": 71},
        RotaryEncoding(64, pairing="half_split"),
    ),
    ({"model_type": "gptj"}, RotaryEncoding(256, rotary_dim=64)),
    (
        {"model_type": "gpt_neox", "rotary_pct": 0.5, "rotary_emb_base": 5000},
        RotaryEncoding(96, 5000, "half_split", 48),
    ),
    (
        {"model_type": "minimax_m2", "head_dim": 128, "rotary_dim": 64},
        RotaryEncoding(128, 5e6, "half_split", 64),
    ),
    ({"model_type": "deepseek_v3", "qk_rope_head_dim": 32}, RotaryEncoding(32)),
    ({"model_type": "cohere2", "num_hidden_layers": 4, "head_dim": 64}, RotaryEncoding(64)),
    (
        llama(rope_scaling={**YARN, "attention_factor": 1.5}),
        RotaryEncoding(
            16,
            pairing="half_split",
            extension=ContextExtension("yarn", 4, 1024, truncate=True, attention_scale=1.5),
        ),
    ),
]


@pytest.mark.parametrize(("name", "layers"), RELEASED)
def test_released_files(name: str, layers: dict[int, PositionEncoding]) -> None:
    for layer, expected in layers.items():
        assert_same(encoding_from_config(released(name), layer), expected)


@pytest.mark.parametrize(("config", "expected"), OTHERS, ids=lambda item: str(item)[:40])
def test_first_layers_of_other_types(config: dict[str, Any], expected: PositionEncoding) -> None:
    assert_same(encoding_from_config(config), expected)


def test_phi_3s_file_of_two_lists() -> None:
    encoding = encoding_from_config(released("phi-3-128k"))
    assert isinstance(encoding, RotaryEncoding) and encoding.extension is not None
    assert encoding.extension.method == "longrope" and encoding.extension.factor == 32
    assert encoding.rotary_dim == 96 and encoding.extension.scale == pytest.approx(1.19023807)
    assert encoding.extension.long_factors[-1] == 64.81001281738281  # type: ignore[index]


@pytest.mark.parametrize(
    ("config", "sees"),
    [
        (released("llama-4-scout"), ["chunked 8192"] * 3 + ["whole None"]),
        (
            {"model_type": "modernbert", "local_attention": 100},
            ["whole None", "both_sides 50", "both_sides 50"],
        ),
        (llama(model_type="mistral", sliding_window=77), ["sliding 77"] * 4),
        (llama(model_type="mistral", sliding_window=None), ["whole None"] * 4),
        ({"model_type": "qwen3_next"}, ["–", "–", "–", "whole None", "–"]),
        (
            {"model_type": "gemma3_text", "num_hidden_layers": 2, "layer_types": ["full_attention"] * 2},
            ["whole None"] * 2,
        ),
    ],
)
def test_how_far_the_first_layers_see(config: dict[str, Any], sees: list[str]) -> None:
    layers = read_config(config).layers
    assert [f"{layer.sees} {layer.window}" if layer.attends else "–" for layer in layers[: len(sees)]] == sees


def test_no_rope_layers_say_which_layers_rotate() -> None:
    layers = read_config(llama(model_type="smollm3", no_rope_layers=[1, 0, 0, 1])).layers
    assert [int(layer.makes is RotaryEncoding) for layer in layers] == [1, 0, 0, 1]
    assert [layer.reads for layer in layers] == ["distance", "none", "none", "distance"]


def test_a_text_model_inside_a_larger_file_is_read() -> None:
    text = {"model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 34, "sliding_window": 1024}
    text["rope_scaling"] = {"factor": 8.0, "rope_type": "linear"}
    config = {"model_type": "gemma3", "text_config": text, "vision_config": {"rope_theta": 1.0}}
    stretched = RotaryEncoding(256, 1e6, "half_split", extension=ContextExtension("linear", 8.0, 131072))
    for keys in (config, text):
        assert_same(encoding_from_config(keys, 5), stretched)
    assert_same(encoding_from_config(config, 4), RotaryEncoding(256, 1e4, "half_split"))  # a local layer
    assert read_config({**config, "rope_theta": 5.0}).unread == ("rope_theta",)


def test_like_reads_an_unknown_type_as_another() -> None:
    assert_same(encoding_from_config(llama(model_type="nobody"), like="llama"), encoding_from_config(LLAMA))
    with pytest.raises(BilingualValueError, match=r"'nobody' is not in .*names close to it"):
        encoding_from_config(llama(model_type="nobody"))


@pytest.mark.parametrize(
    "scaling",
    [
        {},
        {"rope_type": "linear", "factor": 3.0},
        {"rope_type": "dynamic", "factor": 3.0},
        {**YARN, "attention_factor": 1.5, "beta_fast": 20.0, "truncate": False},
        {**YARN, "rope_type": "llama3", "low_freq_factor": 1.5, "high_freq_factor": 3.0},
    ],
)
def test_old_keys_and_new_keys_give_the_same_encodings(scaling: dict[str, Any]) -> None:
    """The key for GPT-NeoX's rotated share has an old and a new name, and so has the type of RoPE."""
    config = {"model_type": "gpt_neox", "hidden_size": 64, "num_attention_heads": 2, "num_hidden_layers": 1}
    old = {"type" if key == "rope_type" else key: value for key, value in scaling.items()}
    before = {**config, "rotary_emb_base": 777.0, "rotary_pct": 0.5, "rope_scaling": old or None}
    after = {"rope_type": "default", **scaling, "rope_theta": 777.0, "partial_rotary_factor": 0.5}
    new = encoding_from_config({**config, "rope_parameters": after})
    assert repr(encoding_from_config(before)) == repr(new)
    assert isinstance(new, RotaryEncoding) and (new.base, new.rotary_dim) == (777.0, 16)


REFUSED: list[tuple[Any, str]] = [
    ([1], r"config must be a mapping.*got list"),
    ({"hidden_size": 8}, r"there is no model_type"),
    (llama(num_attention_heads=5), r"hidden_size=64 is not divisible by num_attention_heads=5"),
    (llama(hidden_size=[64]), r"hidden_size must be a whole number.*got \[64\]"),
    (llama(num_hidden_layers=MOST_LAYERS + 1), rf"num_hidden_layers must be at most {MOST_LAYERS}"),
    (llama(num_hidden_layers=0), r"num_hidden_layers must be a whole number, 1 or more; got 0"),
    ({"model_type": "t5", "relative_attention_num_buckets": 4000}, r"num_buckets must be at most"),
    (
        {"model_type": "gpt_neo", "attention_types": [[["global"], 10**8]]},
        r"attention_types must be at most",
    ),
    (llama(head_dim=10**9), r"head_dim must be at most 576"),
    (llama(vocab_size=10**400), r"vocab_size must be at most 1000000000000"),
    (llama(rope_theta=float("nan")), r"rope_theta must be finite"),
    (llama(rope_theta=[10000.0]), r"rope_theta"),
    (llama(rope_theta=1), r"rope_theta .*above 1; got 1"),
    (llama(rope_teta=1.0), r"unknown keys: rope_teta\."),
    (llama(**{"rope_\x1b[2J": 1}), r"unknown keys: rope_\\x1b\[2J"),
    (llama(sliding_window=512), r"unknown keys: sliding_window\."),
    (llama(partial_rotary_factor=0.5), r"unknown keys: partial_rotary_factor\."),
    (
        llama(rope_scaling={"type": "linear", "factor": 2.0, "beta_fast": 32}),
        r"unknown keys: rope_scaling\.beta_fast",
    ),
    (llama(rope_scaling={"type": "linear"}), r"factor is missing"),
    (llama(rope_scaling={"type": "twist", "factor": 2.0}), r"rope_type must be one of"),
    (llama(rope_scaling=[2.0]), r"rope_scaling must be a JSON object"),
    (
        llama(rope_theta=1e4, rope_parameters={"rope_theta": 5e5}),
        r"rope_parameters\.rope_theta is 500000\.0 but rope_theta is 10000\.0",
    ),
    (
        llama(
            rope_scaling={"type": "linear", "factor": 2.0}, rope_parameters={"type": "linear", "factor": 4.0}
        ),
        r"rope_parameters is .* but rope_scaling is",
    ),
    (
        llama(rope_scaling={"type": "linear", "rope_type": "dynamic", "factor": 2.0}),
        r'rope_type is "dynamic" but .*type is "linear"',
    ),
    (
        llama(model_type="qwen2", use_sliding_window=False, layer_types=["sliding_attention"] * 4),
        r"use_sliding_window is false",
    ),
    (llama(model_type="qwen2", use_sliding_window=True, sliding_window=None), r"sliding_window is null"),
    (
        llama(model_type="cohere2", layer_types=["full_attention"] * 3),
        r"len\(layer_types\) is 3 but num_hidden_layers is 4",
    ),
    (
        llama(model_type="cohere2", layer_types=["full_attention"] * 3 + ["conv"]),
        r"'conv', which is not known",
    ),
    (llama(model_type="smollm3", no_rope_layers=[1, 1, 0]), r"len\(no_rope_layers\) is 3"),
    (released("deepseek-r1-0528-qwen3-8b"), r"unknown keys: rope_scaling\.attn_factor\."),
    ({"model_type": "falcon", "alibi": True}, r"table only has alibi = False.*pip install"),
    (llama(model_type="smollm3", no_rope_layer_interval=2), r"table only has no_rope_layer_interval = 4"),
    (llama(model_type="qwen2", use_sliding_window=True), r"table only has use_sliding_window = False"),
    ({"model_type": "gpt2", "n_positions": "many"}, r"max_position_embeddings"),
    ({**released("phi-3-128k"), "max_position_embeddings": "0"}, r"max_position_embeddings must be a whole"),
]


@pytest.mark.parametrize(("config", "message"), REFUSED)
def test_what_is_missing_unknown_or_contradictory_is_named(config: Any, message: str) -> None:
    with pytest.raises(BilingualValueError, match=message):
        encoding_from_config(config)


@pytest.mark.parametrize(
    ("layer", "message"), [(4, r"4 layers, so layer is 0 to 3; got 4"), (-1, r"layer .*got -1")]
)
def test_a_layer_that_does_not_exist_is_refused(layer: int, message: str) -> None:
    with pytest.raises(BilingualValueError, match=message):
        encoding_from_config(LLAMA, layer)


def test_a_mapping_that_holds_itself_or_is_deep_is_refused() -> None:
    circle: dict[str, Any] = {"model_type": "llama"}
    circle["text_config"] = circle
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for config in (circle, llama(rope_scaling=deep), {f"rope_{n}": 1 for n in range(10**5)}):
        with pytest.raises(BilingualValueError, match="too large or nested too deeply"):
            read_config(config)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 10**6) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_file_is_read_or_refused_with_a_message(data: st.DataObject) -> None:
    config = released(data.draw(st.sampled_from(NAMES)))
    inside = [
        part for name, part in config.items() if name in ("rope_scaling", "rope_parameters", "text_config")
    ]
    part = data.draw(st.sampled_from([config, *filter(None, inside)]))
    weighty = [
        key for key in part if re.search("type|size|head|layer|rope|posi|window|theta|fac|bet|sca", key)
    ]
    part[data.draw(st.sampled_from(sorted(weighty)))] = data.draw(ANYTHING)
    try:
        describe_config(config), encoding_from_config(config)
    except BilingualValueError as error:
        assert error.zh and error.en


def test_one_object_for_programs() -> None:
    model = json.loads(json.dumps(read_config(released("llama-4-scout")).as_json()))
    assert list(model) == ["model_type", "measured_with", "layers", "unread_keys", "not_measured"]
    assert model["model_type"] == "llama4" and len(model["layers"]) == 48 and model["not_measured"] == []
    third, fourth = model["layers"][2:4]
    assert third["attends"] and third["window"] == 8192 and third["reads"] == "distance" and not third["sink"]
    (rotation,) = third["rotations"]
    assert {key: rotation[key] for key in ("of", "pairing", "features", "base")} == {
        "of": "attention",
        "pairing": "interleaved",
        "features": 128,
        "base": 500000.0,
    }
    assert len(rotation["inverse_frequencies"]) == 64 and rotation["inverse_frequencies"][0] == 1.0
    assert fourth["rotations"] == [] and fourth["reads"] == "none" and fourth["temperature"]["step"] == 8192


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_say_the_same_numbers(name: str) -> None:
    told = describe_config(released(name))
    zh, en = (
        {number for number in re.findall(r"\d+", text) if len(number) > 1} for text in (told.zh, told.en)
    )
    assert zh == en
    assert not re.search("[一-鿿]", told.en)
