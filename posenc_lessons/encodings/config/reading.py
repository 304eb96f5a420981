"""A model's ``config.json`` → the encoding of each of its layers.

``encoding_from_config(config, layer)`` reads the keys of old and new files alike. What a file leaves to the
model's code is in the table of ``families.py``; what nobody knows is an error, never a guess.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from posenc_lessons.encodings.alibi import ALiBi
from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.encodings.config.families import BY_NAME, Family
from posenc_lessons.encodings.config.keys import Keys, same_or_refuse
from posenc_lessons.encodings.config.layers import LayerPositions, rotary_layers
from posenc_lessons.encodings.doors import PositionEncoding
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.encodings.t5 import T5RelativeBias
from posenc_lessons.language import BilingualValueError


@dataclass(frozen=True)
class ModelPositions:
    """A configuration that was read: its family and its layers, an encoder's before its decoder's."""

    name: str
    family: Family
    layers: tuple[LayerPositions, ...]


def encoding_from_config(config: Mapping[str, Any], layer: int = 0) -> PositionEncoding:
    """The encoding of one layer of the model that ``config`` describes.

    >>> config = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
    ...           "num_hidden_layers": 32, "max_position_embeddings": 8192, "rope_theta": 500000.0}
    >>> encoding_from_config(config)
    RotaryEncoding(128, base=500000, pairing='half_split', rotary_dim=128)

    An encoding of door 1 (GPT-2, BERT) is the same for every layer and is added once, before the first. For
    DeepSeek V3 it is that of the head's rotary part alone. In a file with encoder and decoder (T5), the
    decoder's layers are numbered after the encoder's.

    Args:
        config: a mapping as in a model's ``config.json``: older keys (``rope_theta``, ``rope_scaling``) or
            newer ones (``rope_parameters``), with the text model in ``text_config`` or not.
        layer: which layer, from 0.

    Returns:
        A fresh encoding; a plain ``PositionEncoding()`` where the layer knows no positions.

    Raises:
        ValueError: an unknown ``model_type``; a key about positions that is missing, unknown, or contradicts
            another; a layer that the model has not.
    """
    layers = read_config(config).layers
    layer = whole_number("layer", layer, 0)
    if layer >= len(layers):
        raise BilingualValueError(
            f"这个模型有 {len(layers)} 层，layer 是 0 到 {len(layers) - 1}，收到 {layer}",
            f"the model has {len(layers)} layers, so layer is 0 to {len(layers) - 1}; got {layer}",
        )
    return layers[layer].encoding()


def read_config(config: Mapping[str, Any]) -> ModelPositions:
    """What ``config``, a mapping as in a ``config.json``, says of every layer.

    Raises:
        ValueError: as for ``encoding_from_config``.
    """
    keys, family, name = _keys_and_family(config)
    for key, wanted in family.fixed.items():
        if (value := keys.said(key)) is not None and value != wanted:
            raise BilingualValueError(
                f"{keys.where}{key} 是 {value!r}，但 {family.source} 的代码只有 {wanted!r} 一种",
                f"{keys.where}{key} is {value!r}, but the code of {family.source} has {wanted!r} alone",
            )
    for key in (*family.ignored, *family.longest):
        keys.said(key)
    layers = _READERS[family.kind](keys, family)
    keys.refuse_unread(family.source, only_about_positions=True)
    return ModelPositions(name, family, tuple(layers))


def _keys_and_family(config: Mapping[str, Any]) -> tuple[Keys, Family, str]:
    outer = Keys(config)
    name = outer.said("model_type")
    family = BY_NAME.get(name) if isinstance(name, str) else None
    if family is None:
        known = ", ".join(sorted(BY_NAME))
        raise BilingualValueError(
            f"model_type 必须是 {known} 之一：别的模型怎样放位置，这里不知道，也不猜；收到 {name!r}",
            f"model_type must be one of {known}: how others place positions is not known here and not"
            f" guessed; got {name!r}",
        )
    if len(family.names) > 1 and (inner := outer.said("text_config")) is not None:
        keys = Keys(inner, "text_config.", family.missing)
        inner_name = keys.said("model_type")
        if inner_name not in (None, *family.names):
            same_or_refuse("model_type", name, "text_config.model_type", inner_name)
        return keys, family, name
    nested = config.get("attn_config")
    if isinstance(nested, Mapping):  # MPT's
        config = {**config, **{f"attn_config.{key}": value for key, value in nested.items()}}
    return Keys(config, missing=family.missing), family, name


def _learned(keys: Keys, family: Family) -> list[LayerPositions]:
    settings = {"d_model": keys.whole(*family.width), "max_len": keys.whole(*family.longest)}
    layer = LayerPositions(LearnedEncoding, settings, remarks=family.remarks)
    return [layer] * keys.whole(*family.layers)


def _alibi(keys: Keys, family: Family) -> list[LayerPositions]:
    layer = LayerPositions(ALiBi, {"n_heads": keys.whole(*family.heads)}, remarks=family.remarks)
    return [layer] * keys.whole(*family.layers)


def _t5(keys: Keys, family: Family) -> list[LayerPositions]:
    layers = keys.whole(*family.layers)
    later = keys.said("num_decoder_layers")
    later = layers if later is None else keys.whole("num_decoder_layers")
    sizes = {
        "n_heads": keys.whole(*family.heads),
        "n_buckets": keys.whole("relative_attention_num_buckets"),
        "max_distance": keys.whole("relative_attention_max_distance"),
    }
    encoder, decoder = (
        LayerPositions(T5RelativeBias, {**sizes, "bidirectional": both_ways}, remarks=family.remarks)
        for both_ways in (True, False)
    )
    if keys.flag("is_encoder_decoder", True):
        return [encoder] * layers + [decoder] * later
    return [decoder if keys.flag("is_decoder", False) else encoder] * layers


_READERS = {"learned": _learned, "alibi": _alibi, "t5": _t5, "rotary": rotary_layers}
