"""A model's configuration and the encodings of its layers: released files, old keys and new, and refusals.

``tests/oracles/test_config_oracles.py`` compares the encodings with the models themselves.
"""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.encodings import (
    ALiBi,
    ContextExtension,
    LearnedEncoding,
    MultiAxisRotary,
    PositionEncoding,
    QueryTemperature,
    RotaryEncoding,
    T5RelativeBias,
    encoding_from_config,
)
from posenc_lessons.encodings.config import describe_config, read_config
from posenc_lessons.encodings.config.families import families
from posenc_lessons.encodings.config.rope import IGNORED
from posenc_lessons.language import BilingualValueError
from tests.encodings.released import FILES, LLAMA, NAMES, YARN, llama, released


def rotary(*arguments: Any, **more: Any) -> str:
    return repr(RotaryEncoding(*arguments, **more))


LLAMA3 = ContextExtension("llama3", 8, 8192, slow=1, fast=4)
GPT_OSS = ContextExtension("yarn", 32, 4096, slow=1, fast=32, truncate=False)
DEEPSEEK = ContextExtension("yarn", 40, 4096, slow=1, fast=32, truncate=True, attention_scale=1.0)
# Each file with some of its layers and their encodings.
RELEASED: list[tuple[str, dict[int, str]]] = [
    ("llama-3.1-8b-instruct", {31: rotary(128, 500000.0, "half_split", extension=LLAMA3)}),
    ("mistral-7b-instruct-v0.3", {0: rotary(128, 1e6, "half_split")}),
    ("phi-1", {0: rotary(64, 10000.0, "half_split", 32)}),
    ("qwen2.5-7b-instruct", {27: rotary(128, 1e6, "half_split")}),
    ("gemma-3-1b-it", {4: rotary(256, 1e4, "half_split"), 5: rotary(256, 1e6, "half_split")}),
    ("gpt-oss-120b", dict.fromkeys((0, 35), rotary(64, 150000.0, "half_split", extension=GPT_OSS))),
    ("llama-4-scout", {2: rotary(128, 500000.0, extension=LLAMA3), 3: repr(QueryTemperature(0.1, 8192))}),
    ("smollm3-3b", {34: rotary(128, 5e6, "half_split"), 35: repr(PositionEncoding())}),
    ("t5-small", {5: repr(T5RelativeBias(8, 32, 128)), 6: repr(T5RelativeBias(8, 32, 128, False))}),
    ("qwen2.5-0.5b", {23: rotary(64, 1e6, "half_split")}),
    ("smollm2-135m", {0: rotary(64, 1e5, "half_split")}),
    ("deepseek-v3", {60: rotary(64, 10000.0, extension=DEEPSEEK)}),
]


def plain(text: str) -> str:
    """Return whole numbers as ints: both 8 and 8.0 become 8."""
    return text.replace(".0,", ",").replace(".0)", ")")


@pytest.mark.parametrize(("name", "layers"), RELEASED)
def test_released_files(name: str, layers: dict[int, str]) -> None:
    for layer, expected in layers.items():
        assert plain(repr(encoding_from_config(released(name), layer))) == plain(expected)


def test_phi_3s_file_of_two_lists() -> None:
    encoding = encoding_from_config(released("phi-3-128k"))
    assert isinstance(encoding, RotaryEncoding) and encoding.extension is not None
    assert encoding.extension.method == "longrope" and encoding.extension.factor == 32
    assert encoding.rotary_dim == 96 and encoding.extension.scale == pytest.approx(1.19023807)
    assert encoding.extension.long_factors[-1] == 64.81001281738281  # type: ignore[index]


def test_a_key_that_no_code_reads_is_accepted_if_it_is_false() -> None:
    config = released("smollm2-135m")
    assert "does not read rope_interleaved; the file says false" in describe_config(config).en
    assert "不读 rope_interleaved；文件里写的是 false" in describe_config(config).zh
    with pytest.raises(BilingualValueError, match=r"unknown keys: rope_interleaved\."):
        encoding_from_config({**config, "rope_interleaved": True})


