"""Whole configurations: released files, and text models inside larger files."""

from __future__ import annotations

import pytest

from posenc_lessons.encodings import (
    ContextExtension,
    PositionEncoding,
    QueryTemperature,
    RotaryEncoding,
    T5RelativeBias,
    encoding_from_config,
)
from posenc_lessons.encodings.config import read_config
from tests.encodings.released import FILES, NAMES, assert_same, released

LLAMA3 = ContextExtension("llama3", 8, 8192, slow=1, fast=4)
GPT_OSS = ContextExtension("yarn", 32, 4096, slow=1, fast=32, truncate=False)
DEEPSEEK = ContextExtension("yarn", 40, 4096, slow=1, fast=32, truncate=True, attention_scale=1.0)
# Each file with some of its layers and their encodings.
RELEASED: list[tuple[str, dict[int, PositionEncoding]]] = [
    ("llama-3.1-8b-instruct", {31: RotaryEncoding(128, 500000.0, "half_split", extension=LLAMA3)}),
    ("mistral-7b-instruct-v0.3", {0: RotaryEncoding(128, 1e6, "half_split")}),
    ("phi-1", {0: RotaryEncoding(64, 10000.0, "half_split", 32)}),
    ("qwen2.5-7b-instruct", {27: RotaryEncoding(128, 1e6, "half_split")}),
    ("gemma-3-1b-it", {4: RotaryEncoding(256, 1e4, "half_split"), 5: RotaryEncoding(256, 1e6, "half_split")}),
    ("gpt-oss-120b", dict.fromkeys((0, 35), RotaryEncoding(64, 150000.0, "half_split", extension=GPT_OSS))),
    ("llama-4-scout", {2: RotaryEncoding(128, 500000.0, extension=LLAMA3), 3: QueryTemperature(0.1, 8192)}),
    ("smollm3-3b", {34: RotaryEncoding(128, 5e6, "half_split"), 35: PositionEncoding()}),
    ("t5-small", {5: T5RelativeBias(8, 32, 128), 6: T5RelativeBias(8, 32, 128, False)}),
    ("qwen2.5-0.5b", {23: RotaryEncoding(64, 1e6, "half_split")}),
    ("smollm2-135m", {0: RotaryEncoding(64, 1e5, "half_split")}),
    ("deepseek-v3", {60: RotaryEncoding(64, 10000.0, extension=DEEPSEEK)}),
]


@pytest.mark.parametrize(("name", "layers"), RELEASED)
def test_released_files(name: str, layers: dict[int, PositionEncoding]) -> None:
    for layer, expected in layers.items():
        assert_same(encoding_from_config(released(name), layer), expected)


def test_phi_3s_file_of_two_lists() -> None:
    encoding = encoding_from_config(released("phi-3-128k"))
    assert isinstance(encoding, RotaryEncoding) and encoding.extension is not None
    assert encoding.extension.method == "longrope" and encoding.extension.factor == 32
    assert encoding.rotary_dim == 96 and encoding.extension.scale == pytest.approx(1.19023807)
    assert encoding.extension.long_factors[-1] == 64.81001281738281  # type: ignore[index]


@pytest.mark.parametrize("name", NAMES)
def test_sources_md_names_every_file(name: str) -> None:
    assert f"`{name}.json`" in (FILES / "SOURCES.md").read_text("utf-8")


def test_a_text_model_inside_a_file_can_have_the_name_of_the_whole() -> None:
    inside = {"model_type": "gemma3", "num_hidden_layers": 6}
    layers = read_config({"model_type": "gemma3", "text_config": inside}).layers
    assert layers == read_config({"model_type": "gemma3_text", "num_hidden_layers": 6}).layers


def test_a_text_model_inside_a_larger_file_is_read() -> None:
    """Gemma 3's larger files do not name heads and widths; the class has values for them."""
    text = {"model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 34, "sliding_window": 1024}
    text["rope_scaling"] = {"factor": 8.0, "rope_type": "linear"}
    config = {"model_type": "gemma3", "text_config": text, "vision_config": {"rope_theta": 1.0}}
    stretched = RotaryEncoding(256, 1e6, "half_split", extension=ContextExtension("linear", 8.0, 131072))
    for given in (config, text):
        assert_same(encoding_from_config(given, 5), stretched)
    assert_same(encoding_from_config(config, 4), RotaryEncoding(256, 1e4, "half_split"))  # a local layer
