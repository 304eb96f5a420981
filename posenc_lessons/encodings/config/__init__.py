"""Read a model's ``config.json``: the encoding of each of its layers, or a description in words."""

from posenc_lessons.encodings.config.reading import ModelPositions, encoding_from_config, read_config
from posenc_lessons.encodings.config.words import describe_config

__all__ = ["ModelPositions", "describe_config", "encoding_from_config", "read_config"]
