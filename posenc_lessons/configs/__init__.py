"""Read a model's ``config.json``: the encoding of each of its layers, or a description in words."""

from posenc_lessons.configs.layers import Layer, ModelPositions, Rotation
from posenc_lessons.configs.reading import encoding_from_config, read_config
from posenc_lessons.configs.words import describe, describe_config

__all__ = [
    "Layer",
    "ModelPositions",
    "Rotation",
    "describe",
    "describe_config",
    "encoding_from_config",
    "read_config",
]