def test_deepseeks_two_mscales_make_a_ratio() -> None:
    mscales = {**YARN, "factor": 40.0, "mscale": 0.707, "mscale_all_dim": 0.5}
    encoding = encoding_from_config(llama(rope_scaling=mscales))
    assert isinstance(encoding, RotaryEncoding) and encoding.extension is not None
    expected = (0.1 * 0.707 * math.log(40) + 1) / (0.1 * 0.5 * math.log(40) + 1)
    assert encoding.extension.scale == pytest.approx(expected, rel=1e-12)


WINDOWS = llama(model_type="qwen2", use_sliding_window=True, sliding_window=9)


@pytest.mark.parametrize(
    ("config", "windows"),
    [
        ({**LLAMA, "model_type": "gemma2"}, [4096, None, 4096, None]),
        ({**WINDOWS, "max_window_layers": 0}, [9] * 4),
        ({**WINDOWS, "max_window_layers": 3}, [None] * 3 + [9]),
    ],
)
def test_how_far_each_layer_sees(config: dict[str, Any], windows: list[int | None]) -> None:
    assert [layer.window for layer in read_config(config).layers] == windows


@pytest.mark.parametrize("base", [1, 1.0, 0.5])
def test_a_base_in_a_file_is_above_one(base: float) -> None:
    for said in ({"rope_theta": base}, {"rope_parameters": {"rope_theta": base}}):
        with pytest.raises(BilingualValueError, match=r"rope_theta must be a finite number, above 1"):
            encoding_from_config(llama(**said))
    assert encoding_from_config(llama(rope_theta=1.5)).base == 1.5


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rope_theta", 5e5),
        ("rope_scaling", YARN),
        ("partial_rotary_factor", 0.5),
        ("original_max_position_embeddings", 64),
    ],
)
def test_gemma_4_reads_no_old_keys(key: str, value: object) -> None:
    config = {"model_type": "gemma4_text", "num_hidden_layers": 2, key: value}
    with pytest.raises(BilingualValueError, match=rf"unknown keys: {key}\."):
        encoding_from_config(config)


def test_whether_yarn_was_trained_further_does_not_change_the_frequencies() -> None:
    trained = llama(rope_scaling={**YARN, "finetuned": True})
    assert repr(encoding_from_config(trained)) == repr(encoding_from_config(llama(rope_scaling=YARN)))


def test_the_temperature_key_that_three_programs_read_three_ways_is_refused() -> None:
    with pytest.raises(BilingualValueError, match=r"unknown keys: rope_scaling\.attn_factor\."):
        encoding_from_config(released("deepseek-r1-0528-qwen3-8b"))


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"model_type": "gpt2", "n_embd": 8, "n_positions": 16, "n_ctx": 16, "n_layer": 2}, LearnedEncoding),
        (llama(model_type="bert", position_embedding_type="absolute"), LearnedEncoding),
        ({"model_type": "bloom", "n_embed": 8, "n_head": 2, "n_layer": 2, "offset_alibi": 100}, ALiBi),
        (
            {
                **{"model_type": "mpt", "d_model": 8, "n_heads": 2, "n_layers": 2, "learned_pos_emb": True},
                "attn_config": {"alibi": True, "alibi_bias_max": 8, "attn_impl": "torch", "prefix_lm": False},
            },
            ALiBi,
        ),
        ({"model_type": "t5", "d_model": 8, "num_heads": 2, "num_layers": 2}, T5RelativeBias),
    ],
    ids=lambda case: case["model_type"] if isinstance(case, dict) else "",
)
def test_models_without_rope(config: dict[str, Any], expected: type[PositionEncoding]) -> None:
    for layer in (0, 1):
        assert type(encoding_from_config(config, layer)) is expected


def test_a_t5_has_its_decoders_layers_after_its_encoders() -> None:
    config = {"model_type": "t5", "num_heads": 2, "num_layers": 2, "num_decoder_layers": 3}
    both_ways = [layer.settings["bidirectional"] for layer in read_config(config).layers]
    assert both_ways == [True, True, False, False, False]
    alone = {**config, "is_encoder_decoder": False}
    for decoder in ({"is_decoder": True}, {"is_decoder": False}, {}):
        both_ways = [layer.settings["bidirectional"] for layer in read_config({**alone, **decoder}).layers]
        assert both_ways == [not decoder.get("is_decoder")] * 2


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
    assert plain(repr(encoding)) == plain(repr(expected))
    x, at = torch.randn(1, 2, 7, 128), torch.arange(7) * 31
    text = RotaryEncoding(128, expected.base, expected.pairing, expected.rotary_dim)
    torch.testing.assert_close(encoding.turn(x, at), text.turn(x, at))


