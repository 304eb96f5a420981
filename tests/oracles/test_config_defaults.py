"""Keys that a file does not have get the value of transformers' class."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from posenc_lessons.encodings.config import read_config
from posenc_lessons.encodings.config.families import WITHOUT_ATTENTION, families
from posenc_lessons.encodings.config.keys import Keys
from posenc_lessons.encodings.config.layer_types import layer_types
from posenc_lessons.encodings.config.reading import Part
from posenc_lessons.encodings.config.towers import towers_table
from posenc_lessons.language import BilingualValueError
from tests.oracles.descriptions import KEPT, TABLES, TYPES, file_of_class

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


# What the class fills in for some types is refused, as descriptions.json says. Of two others, one must say
# how many layers there are, and the windows of the other alternate, as a remark says.
SAID = json.loads(KEPT.read_text(encoding="utf-8"))
READ = [(part, name) for part, name in TYPES if "settings" in SAID[f"{part} {name}"]]
TYPES_OF_SIZES = [each for each in READ if each[1] not in ("nemotron_h", "neomme")]
SIZES = ("width", "heads", "layers", "later", "longest", "head")
INSIDE = ("text_config", "vision_config", "encoder", "decoder", "thinker_config")


@pytest.mark.parametrize(("part", "name"), TYPES_OF_SIZES, ids=" ".join)
def test_a_file_with_only_sizes_is_read_as_the_class_fills_it(part: Part, name: str) -> None:
    whole = file_of_class(name)
    named = (getattr(TABLES[part][name], size, None) or () for size in SIZES)
    kept = {"model_type", *INSIDE, *chain.from_iterable([x] if isinstance(x, str) else x for x in named)}
    expected = read_config(whole, part=part).layers
    layers = read_config({key: whole[key] for key in whole if key in kept}, part=part).layers
    assert [replace(layer, remarks=()) for layer in layers] == [replace(x, remarks=()) for x in expected]


@pytest.mark.parametrize(
    "name", [name for name, row in towers_table().items() if row.read and "rope_parameters" in row.missing]
)
def test_a_base_outside_a_towers_rope_parameters_is_read_as_the_class_reads_it(name: str) -> None:
    layers = read_config({"model_type": name, "rope_theta": 123.0}, part="vision").layers
    theirs = CONFIG_MAPPING[name](rope_theta=123.0).rope_parameters
    assert {layer.settings["base"] for layer in layers} == {theirs["rope_theta"]} == {123.0}


# Keys that a file may say although the code has just one value.
FIXED = [(name, key, value) for name, row in families().items() for key, value in row.fixed.items()]


@pytest.mark.parametrize(("name", "key", "value"), FIXED)
def test_a_fixed_key_accepts_only_the_value_of_the_code(name: str, key: str, value: Any) -> None:
    config = file_of_class(name)
    outer, _, key = key.rpartition(".")  # MPT's stand inside another

    def saying(said: Any) -> dict[str, Any]:
        return {**config, outer: {**config[outer], key: said}} if outer else {**config, key: said}

    read_config(saying(value))
    other = f"{value}_" if isinstance(value, str) else not value if isinstance(value, bool) else value + 0.5
    with pytest.raises(BilingualValueError, match=rf"{key} is .* has only"):
        read_config(saying(other))


# A file may say which layers turn instead (test_config_rotary_oracles.py), or has to list the types.
BY_RULE = {
    name: row.layers[0]
    for name, row in families().items()
    if row.listed == "layer_types" and not row.by_rope and name != "lfm2_moe"
}
# Their classes make a layer of fewer than four one with attention; no released model is so small.
LEAST = {"olmo_hybrid": 4, "zamba": 4}


def sorts(types: list[str]) -> list[str]:
    return ["without attention" if each in WITHOUT_ATTENTION else each for each in types]


@pytest.mark.parametrize("name", BY_RULE)
def test_missing_types_of_layers_are_those_of_the_class(name: str) -> None:
    row, key = families()[name], BY_RULE[name]
    for n_layers in (1, 2, 3, 4, 5, 6, 7, 8, 13):
        if n_layers >= LEAST.get(name, 1):
            ours = layer_types(Keys({"model_type": name, key: n_layers}), row, n_layers)
            assert sorts(ours) == sorts(CONFIG_MAPPING[name](**{key: n_layers}).layer_types)
