"""Configurations of small models, and transformers' classes for them."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch
import transformers
from transformers import AutoConfig

LENGTH, LAYERS = 24, 4
NEAR = torch.tensor([5, 0, 1, 2, 40, 41, 63, 7, 7, 20, 30, 31, 3, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 33])
# Sizes that do not affect positions are small.
SMALL: dict[str, Any] = {
    "vocab_size": 40,
    "hidden_size": 64,
    "intermediate_size": 32,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": LAYERS,
    "initializer_range": 0.3,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}


def model(model_type: str, **keys: Any) -> dict[str, Any]:
    return {"model_type": model_type, **SMALL, "max_position_embeddings": 128, **keys}


def class_of(config: dict[str, Any]) -> Any:
    """Return transformers' class with the values of ``config``; skip the test if this version has none."""
    settings = {key: value for key, value in config.items() if key != "model_type"}
    try:
        return AutoConfig.for_model(config["model_type"], **json.loads(json.dumps(settings)))
    except ValueError:
        pytest.skip(f"transformers {transformers.__version__} has no {config['model_type']}")