def test_sections_longer_than_the_head_are_read_as_the_code_reads_them() -> None:
    """Qwen3-VL's rule: rows and columns take every third pair while there are pairs; time takes the rest."""
    rope = {"rope_type": "default", "mrope_section": [16, 24, 24]}
    config = {"model_type": "qwen3_vl_text", **VISION_AND_TEXT, "rope_parameters": rope}
    assert encoding_from_config(config).sections == (22, 21, 21)


def test_robertas_table_must_have_a_row_for_a_position() -> None:
    sizes = {"hidden_size": 8, "num_attention_heads": 1, "num_hidden_layers": 1, "pad_token_id": 1}
    config = {"model_type": "roberta", **sizes, "max_position_embeddings": 3}
    assert repr(encoding_from_config(config)) == repr(LearnedEncoding(8, 1))
    with pytest.raises(
        BilingualValueError, match="max_position_embeddings is too small: position 0 is row 2"
    ):
        encoding_from_config({**config, "max_position_embeddings": 2})


@pytest.mark.parametrize(
    ("more", "base"), [({}, 10000), ({"rope_scaling": {"rope_type": "linear", "factor": 2.0}}, 500000)]
)
def test_gptj_reads_a_base_only_together_with_a_scaling(more: dict[str, Any], base: int) -> None:
    sizes = {"n_embd": 32, "n_head": 2, "n_layer": 1, "rotary_dim": 8, "n_positions": 64}
    encoding = encoding_from_config({"model_type": "gptj", **sizes, "rope_theta": 500000.0, **more})
    assert encoding.base == base


@pytest.mark.parametrize(("name", "ignored"), [("llama", True), ("qwen2_vl_text", False)])
def test_a_remark_says_that_the_code_does_not_read_sections(name: str, ignored: bool) -> None:
    rope = {"rope_type": "default", "mrope_section": [2, 3, 3]}
    assert (IGNORED in read_config(llama(model_type=name, rope_scaling=rope)).layers[0].remarks) == ignored


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("pegasus_x", {"encoder_layers": 1, "decoder_layers": 1}),
        ("musicgen_decoder", {"num_hidden_layers": 1}),
        ("xglm", {"num_layers": 1}),
    ],
)
def test_frequencies_spaced_over_one_step_less_are_those_of_another_base(
    name: str, sizes: dict[str, int]
) -> None:
    heads = {"encoder_attention_heads": 4, "decoder_attention_heads": 4} if "encoder_layers" in sizes else {}
    width = {"hidden_size": 64} if name == "musicgen_decoder" else {"d_model": 64}
    (layer, *_) = read_config({"model_type": name, **width, **sizes, **heads}).layers
    assert layer.settings["base"] == pytest.approx(10000 ** (64 / 62))


@pytest.mark.parametrize(
    ("more", "window"), [({}, None), ({"use_sliding_window": True}, 8)], ids=["", "said"]
)
def test_dots1_has_windows_only_if_it_says_so(more: dict[str, Any], window: int | None) -> None:
    config = llama(model_type="dots1", sliding_window=8, layer_types=["sliding_attention"] * 4, **more)
    assert [layer.window for layer in read_config(config).layers] == [window] * 4


def test_gpt_j_may_rotate_a_single_pair_of_features() -> None:
    config = {"model_type": "gptj", "n_embd": 32, "n_head": 2, "n_layer": 1, "rotary_dim": 2}
    assert plain(repr(encoding_from_config(config))) == plain(rotary(16, 10000, "interleaved", 2))


@pytest.mark.parametrize(("times", "said"), [(1, False), (4, False), (2, True)])
def test_a_remark_says_that_the_lengths_give_another_factor(times: int, said: bool) -> None:
    rope = {**YARN, "factor": 4.0, "original_max_position_embeddings": 1024}
    remarks = read_config(llama(rope_scaling=rope, max_position_embeddings=1024 * times)).layers[0].remarks
    assert any("the code goes by factor" in each.en for each in remarks) == said


