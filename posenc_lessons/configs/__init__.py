"""Read a model's ``config.json``: what each of its layers does with positions, as encodings or in words.

With transformers installed everything is measured on a small model of the type's own class. Three commands,
from a checkout, make what is committed; the last two go on where they were:

    python -m tests.oracles.config_table    table.json: well-known types, for readers without transformers
    python -m tests.oracles.config_census   census.json: every type, for lesson 10 and the site (with --write)
    python -m tests.oracles.config_sweep    tests/oracles/config_sweep.json: every key that speaks of layers
"""

from posenc_lessons.configs.layers import Layer, ModelPositions, Rotation
from posenc_lessons.configs.reading import encoding_from_config, read_config
from posenc_lessons.configs.words import describe_config

__all__ = [
    "Layer",
    "ModelPositions",
    "Rotation",
    "describe_config",
    "encoding_from_config",
    "read_config",
]
