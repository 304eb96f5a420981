"""The description of a configuration: its settings and what is unusual about them."""

from __future__ import annotations

from typing import Any

import pytest

from posenc_lessons.encodings import describe_config
from posenc_lessons.language import BilingualValueError
from tests.encodings.released import FILES, LLAMA, NAMES, YARN, llama, released


def test_the_description_of_gpt_oss() -> None:
    told = describe_config(released("gpt-oss-120b"))
    for words in (
        "layers 0, 2, …, 34",
        "half_split: features i and i + 32 are a pair",
        "base:       150000",
        "32 times, from 4096 tokens (yarn)",
        "queries and keys × 1.34657, so scores × 1.81326",
        "the last 128 tokens (sliding)",
        "truncate: false",
        "attention sink",
    ):
        assert words in told.en
    assert "第 0, 2, …, 34 层" in told.zh and "最近的 128 个词元" in told.zh


SILENT = llama(rope_scaling={"type": "yarn", "factor": 2.0})


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (LLAMA, "the file has no rope_theta: base 10000 is the default in the code"),
        (SILENT, "there is no original_max_position_embeddings"),
        (llama(rope_scaling={**YARN, "factor": 2.0}), "factor is 2 while 4096 / 1024 = 4"),
        (llama(rope_scaling={**YARN, "attention_factor": 1e200}), "keys × 1e+200, so scores × inf"),
        (released("smollm3-3b"), "knows no positions, order comes from the mask and the other layers (NoPE)"),
        (released("phi-1"), "the first 32 of the 64 features of a head"),
        (released("phi-3-128k"), "keys in a cache keep their old angles"),
        ({"model_type": "gemma4_text", "num_hidden_layers": 6}, "the fastest 64 of 256 pairs"),
        (
            {"model_type": "gemma3_text", "num_hidden_layers": 6, "use_bidirectional_attention": True},
            "tokens see later ones too",
        ),
        (
            llama(model_type="qwen2_vl_text", rope_scaling={"type": "mrope", "mrope_section": [2, 3, 3]}),
            "time 2 pairs, row 3 pairs, column 3 pairs, one section after the other",
        ),
        ({"model_type": "beam", "num_hidden_layers": 6}, "is multiplied by (1 + (p + 1) / 2048)^0.1"),
        (llama(model_type="ministral3"), "also multiplied by 1 + 0.1 · ln(1 + ⌊p / 16384⌋)"),
        (
            {**LLAMA, "model_type": "ultrabert", "num_hidden_layers": 4},
            "128 tokens before it and 128 after it (sliding, on both sides)",
        ),
        (
            {**LLAMA, "model_type": "smollm3", "no_rope_layers": [1, 0, 1, 0], "no_rope_layer_interval": 4},
            "no_rope_layers and no_rope_layer_interval do not say the same",
        ),
    ],
)
def test_unusual_settings_are_mentioned(config: dict[str, Any], words: str) -> None:
    assert words in describe_config(config).en


def test_a_step_instead_of_a_ramp_is_mentioned() -> None:
    text = released("llama-4-scout")["text_config"]
    text["rope_scaling"] |= {"factor": 16.0, "high_freq_factor": 1.0}
    assert "both limits are equal" in describe_config(text).en


@pytest.mark.parametrize(
    ("seen", "named"),
    [
        ("wwww", ["layers 0–3"]),
        ("wswwssw", ["layers 0, 2–3, 6", "layers 1, 4–5"]),
        ("swswswsw", ["layers 0, 2, 4, 6", "layers 1, 3, 5, 7"]),
        ("swswswsws", ["layers 0, 2, …, 8", "layers 1, 3, 5, 7"]),
        ("sww", ["layer 0", "layers 1–2"]),
    ],
)
def test_lists_of_equal_layers_are_short(seen: str, named: list[str]) -> None:
    kinds = {"w": "full_attention", "s": "sliding_attention"}
    keys = {"layer_types": [kinds[each] for each in seen], "num_hidden_layers": len(seen)}
    told = describe_config({**LLAMA, "model_type": "gemma2", **keys}).en
    assert [line for line in told.splitlines() if line.startswith("layer")] == named


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


READ = [name for name in NAMES if name != "deepseek-r1-0528-qwen3-8b"]  # which is refused


@pytest.mark.parametrize("name", READ)
def test_the_output_for_each_released_file_is_as_committed(name: str) -> None:
    """After an intended change, ``python -m tests.encodings.test_config_words`` writes the files again."""
    assert described(name) == (FILES / f"{name}.txt").read_text("utf-8")


def described(name: str) -> str:
    told = describe_config(released(name))
    return f"{told.en}\n\n{told.zh}\n"


if __name__ == "__main__":
    for each in READ:
        (FILES / f"{each}.txt").write_text(described(each), encoding="utf-8")
