"""The message about an unknown model: similar names, and keys that could be read."""

from __future__ import annotations

import pytest

from posenc_lessons.encodings import encoding_from_config
from posenc_lessons.encodings.config import read_config
from posenc_lessons.encodings.config.families import families
from posenc_lessons.encodings.config.unknown import found_keys, near_names
from posenc_lessons.language import BilingualValueError
from tests.encodings.released import llama

UNSEEN = [name for name, family in families().items() if family.kind == "unseen"]
AROUND_UNSEEN = [name for name, family in families().items() if family.inside and family.of in UNSEEN]


@pytest.mark.parametrize(
    ("wanted", "near"),
    [
        ("qwen9", ["qwen", "qwen2", "qwen3"]),  # equally similar: the shorter first, then alphabetically
        ("qwen2_moe_vl", ["qwen2_moe", "qwen2_vl", "qwen2"]),  # 9, 6 and 5 letters in common
        ("LLAMA", ["llama", "llama4"]),
        ("qw", []),
        ("gpt", ["gpt2", "gptj", "gpt_neox"]),
    ],
)
def test_the_three_closest_names_are_offered(wanted: str, near: list[str]) -> None:
    names = ["gpt2", "gpt_neox", "gptj", "llama", "llama4", "qwen", "qwen2", "qwen2_moe", "qwen2_vl", "qwen3"]
    assert near_names(wanted, names) == near


def test_only_a_long_value_is_cut() -> None:
    config = {"rope_scaling": "x" * 58, "rope_theta": "x" * 59, "vocab_size": 7, "d_model": None}
    assert found_keys(config) == [f"rope_scaling = '{'x' * 58}'", f"rope_theta = '{'x' * 56}…"]


def test_twelve_keys_at_most_are_listed_and_inner_ones_come_last() -> None:
    config = {f"rope_{i}": i for i in range(11)}
    inside = {"rope_theta": 5, "d_model": 8}
    assert found_keys({"text_config": inside, **config})[9:] == [
        "rope_9 = 9",
        "rope_10 = 10",
        "text_config.rope_theta = 5",
    ]


@pytest.mark.parametrize("name", UNSEEN + AROUND_UNSEEN)
def test_a_text_model_that_could_not_be_looked_at_is_refused_by_itself_and_inside(name: str) -> None:
    config = {"model_type": name}
    if name in AROUND_UNSEEN:
        assert families()[name].inside == "text_config"
        config["text_config"] = {"model_type": families()[name].of}
    for given in (config, {"model_type": name}):
        with pytest.raises(
            BilingualValueError, match=r"no small model of transformers/models/.* could be built"
        ):
            read_config(given)


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
