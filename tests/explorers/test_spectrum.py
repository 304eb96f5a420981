"""The spectrum explorer shows the wavelengths, windows and scores that a model's own encodings have."""

import json

import numpy as np
import pytest
import torch

from posenc_lessons.configs.table import read_table
from posenc_lessons.encodings import RotaryEncoding
from posenc_lessons.explorers.spectrum import SpectrumExplorer, spectrum
from posenc_lessons.explorers.spectrum_models import presets
from posenc_lessons.figures.scene import Labels, Points
from posenc_lessons.figures.spectrum import layer_at
from tests.oracles.spectrum_presets import CONFIGS, RELEASED

FILES = {name: file for name, _, file in RELEASED}
TURNING = [
    (name, at) for name, model in presets().items() for at, kind in enumerate(model.kinds) if kind.rotary
]


@pytest.mark.parametrize("name", FILES)
def test_a_released_model_has_the_layers_of_its_configuration(name: str) -> None:
    config = json.loads((CONFIGS / f"{FILES[name]}.json").read_text("utf-8"))
    model = presets()[name]
    for number, layer in zip(model.layers, read_table(config, "").layers, strict=True):
        kind = model.kinds[number]
        sees_all = layer.window is None or layer.window >= model.context
        assert kind.window == (None if sees_all else layer.window)
        assert (kind.rotary is not None) == (layer.makes is RotaryEncoding)
        if kind.rotary is not None:
            assert repr(RotaryEncoding(**kind.rotary)) == repr(layer.encoding())


@pytest.mark.parametrize(("name", "at"), TURNING)
def test_wavelengths_are_those_of_the_encoding(name: str, at: int) -> None:
    model = presets()[name]
    kind = model.kinds[at]
    assert kind.rotary is not None
    numbers = spectrum(model, kind)
    extension = kind.extension and kind.extension.reaching(model.context)
    rotary = RotaryEncoding(**{**kind.rotary, "extension": extension})
    ones = torch.ones(1, 1, 1, rotary.d_head, dtype=torch.float64)
    some = torch.tensor([1, 7, 100])  # [n]
    query = rotary.turn(ones, torch.zeros(1, dtype=torch.int64))
    keys = rotary.turn(ones.expand(1, 1, len(some), rotary.d_head), some)  # [1, 1, n, d]
    scale = 1.0 if kind.extension is None else kind.extension.scale
    scores = (query * keys).sum(dim=-1)[0, 0] / scale**2
    angles = some[:, None].numpy() * 2 * np.pi / numbers.waves  # [n, d/2]
    beside = kind.d_head - rotary.d_head  # features beside the head, which do not turn
    np.testing.assert_allclose(2 * np.cos(angles).sum(axis=1), scores + beside, atol=1e-6)


@pytest.mark.parametrize(
    ("model", "layer", "words"),
    [
        ("qwen3_next", 0, "no queries and keys"),
        ("qwen3_next", 3, "30 make a full turn"),
        ("qwen3_next", 3, "96 do not turn"),
        ("gemma3", 0, "62 make a full turn within a window of 512 tokens, 66 make less"),
        ("gemma3", 5, "80 make a full turn within a context of 32,768 tokens"),
        ("llama31", 0, "29 pairs meet angles that training did not have"),
    ],
)
def test_the_reading_counts_the_pairs_that_turn(model: str, layer: int, words: str) -> None:
    assert words in SpectrumExplorer(model=model, layer=layer).reading.en


def test_dials_show_how_far_pairs_turn_and_all_pairs_are_plotted_on_request() -> None:
    explorer = SpectrumExplorer(model="gemma4", layer=5)
    dials = explorer.present_scene()[0].panels[0]
    turns = {layer.name: layer.texts for layer in dials.layers if isinstance(layer, Labels)}
    assert len(turns["full_turns"]) == 3 and turns["still_turns"] == ("0°",) * 9
    explorer.controls["plot"].value = True
    plotted = explorer.present_scene()[0].panels[0]
    points = [layer for layer in plotted.layers if isinstance(layer, Points)]
    assert plotted.name == "spectrum" and sum(len(layer.x) for layer in points) == 256


def test_the_length_in_training_is_that_before_the_extension() -> None:
    explorer = SpectrumExplorer(model="gpt_oss", layer=1)
    arrays = explorer.compute(explorer.parameters())
    assert (arrays["trained"], arrays["context"]) == (4096, 131072)


@pytest.mark.parametrize(("x", "layer"), [(0, 0), (25.4, 25), (40.0, 25), (-3.0, 0)])
def test_a_press_finds_the_layer_of_its_column(x: float, layer: int) -> None:
    assert layer_at(x, 26) == layer
