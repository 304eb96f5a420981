"""Keys that a file does not have get the value of transformers' class."""

from __future__ import annotations

from typing import Any

import pytest
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from posenc_lessons.encodings.config.families import families
from posenc_lessons.encodings.config.towers import towers_table

MISSING = {name: row.missing for table in (families(), towers_table()) for name, row in table.items()}
# The code does not run with the class's None; all released files have 1.
NONE = {"esm": {"pad_token_id": None}}


def of_class(name: str, key: str) -> Any:
    config = CONFIG_MAPPING[name]()
    if key == "global_head_dim":  # Gemma 4's class has one for each layer
        return max(layer.head_dim for layer in config.per_layer_config)
    value: Any = config.to_dict()
    for part in key.split("."):
        value = value[part]
    return value


@pytest.mark.parametrize("name", [name for name, missing in MISSING.items() if missing])
def test_a_key_that_is_missing_has_the_value_of_the_class(name: str) -> None:
    of_classes = {key: of_class(name, key) for key in MISSING[name]}
    assert of_classes == {**MISSING[name], **NONE.get(name, {})}
