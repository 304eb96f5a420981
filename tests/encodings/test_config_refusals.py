"""What is missing, unknown or contradictory in a configuration is refused, with its name.

``test_config_limits.py`` has values next to their limits, ``test_config_keys.py`` keys that no code reads.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.encodings import encoding_from_config
from posenc_lessons.encodings.config import describe_config
from posenc_lessons.language import BilingualValueError
from tests.encodings.released import LLAMA, NAMES, YARN, llama, released

QWEN = {"hidden_size": 64, "num_attention_heads": 4, "max_position_embeddings": 64}
GPT_NEO = {"model_type": "gpt_neo", "num_heads": 1, "num_layers": 1, "hidden_size": 8}
GEMMA4 = {"model_type": "gemma4_text", "num_hidden_layers": 1}


def longrope(**factors: list[float]) -> dict[str, Any]:
    """Return a Phi-3 of eight rotating pairs with these factors."""
    keys = {"original_max_position_embeddings": 1024, "rope_scaling": {"type": "longrope", **factors}}
    return llama(model_type="phi3", **keys)


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
    ({**GEMMA4, "per_layer_config": [1]}, r"per_layer_config must be a mapping.*got list"),
    ({**GEMMA4, "per_layer_config": {"x": {}}}, r"unknown keys: per_layer_config\.x\."),
    (
        longrope(short_factor=[1.0] * 8, long_factor=[1.0] * 7),
        r"long_factors must have a number for each pair, 8 for rotary_dim=16; got 7",
    ),
    (
        longrope(short_factor=[1.0] * 7, long_factor=[1.0] * 8),
        r"short_factors must have a number for each pair, 8 for rotary_dim=16; got 7",
    ),
    (llama(hidden_size="64"), r"hidden_size must be a whole number.*got '64'"),
    (llama(num_attention_heads=5), r"hidden_size=64 is not divisible by .*=5"),
    (llama(rope_ntk_alpha=True), r"unknown keys: rope_ntk_alpha\. The code of .*/llama"),
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
        llama(model_type="phi", partial_rotary_factor=1.5),
        r"partial_rotary_factor must be at most 1; got 1\.5",
    ),
    (
        llama(model_type="phi", partial_rotary_factor=0.5, rotary_dim=4),
        r"rotary_dim is 4 but int\(16 · partial_rotary_factor\) is 8",
    ),
    (llama(model_type="smollm3", no_rope_layers=[1, 1, 0]), r"no_rope_layers must be a list of 4.*got 3: "),
    (
        llama(model_type="cohere2", layer_types=["full_attention"] * 3 + ["linear_attention"]),
        r"layer_types must be a list of 4.*linear_attention",
    ),
    (
        {**GEMMA4, "layer_types": ["sliding_attention"]},
        r"layer_types\[-1\] is 'sliding_attention' but .*gemma4 is 'full_attention'",
    ),
    (
        llama(model_type="gemma3_text", rope_parameters={"factor": 8.0}),
        r"unknown keys: rope_parameters\.factor\.",
    ),
    (
        llama(model_type="bert", position_embedding_type="relative_key"),
        r"position_embedding_type is 'relative_key', but the code of .*bert has only 'absolute'",
    ),
    (
        {"model_type": "mpt", "n_heads": 2, "n_layers": 1, "attn_config": {"alibi_bias_max": 16}},
        r"attn_config\.alibi_bias_max is 16, but .* has only 8",
    ),
    (
        llama(model_type="deepseek_v3", qk_rope_head_dim=8, rope_interleave="yes"),
        r"rope_interleave must be true or false; got 'yes'",
    ),
    (longrope(short_factor=[1.0] * 8), r"method 'longrope' needs long_factors"),
    *(
        ({**GEMMA4, key: 64}, rf"unknown keys: {key}\.")
        for key in ("rope_theta", "rope_scaling", "partial_rotary_factor", "original_max_position_embeddings")
    ),
    # three programs read this key in three ways
    (released("deepseek-r1-0528-qwen3-8b"), r"unknown keys: rope_scaling\.attn_factor\."),
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
