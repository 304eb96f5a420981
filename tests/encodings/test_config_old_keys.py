"""Old keys and new ones, and keys that change nothing, give the same encodings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.encodings import encoding_from_config
from tests.encodings.released import YARN, llama

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


LINEAR = {"rope_theta": 1e6, "rope_scaling": {"type": "linear", "factor": 2.0}}


@pytest.mark.parametrize(
    ("keys", "same"),
    [
        *(({key: False}, {}) for key in ("use_mrope", "rope_interleaved")),
        *(({key: None}, {}) for key in ("rope_scaling", "sliding_window")),
        ({"rope_scaling": {**YARN, "finetuned": True}}, {"rope_scaling": YARN}),
        ({**LINEAR, "rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e6}}, LINEAR),
    ],
    ids=["no mrope", "not interleaved", "no scaling", "no window", "trained further", "old and new"],
)
def test_keys_that_are_silent_or_repeat_others_change_nothing(
    keys: dict[str, Any], same: dict[str, Any]
) -> None:
    assert repr(encoding_from_config(llama(**keys))) == repr(encoding_from_config(llama(**same)))
