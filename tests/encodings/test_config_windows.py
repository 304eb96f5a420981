"""How far each layer sees: windows from a configuration."""

from __future__ import annotations

from typing import Any

import pytest

from posenc_lessons.encodings import RotaryEncoding
from posenc_lessons.encodings.config import read_config
from tests.encodings.released import llama

WHOLE = ("whole", None)
QWEN = llama(model_type="qwen2", use_sliding_window=True, sliding_window=9)
DOTS = llama(model_type="dots1", sliding_window=8, layer_types=["sliding_attention"] * 4)
SMOLLM = llama(model_type="smollm3", no_rope_layers=[1, 1, 0, 1], sliding_window=8)
NEO = {"model_type": "gpt_neo", "hidden_size": 64, "num_heads": 4, "num_layers": 4, "window_size": 9}
MODERNBERT = {"model_type": "modernbert", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 5}


@pytest.mark.parametrize(
    ("config", "seen"),
    [
        (llama(model_type="gemma2"), [("sliding", 4096), WHOLE] * 2),
        ({**QWEN, "max_window_layers": 0}, [("sliding", 9)] * 4),
        ({**QWEN, "max_window_layers": 3}, [WHOLE] * 3 + [("sliding", 9)]),
        (DOTS, [WHOLE] * 4),
        ({**DOTS, "use_sliding_window": True}, [("sliding", 8)] * 4),
        ({**SMOLLM, "use_sliding_window": True}, [WHOLE, WHOLE, ("sliding", 8), WHOLE]),
        ({**SMOLLM, "use_sliding_window": False}, [WHOLE] * 4),
        (
            {**NEO, "attention_types": [[["global", "local"], 1], [["local"], 2]]},
            [WHOLE] + [("sliding", 9)] * 3,
        ),
        (
            {**MODERNBERT, "global_attn_every_n_layers": 2, "local_attention": 20},
            [WHOLE, ("both_sides", 10)] * 2 + [WHOLE],
        ),
        (
            llama(model_type="longformer", attention_window=[8, 16, 32, 64]),
            [("both_sides", half) for half in (4, 8, 16, 32)],
        ),
    ],
    ids=lambda case: case["model_type"] if isinstance(case, dict) else "",
)
def test_how_far_each_layer_sees(config: dict[str, Any], seen: list[tuple[str, int | None]]) -> None:
    """Qwen 2 and Dots have windows only if the file says so; SmolLM3's are in the layers that do not turn."""
    assert [(layer.sees, layer.window) for layer in read_config(config).layers] == seen


@pytest.mark.parametrize(("name", "turns"), [("exaone4", True), ("afmoe", False)])
def test_a_file_without_a_window_lets_the_full_layers_of_some_models_turn(name: str, turns: bool) -> None:
    layers = read_config(llama(model_type=name, sliding_window=None)).layers
    assert {each.makes is RotaryEncoding for each in layers if each.sees == "whole"} == {turns, True}
