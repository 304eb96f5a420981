"""Write the models that the spectrum explorer shows: ``python -m tests.oracles.spectrum_presets``.

Each comes from a configuration: a released file of ``tests/configs/files``, or transformers' default for
a model type. ``read_config`` reads it, as ``encoding_from_config`` does.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from posenc_lessons.configs import Layer, read_config
from posenc_lessons.encodings.rotary import RotaryEncoding
from posenc_lessons.encodings.temperature import QueryTemperature
from posenc_lessons.explorers import spectrum_models

CONFIGS = Path(__file__).parents[1] / "configs" / "files"
PRESETS = Path(spectrum_models.__file__).with_name("spectrum_presets.json")
# The name in links, the name in the menu, and the released file or transformers' model type.
RELEASED = (
    ("gemma3", "Gemma 3 1B", "gemma-3-1b-it"),
    ("llama31", "Llama 3.1 8B", "llama-3.1-8b-instruct"),
    ("llama4", "Llama 4 Scout", "llama-4-scout"),
    ("gpt_oss", "gpt-oss 120B", "gpt-oss-120b"),
    ("deepseek3", "DeepSeek V3", "deepseek-v3"),
    ("smollm2", "SmolLM2 135M", "smollm2-135m"),
    ("qwen25", "Qwen2.5 7B", "qwen2.5-7b-instruct"),
    ("smollm3", "SmolLM3 3B", "smollm3-3b"),
    ("mistral", "Mistral 7B v0.3", "mistral-7b-instruct-v0.3"),
    ("phi3", "Phi-3 128k", "phi-3-128k"),
    ("phi1", "phi-1", "phi-1"),
)
DEFAULTS = (
    ("gemma4", "Gemma 4", "gemma4_text"),
    ("qwen3_next", "Qwen3-Next", "qwen3_next"),
    ("cohere2", "Cohere 2", "cohere2"),
    ("modernbert", "ModernBERT", "modernbert"),
    ("ministral3", "Ministral 3", "ministral3"),
    ("minimax_m2", "MiniMax M2", "minimax_m2"),
    ("gpt_neox", "GPT-NeoX 20B", "gpt_neox"),
)


def configurations() -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Yield each model's name in links, name in the menu, source ("" for transformers) and configuration."""
    from transformers import AutoConfig

    for name, title, file in RELEASED:
        yield name, title, "released", json.loads((CONFIGS / f"{file}.json").read_text("utf-8"))
    for name, title, model_type in DEFAULTS:
        yield name, title, "defaults", AutoConfig.for_model(model_type).to_dict()


def preset(title: str, source: str, config: dict[str, Any]) -> dict[str, Any]:
    """Return the explorer's data of a configuration: its kinds of layers, and the kind of each layer."""
    kinds: list[Layer] = []
    layers = []
    for layer in read_config(config).layers:
        if layer not in kinds:
            kinds.append(layer)
        layers.append(kinds.index(layer))
    text = config.get("text_config", config)
    return {
        "title": title,
        "source": source,
        "model_type": config["model_type"],
        "context": text["max_position_embeddings"],
        "kinds": [kind_data(kind, text) for kind in kinds],
        "layers": layers,
    }


def kind_data(kind: Layer, text: dict[str, Any]) -> dict[str, Any]:
    """Return a kind of layer as data: width, window, and the arguments of its ``RotaryEncoding``, if any."""
    far = kind.window is None or kind.window >= text["max_position_embeddings"]  # this window hides nothing
    window = None if far else kind.window
    if not kind.attends:
        return {"attention": False}
    if kind.makes is not RotaryEncoding:
        assert not kind.settings or kind.makes is QueryTemperature
        width = text.get("head_dim") or text["hidden_size"] // text["num_attention_heads"]
        return {"d_head": width, "window": window}
    rotary = dict(kind.settings)
    if (extension := rotary["extension"]) is not None:
        rotary["extension"] = {name: value for name, value in asdict(extension).items() if value is not None}
    # In latent attention, the rotated part is beside one that does not turn.
    width = rotary["d_head"] + text.get("qk_nope_head_dim", 0)
    turning = {name: value for name, value in rotary.items() if value is not None}
    return {"d_head": width, "window": window, "rotary": turning}


def presets() -> dict[str, Any]:
    """Return the whole file as data."""
    import transformers

    found = {name: preset(title, source, config) for name, title, source, config in configurations()}
    # as JSON has them: tuples are lists
    return json.loads(json.dumps({"transformers": transformers.__version__, "models": found}))


def main() -> None:
    """Write the file, with one model on each line."""
    made = presets()
    lines = [f"  {json.dumps(name)}: {json.dumps(model)}" for name, model in made["models"].items()]
    head = f'{{"transformers": {json.dumps(made["transformers"])},\n "models": {{\n'
    PRESETS.write_text(head + ",\n".join(lines) + "\n }}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