def test_ministral_3_rotates_and_warms_its_queries() -> None:
    """Its steps come one position later than those of Llama 4, which counts from 1."""
    rope = {"rope_type": "yarn", "factor": 16.0, "original_max_position_embeddings": 16384}
    config = llama(model_type="ministral3", rope_parameters={**rope, "llama_4_scaling_beta": 0.1})
    ones, at = torch.ones(1, 1, 4, 128), torch.tensor([0, 16383, 16384, 32768])
    lengths = encoding_from_config(config).turn(ones, at).norm(dim=-1).flatten()
    stairs = [1.0, 1.0, 1 + 0.1 * math.log(2), 1 + 0.1 * math.log(3)]
    torch.testing.assert_close(lengths / lengths[0], torch.tensor(stairs))


def test_modernberts_windows_lie_on_both_sides_of_a_token() -> None:
    sizes = {"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 5}
    config = {"model_type": "modernbert", **sizes, "global_attn_every_n_layers": 2, "local_attention": 20}
    seen = [(layer.sees, layer.window) for layer in read_config(config).layers]
    assert seen == [("whole", None), ("both_sides", 10)] * 2 + [("whole", None)]


def test_longformer_says_its_windows_layer_by_layer() -> None:
    config = llama(model_type="longformer", attention_window=[8, 16, 32, 64])
    seen = [(layer.sees, layer.window) for layer in read_config(config).layers]
    assert seen == [("both_sides", half) for half in (4, 8, 16, 32)]


@pytest.mark.parametrize("sliding", [True, False])
def test_smollm_3s_layers_slide_where_they_turn_if_the_file_says_so(sliding: bool) -> None:
    config = llama(model_type="smollm3", no_rope_layers=[1, 1, 0, 1], sliding_window=8)
    layers = read_config({**config, "use_sliding_window": sliding}).layers
    assert [each.makes is RotaryEncoding for each in layers] == [True, True, False, True]
    assert [each.window for each in layers] == ([None, None, 8, None] if sliding else [None] * 4)


@pytest.mark.parametrize(("name", "turns"), [("exaone4", True), ("afmoe", False)])
def test_a_file_without_a_window_lets_the_full_layers_of_some_models_turn(name: str, turns: bool) -> None:
    layers = read_config(llama(model_type=name, sliding_window=None)).layers
    assert {each.makes is RotaryEncoding for each in layers if each.sees == "whole"} == {turns, True}


def test_gpt_neos_list_repeats_types_of_layers() -> None:
    config = {"model_type": "gpt_neo", "hidden_size": 64, "num_heads": 4, "num_layers": 4, "window_size": 9}
    config["attention_types"] = [[["global", "local"], 1], [["local"], 2]]
    assert [layer.window for layer in read_config(config).layers] == [None, 9, 9, 9]


def test_gemma_4_turns_a_quarter_of_the_pairs_in_every_sixth_layer_and_in_the_last() -> None:
    config = {"model_type": "gemma4_text", "num_hidden_layers": 8}
    whole = [layer.settings["turning_pairs"] for layer in read_config(config).layers]
    assert whole == [None] * 5 + [64, None, 64]
    assert plain(repr(encoding_from_config(config, 5))) == plain(
        rotary(512, 1e6, "half_split", turning_pairs=64)
    )


@pytest.mark.parametrize("factor", [1.0, 1.5])
def test_proportional_rotation_can_be_stretched(factor: float) -> None:
    rope = {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6, "factor": factor}
    config = {
        "model_type": "gemma4_text",
        "num_hidden_layers": 6,
        "rope_parameters": {"full_attention": rope},
    }
    stretched = ContextExtension("linear", factor, 131072) if factor > 1 else None
    assert read_config(config).layers[5].settings["extension"] == stretched


def test_a_text_model_inside_a_file_can_have_the_name_of_the_whole() -> None:
    inside = {"model_type": "gemma3", "num_hidden_layers": 6}
    layers = read_config({"model_type": "gemma3", "text_config": inside}).layers
    assert layers == read_config({"model_type": "gemma3_text", "num_hidden_layers": 6}).layers


def test_a_text_model_inside_a_larger_file_is_read() -> None:
    """Gemma 3's larger files do not name heads and widths; the class has values for them."""
    text = {"model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 34, "sliding_window": 1024}
    text["rope_scaling"] = {"factor": 8.0, "rope_type": "linear"}
    config = {"model_type": "gemma3", "text_config": text, "vision_config": {"rope_theta": 1.0}}
    expected = rotary(256, 1e6, "half_split", extension=ContextExtension("linear", 8.0, 131072))
    assert repr(encoding_from_config(config, 5)) == expected == repr(encoding_from_config(text, 5))
    assert repr(encoding_from_config(config, 4)) == rotary(256, 1e4, "half_split"), (
        "local layers are not stretched"
    )


# --- old keys and new -----------------------------------------------------------------------------------

numbers = st.floats(1.5, 1e7)
SCALINGS = st.one_of(
    st.none(),
    st.fixed_dictionaries({"rope_type": st.just("linear"), "factor": st.floats(1, 64)}),
    st.fixed_dictionaries({"rope_type": st.just("dynamic"), "factor": st.floats(1, 64)}),
    st.fixed_dictionaries(
        {
            "rope_type": st.just("llama3"),
            "factor": st.floats(1, 64),
            "low_freq_factor": st.floats(0.5, 2),
            "high_freq_factor": st.floats(2, 8),
            "original_max_position_embeddings": st.integers(16, 4096),
        }
    ),
    st.fixed_dictionaries(
        {
            "rope_type": st.just("yarn"),
            "factor": st.floats(1, 64),
            "original_max_position_embeddings": st.integers(16, 4096),
        },
        optional={
            "attention_factor": st.floats(0.5, 2),
            "beta_fast": st.floats(8, 32),
            "beta_slow": st.floats(1, 4),
            "truncate": st.booleans(),
        },
    ),
)


@settings(max_examples=100)
@given(base=numbers, scaling=SCALINGS, short=st.booleans(), pairs=st.integers(2, 16))
def test_old_keys_and_new_keys_give_the_same_encodings(
    base: float, scaling: dict[str, Any] | None, short: bool, pairs: int
) -> None:
    """The key for GPT-NeoX's rotated share has an old and a new name."""
    sizes = {
        "hidden_size": 64,
        "num_attention_heads": 2,
        "num_hidden_layers": 1,
        "max_position_embeddings": 4096,
    }
    share, config = pairs / 16, {"model_type": "gpt_neox", **sizes}
    old = {**(scaling or {})}
    if short and old:
        old["type"] = old.pop("rope_type")
    before = {**config, "rotary_emb_base": base, "rotary_pct": share, "rope_scaling": old or None}
    named = {"rope_theta": base, "partial_rotary_factor": share}
    after = {**config, "rope_parameters": {"rope_type": "default", **(scaling or {}), **named}}
    assert repr(encoding_from_config(before)) == repr(encoding_from_config(after))
    assert repr(encoding_from_config({**config, **named, "rope_scaling": scaling})) == repr(
        encoding_from_config(after)
    )


def test_a_file_may_have_both_old_and_new_keys() -> None:
    config = llama(rope_theta=1e6, rope_scaling={"type": "linear", "factor": 2.0})
    both = {**config, "rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e6}}
    assert repr(encoding_from_config(both)) == repr(encoding_from_config(config))


@given(whole=numbers, local=numbers, factor=st.floats(1, 64))
def test_gemma_3s_two_bases_in_old_keys_and_new(whole: float, local: float, factor: float) -> None:
    sizes = {"model_type": "gemma3_text", "hidden_size": 64, "num_hidden_layers": 6}
    stretched = {"rope_type": "linear", "factor": factor}
    before = {**sizes, "rope_theta": whole, "rope_local_base_freq": local, "rope_scaling": stretched}
    by_type = {
        "full_attention": {**stretched, "rope_theta": whole},
        "sliding_attention": {"rope_type": "default", "rope_theta": local},
    }
    after = {**sizes, "rope_parameters": by_type}
    for layer in range(6):
        assert repr(encoding_from_config(before, layer)) == repr(encoding_from_config(after, layer))


# --- what is refused ------------------------------------------------------------------------------------


QWEN = {"hidden_size": 64, "num_attention_heads": 4, "max_position_embeddings": 64}
GPT_NEO = {"model_type": "gpt_neo", "num_heads": 1, "num_layers": 1, "hidden_size": 8}
REFUSED: list[tuple[Any, str]] = [
    ([1], r"config must be a mapping.*got list"),
    ({"hidden_size": 8}, r"model_type None is not in the table .*What could be read: hidden_size = 8\."),
    ({"model_type": "gemma3", "text_config": {"model_type": "nobody"}}, r"model_type 'nobody' is not in the"),
    (llama(model_type="llama9"), r"'llama9' is not in the table .*names close to it: llama, llama4"),
    (llama(model_type="optx"), r"'optx' is not in the table .*names close to it: opt"),
    (llama(model_type="nobody"), r"model_type 'nobody' is not in the table .*say so: like=\"llama\""),
    (
        {"model_type": "gemma3", "text_config": {"model_type": "llama"}},
        r"model_type is 'gemma3' but text_config.model_type is 'llama'",
    ),
    ({"model_type": "llama", "num_hidden_layers": 2}, r"there is no key hidden_size"),
    ({"model_type": "gpt2", "n_embd": 8, "n_positions": 9}, r"there is no key n_layer"),
    (llama(num_hidden_layers=100_000_000), r"num_hidden_layers must be at most 10000; got 100000000"),
    (
        {"model_type": "t5", "d_model": 8, "num_heads": 2, "num_layers": 1, "num_decoder_layers": 10**19},
        r"num_decoder_layers must be at most 10000",
    ),
    (llama(rope_theta=10**400), r"rope_theta must be a finite number, above 1; got 1000"),
    (llama(**{"rope_\x1b[2J": 1}), r"unknown keys: rope_\\x1b\[2J\."),
    (
        {**GPT_NEO, "num_layers": 2, "attention_types": [[["local"], 1]]},
        r"attention_types must be a list of 2,",
    ),
    (
        {**GPT_NEO, "attention_types": [[["near"], 1]]},
        r"attention_types .* of global, local; got 1: \['near'\]",
    ),
    ({**GPT_NEO, "attention_types": [[[["local"]], 1]]}, r"attention_types .* of global, local; got 1: \[\["),
    (
        {"model_type": "gemma4_text", "num_hidden_layers": 1, "per_layer_config": [1]},
        r"per_layer_config must be a mapping.*got list",
    ),
    (
        {"model_type": "gemma4_text", "num_hidden_layers": 1, "per_layer_config": {"x": {}}},
        r"unknown keys: per_layer_config\.x\.",
    ),
    (
        {
            **{**LLAMA, "model_type": "phi3", "original_max_position_embeddings": 1024},
            "rope_scaling": {"type": "longrope", "short_factor": [1.0] * 8, "long_factor": [1.0] * 7},
        },
        r"long_factors must have a number for each pair, 8 for rotary_dim=16; got 7",
    ),
    (
        {
            **{**LLAMA, "model_type": "phi3", "original_max_position_embeddings": 1024},
            "rope_scaling": {"type": "longrope", "short_factor": [1.0] * 7, "long_factor": [1.0] * 8},
        },
        r"short_factors must have a number for each pair, 8 for rotary_dim=16; got 7",
    ),
    (llama(hidden_size="64"), r"hidden_size must be a whole number.*got '64'"),
    (llama(num_attention_heads=5), r"hidden_size=64 is not divisible by .*=5"),
    (llama(rope_ntk_alpha=1.0), r"unknown keys: rope_ntk_alpha\. The code of .*/llama"),
    (llama(sliding_window=512), r"unknown keys: sliding_window\."),
    (llama(model_type="gpt_neox", rotary_emb_base=1), r"^rotary_emb_base .*above 1; got 1"),
    (
        llama(rope_scaling={"type": "linear", "factor": 2.0, "beta_fast": 32}),
        r"unknown keys: rope_scaling\.beta_fast\.",
    ),
    (llama(rope_scaling={"type": "mrope"}), r"rope_scaling\.rope_type .*got 'mrope'"),
    (llama(rope_scaling={"type": "linear"}), r"there is no key rope_scaling\.factor"),
    (
        llama(model_type="qwen2_vl_text", rope_scaling={"type": "mrope", "mrope_section": [4, 2, 1]}),
        r"mrope_section is \[4, 2, 1\], which adds up to 7, but 8 pairs rotate",
    ),
    (
        llama(model_type="qwen2_vl_text", rope_scaling={"mrope_interleaved": True}),
        r"mrope_interleaved is True, but .*always stand in sections",
    ),
    (
        llama(model_type="qwen3_vl_text", rope_scaling={"mrope_interleaved": False}),
        r"mrope_interleaved is False, but .*always take turns",
    ),
    (
        llama(model_type="qwen3_vl_text", head_dim=16, rope_parameters={"mrope_section": [5, 3]}),
        r"mrope_section must be three whole numbers.*got \[5, 3\]",
    ),
    (
        llama(model_type="qwen3_vl_text", head_dim=32, rope_parameters={"mrope_section": [9, 2, 5]}),
        r"no encoding here has the order that the code of .*qwen3_vl makes of it",
    ),
    ({"model_type": "hunyuan_vl_text"}, r"no encoding of this kind here.*lengths change"),
    ({"model_type": "ernie4_5_vl_moe_text"}, r"no encoding of this kind here.*row and column take turns"),
    (
        llama(model_type="longformer", attention_window=[8]),
        r"attention_window has 1 entries and the model 4 layers",
    ),
    *(
        (
            {**GPT_NEO, "attention_types": [each]},
            rf"attention_types must be a list such as .*got {re.escape(f'[{each}]')}",
        )
        for each in (
            *(1, [["local"], 1, 1], [["local"], 1.0], [["local"], 0], [["local"], 10_001]),
            [["global", "local"], 5001],
        )
    ),
    *(
        ({"model_type": "qwen2", **QWEN, "layer_types": each}, "there is no key num_hidden_layers")
        for each in ([], "full_attention")
    ),
    (
        llama(rope_parameters={"rope_type": "linear", "factor": 0.5}),
        r"rope_parameters\.factor .*1 or more; got 0\.5",
    ),
    (
        llama(rope_scaling={"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4}),
        r"there is no key rope_scaling\.original_max_position_embeddings",
    ),
    (
        llama(rope_theta=1e4, rope_parameters={"rope_type": "default", "rope_theta": 5e5}),
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
        r"rope_scaling\.rope_type is 'dynamic' but rope_scaling\.type is 'linear'",
    ),
    (
        llama(original_max_position_embeddings=2048, rope_scaling=YARN),
        r"original_max_position_embeddings is 1024 but original_max_position_embeddings is 2048",
    ),
    (llama(rope_scaling={**YARN, "mscale": 1.0}), r"mscale and .*mscale_all_dim go together"),
    (
        llama(rope_scaling={**YARN, "mscale": 1.0, "mscale_all_dim": 1.0, "attention_factor": 1.2}),
        r"attention_factor is 1\.2 but mscale / mscale_all_dim is 1\.0",
    ),
    (
        llama(partial_rotary_factor=0.5),
        r"partial_rotary_factor is 0\.5, but the code of transformers/models/llama does not read it",
    ),
    (
        {**LLAMA, "model_type": "phi", "partial_rotary_factor": 1.5},
        r"partial_rotary_factor must be at most 1; got 1\.5",
    ),
    (
        {**LLAMA, "model_type": "phi", "partial_rotary_factor": 0.5, "rotary_dim": 4},
        r"rotary_dim is 4 but int\(16 · partial_rotary_factor\) is 8",
    ),
    (
        {**LLAMA, "model_type": "smollm3", "no_rope_layers": [1, 1, 0]},
        r"no_rope_layers must be a list of 4.*got 3: ",
    ),
    (
        {**LLAMA, "model_type": "cohere2", "layer_types": ["full_attention"] * 3 + ["linear_attention"]},
        r"layer_types must be a list of 4.*linear_attention",
    ),
    (
        {"model_type": "gemma4_text", "num_hidden_layers": 1, "layer_types": ["sliding_attention"]},
        r"layer_types\[-1\] is 'sliding_attention' but .*gemma4 is 'full_attention'",
    ),
    (
        {**LLAMA, "model_type": "gemma3_text", "rope_parameters": {"factor": 8.0}},
        r"unknown keys: rope_parameters\.factor\.",
    ),
    (
        {**LLAMA, "model_type": "bert", "position_embedding_type": "relative_key"},
        r"position_embedding_type is 'relative_key', but the code of .*bert has only 'absolute'",
    ),
    (
        {"model_type": "mpt", "n_heads": 2, "n_layers": 1, "attn_config": {"alibi_bias_max": 16}},
        r"attn_config\.alibi_bias_max is 16, but .* has only 8",
    ),
    (
        {**LLAMA, "model_type": "deepseek_v3", "qk_rope_head_dim": 8, "rope_interleave": "yes"},
        r"rope_interleave must be true or false; got 'yes'",
    ),
    (
        {
            **{**LLAMA, "model_type": "phi3", "original_max_position_embeddings": 1024},
            "rope_scaling": {"type": "longrope", "short_factor": [1.0] * 8},
        },
        r"method 'longrope' needs long_factors",
    ),
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


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 10**6) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@settings(max_examples=150)
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


@pytest.mark.parametrize("name", NAMES)
def test_sources_md_names_every_file(name: str) -> None:
    assert f"`{name}.json`" in (FILES / "SOURCES.md").read_text("utf-8")


def test_every_family_says_where_it_was_read() -> None:
    assert all(family.source.startswith("transformers/models/") for family in families().values())


GRANITE = llama(model_type="granite", attention_multiplier=0.0078125)


def test_a_key_of_the_attention_that_no_encoding_has_is_named() -> None:
    told = describe_config(GRANITE)
    assert "also reads attention_multiplier = 0.0078125" in told.en
    assert "还读 attention_multiplier = 0.0078125" in told.zh
    assert "multiplier" not in describe_config({**GRANITE, "attention_multiplier": 1.0}).en


ESCAPE = "\x1b[2J"  # clears a terminal


@pytest.mark.parametrize(
    ("config", "like"),
    [
        (llama(**{f"rope_{ESCAPE}": False}), None),
        ({**GRANITE, "attention_multiplier": ESCAPE}, None),
        (llama(model_type=ESCAPE), "llama"),
    ],
    ids=["key", "value", "name"],
)
def test_what_a_file_says_cannot_command_a_terminal(config: dict[str, Any], like: str | None) -> None:
    told = describe_config(config, like)
    assert ESCAPE not in told.en + told.zh and r"\x1b[2J" in told.en


def test_the_name_of_a_vision_tower_cannot_command_a_terminal_either() -> None:
    with pytest.raises(BilingualValueError, match=r"the vision tower \\x1b\[2J is not in the table") as told:
        describe_config({"model_type": ESCAPE}, part="vision")
    assert ESCAPE not in told.value.zh


@pytest.mark.parametrize(
    ("name", "key"), [("esm", "position_embedding_type"), ("falcon", "alibi"), ("zamba2", "use_mem_rope")]
)
@pytest.mark.parametrize("value", [[], {}])
def test_a_list_or_a_mapping_chooses_no_other_encoding(name: str, key: str, value: object) -> None:
    """The code compares the value with one that chooses another encoding."""
    sizes = {"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2}
    config = {"model_type": name, **sizes, "max_position_embeddings": 64, key: value}
    assert describe_config(config) == describe_config({**config, key: "other"})


def test_an_unknown_model_is_read_only_like_a_named_model() -> None:
    config = llama(model_type="nobody", rope_theta=5e5)
    with pytest.raises(BilingualValueError, match=r"could be read: .*rope_theta = 500000\.0.*--like llama"):
        encoding_from_config(config)
    assert repr(encoding_from_config(config, like="llama")) == repr(
        encoding_from_config(llama(rope_theta=5e5))
    )
    inside = {"model_type": "nobody_vl", "text_config": config}
    assert repr(encoding_from_config(inside, like="llama")) == repr(
        encoding_from_config(config, like="llama")
    )
    with pytest.raises(BilingualValueError, match=r"like='lama' is not in the table; .*llama"):
        encoding_from_config(config, like="lama")


def test_a_layer_with_a_base_of_zero_does_not_turn() -> None:
    config = llama(model_type="granite_swa", layer_rope_theta=[1e4, 0, 5e5, 0.0])
    layers = [encoding_from_config(config, layer) for layer in range(4)]
    assert [type(each) for each in layers] == [RotaryEncoding, PositionEncoding] * 2
    assert [layers[0].base, layers[2].base] == [1e4, 5e5]


@pytest.mark.parametrize(
    "silent",
    [{"use_mrope": False}, {"rope_interleaved": False}, {"rope_scaling": None}, {"sliding_window": None}],
)
def test_a_key_that_is_false_or_none_is_accepted(silent: dict[str, Any]) -> None:
    assert repr(encoding_from_config(llama(**silent))) == repr(encoding_from_config(LLAMA))
