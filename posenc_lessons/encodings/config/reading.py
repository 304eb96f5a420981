"""Read a model's ``config.json`` and make the encoding of each of its layers.

``encoding_from_config(config, layer)`` reads the keys of old and new files. What a file leaves to the model's
code is in the table ``census.json``; what is in neither is an error, never a guess.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from posenc_lessons.encodings.alibi import ALiBi
from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.encodings.config.by_hand import ONCE
from posenc_lessons.encodings.config.families import WITHOUT_ATTENTION, Family, families
from posenc_lessons.encodings.config.keys import Keys, printable, same_or_refuse
from posenc_lessons.encodings.config.layer_types import layer_types, number_of_layers
from posenc_lessons.encodings.config.layers import LayerPositions, no_attention, rotary_layers
from posenc_lessons.encodings.config.towers import Tower, read_tower
from posenc_lessons.encodings.config.unknown import unknown_model
from posenc_lessons.encodings.config.views import views
from posenc_lessons.encodings.doors import PositionEncoding
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.encodings.sinusoidal import SinusoidalEncoding
from posenc_lessons.encodings.t5 import T5RelativeBias
from posenc_lessons.language import BilingualValueError, Text

Part = Literal["text", "vision"]


@dataclass(frozen=True)
class ModelPositions:
    """A configuration as it was read: its family and its layers, those of an encoder before its decoder's."""

    name: str
    family: Family | Tower
    layers: tuple[LayerPositions, ...]


def encoding_from_config(
    config: Mapping[str, Any], layer: int = 0, like: str | None = None, part: Part = "text"
) -> PositionEncoding:
    """Return the encoding of one layer of the model that ``config`` describes.

    >>> config = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
    ...           "num_hidden_layers": 32, "max_position_embeddings": 8192, "rope_theta": 500000.0}
    >>> encoding_from_config(config)
    RotaryEncoding(128, base=500000, pairing='half_split', rotary_dim=128)

    An encoding of door 1 (GPT-2, BERT) is the same for every layer and is added once, before the first. For
    DeepSeek V3 it covers only the rotary part of the head. In a file with encoder and decoder (T5), the
    decoder's layers are numbered after the encoder's.

    Args:
        config: a mapping as in a model's ``config.json``: older keys (``rope_theta``, ``rope_scaling``) or
            newer ones (``rope_parameters``), with the text model in ``text_config`` or not.
        layer: which layer, from 0.
        like: the ``model_type`` whose code is like this model's, for a type that is not in the table.
        part: "text", or "vision" for the vision tower in ``vision_config`` (or the file's own model); its
            encodings read (row, column), a learned table the number of a patch. A table beside another
            encoding comes with it in a ``Together``, in each layer; a model adds it once.

    Returns:
        A new encoding; a plain ``PositionEncoding()`` if the layer knows no positions.

    Raises:
        ValueError: an unknown ``model_type`` (the message says what could be read, and asks for ``like``); a
            model with an encoding that is not here; a key about positions that is missing, unknown, or
            contradicts another; a layer that the model does not have.
    """
    layers = read_config(config, like, part).layers
    layer = whole_number("layer", layer, 0)
    if layer >= len(layers):
        raise BilingualValueError(
            f"这个模型有 {len(layers)} 层，layer 是 0 到 {len(layers) - 1}，收到 {layer}",
            f"the model has {len(layers)} layers, so layer is 0 to {len(layers) - 1}; got {layer}",
        )
    return layers[layer].encoding()


def read_config(config: Mapping[str, Any], like: str | None = None, part: Part = "text") -> ModelPositions:
    """Read what ``config``, a mapping as in a ``config.json``, says about every layer of a part.

    Raises:
        ValueError: as for ``encoding_from_config``.
    """
    if part not in get_args(Part):
        raise BilingualValueError(
            f"part 只能是 {', '.join(get_args(Part))} 之一，收到 {part!r}",
            f"part must be one of {', '.join(get_args(Part))}; got {part!r}",
        )
    if part == "vision":
        name, tower, towers_layers = read_tower(config, like)
        return ModelPositions(name, tower, tuple(towers_layers))
    keys, family, name = _keys_and_family(config, like)
    family = _unless(keys, family)
    for key, wanted in family.fixed.items():
        if (value := keys.said(key)) is not None and value != wanted:
            raise BilingualValueError(
                f"{keys.where}{key} 是 {value!r}，但 {family.source} 的代码只有 {wanted!r} 一种",
                f"{keys.where}{key} is {value!r}, but the code of {family.source} has only {wanted!r}",
            )
    for key in (*family.reads, *family.ignored, *family.longest):
        keys.said(key)
    layers = _READERS[family.kind](keys, family)
    if family.windows and family.kind != "rotary":
        seen = views(keys, family, layer_types(keys, family, len(layers)))
        layers = [
            replace(layer, sees=view.sees, window=view.window)
            for layer, view in zip(layers, seen, strict=True)
        ]
    if family.kind not in ("none", "unlike"):
        keys.refuse_unread(family.source, only_about_positions=True)
    remarks = (*_unread_but_false(keys, family), *_unexplained(keys, family))
    if remarks:
        layers = [replace(layer, remarks=(*layer.remarks, *remarks)) for layer in layers]
    return ModelPositions(name, family, tuple(layers))


def _unread_but_false(keys: Keys, family: Family) -> tuple[Text, ...]:
    if not (unread := keys.said_to_be_false()):
        return ()
    named = ", ".join(keys.where + printable(key) for key in unread)
    return (
        Text(
            f"{family.source} 的代码不读 {named}；文件里写的是 false，所以没有影响",
            f"the code of {family.source} does not read {named}; the file says false, so nothing changes",
        ),
    )


def _unexplained(keys: Keys, family: Family) -> tuple[Text, ...]:
    """Return a remark that names keys which the attention reads and which no encoding here has."""
    found = []
    for name, usual in family.unexplained.items():
        value = keys.said(name)
        value = usual if value is None else value
        if name == "query_pre_attn_scalar" and value == keys.said("head_dim"):
            continue  # the usual division by the root of the head's width
        if value is not None and value is not False and value != 1:
            found.append(f"{keys.where}{name} = {value if isinstance(value, int | float | str) else '…'}")
    if not found:
        return ()
    named = ", ".join(map(printable, found))
    return (
        Text(
            f"注意力的代码还读 {named}：这里的编码里没有它，分数可能因此不同",
            f"the attention's code also reads {named}: the encoding here does not have it, and scores"
            f" may differ by it",
        ),
    )


def _unless(keys: Keys, family: Family) -> Family:
    """Return the row for what a key chooses: BERT's kind of table, say, or rotation instead."""
    choice = family.unless
    if choice is None:
        return family
    value = keys.said(choice["key"])
    row = next((row for wanted, row in choice["rows"].items() if wanted == value), None)
    return family if row is None else replace(family, unless=None, **row)


def _keys_and_family(config: Mapping[str, Any], like: str | None) -> tuple[Keys, Family, str]:
    outer = Keys(config)
    name = outer.said("model_type")
    table = families()
    if like is not None and like not in table:
        raise unknown_model(config, name, like)
    family = table.get(like or name) if isinstance(like or name, str) else None
    if family is None or family.kind == "unseen":
        raise unknown_model(config, name, None, family)
    where, given = "", config
    while True:
        inside = family.inside or (like is not None and "text_config" in given and "text_config")
        inner = given.get(inside) if isinstance(inside, str) and inside else None
        if inner is None:
            break
        keys = Keys(inner, f"{where}{inside}.")
        where, given, said = keys.where, inner, keys.said("model_type")
        if like is None:
            if said is not None and (not isinstance(said, str) or said not in table):
                raise unknown_model(inner, said, None)
            if (
                said is not None
                and _root(table, said) != _root(table, family.of)
                and not family.any_inside
            ):
                same_or_refuse("model_type", name, f"{where}model_type", said)
            family = table[said or family.of]
        if like is not None:
            break
    if family.of:  # a file of the larger model that says nothing of the text model
        family = table[family.of]
    if family.kind == "unseen":  # the text model inside
        raise unknown_model(given, family.name, None, family)
    nested = given.get("attn_config")
    if isinstance(nested, Mapping):  # MPT's
        given = {**given, **{f"attn_config.{key}": value for key, value in nested.items()}}
    return Keys(given, where, family.missing), family, printable(name) if isinstance(name, str) else str(like)


def _root(table: Mapping[str, Family], name: str) -> str:
    family = table.get(name)
    return family.of if family is not None and family.of else name


def _learned(keys: Keys, family: Family) -> list[LayerPositions]:
    first = family.first_row
    if family.after_padding:
        first = keys.whole("pad_token_id", least=0) + 1
    rows = keys.whole(*family.longest) + family.more_rows - first
    if rows < 1:
        raise BilingualValueError(
            f"{keys.where}{family.longest[0]} 太小：位置 0 是第 {first} 行",
            f"{keys.where}{family.longest[0]} is too small: position 0 is row {first}",
        )
    remarks: tuple[Text, ...] = (ONCE, *family.remarks)
    if first:
        remarks = (
            *remarks,
            Text(
                f"模型的表里，位置 p 是第 p + {first} 行：前 {first} 行不是位置",
                f"in the model's own table position p is row p + {first}: its first {first} rows are no"
                f" positions",
            ),
        )
    layer = LayerPositions(
        LearnedEncoding, {"d_model": keys.whole(*family.width), "max_len": rows}, remarks=remarks
    )
    return [layer] * number_of_layers(keys, family)


def _sinusoidal(keys: Keys, family: Family) -> list[LayerPositions]:
    """Return layers of a model with sines and cosines; exponents over d/2 − 1 are those of another base."""
    width = keys.whole(*family.width)
    settings: dict[str, Any] = {"d_model": width, "order": family.order, "first": family.first_row}
    if family.after_padding:
        settings["first"] = keys.whole("pad_token_id", least=0) + 1
    if family.over_one_less:
        settings["base"] = 10000.0 ** (width / (width - 2))
    layer = LayerPositions(SinusoidalEncoding, settings, remarks=(ONCE, *family.remarks))
    return [layer] * number_of_layers(keys, family)


def _alibi(keys: Keys, family: Family) -> list[LayerPositions]:
    layer = LayerPositions(ALiBi, {"n_heads": keys.whole(*family.heads)}, remarks=family.remarks)
    return [layer] * keys.layers(*family.layers)


def _t5(keys: Keys, family: Family) -> list[LayerPositions]:
    layers = keys.layers(*family.layers)
    later = keys.said("num_decoder_layers")
    later = layers if later is None else keys.layers("num_decoder_layers")
    sizes = {
        "n_heads": keys.whole(*family.heads),
        "n_buckets": keys.whole("relative_attention_num_buckets"),
        "max_distance": keys.whole("relative_attention_max_distance"),
    }
    encoder, decoder = (
        LayerPositions(T5RelativeBias, {**sizes, "bidirectional": both_ways}, remarks=family.remarks)
        for both_ways in (True, False)
    )
    if keys.flag("is_encoder_decoder", bool(family.later)):
        return [encoder] * layers + [decoder] * later
    return [decoder if keys.flag("is_decoder", False) else encoder] * layers


def _none(keys: Keys, family: Family) -> list[LayerPositions]:
    types = layer_types(keys, family, number_of_layers(keys, family))
    still = LayerPositions(PositionEncoding, {}, remarks=family.remarks)
    return [no_attention() if layer_type in WITHOUT_ATTENTION else still for layer_type in types]


_NO_PAIRS = Text(
    "2：查询和键随位置变，但小模型里看到的不是特征两两旋转，也没有人写下它是什么",
    "2: queries and keys change with position, but what a small model showed is no rotation of pairs,"
    " and nobody has"
    " written down what it is",
)


def _unlike(keys: Keys, family: Family) -> list[LayerPositions]:
    """Return layers that can be described and not built: the library has no such encoding."""
    layer = LayerPositions(PositionEncoding, {}, remarks=family.remarks, lacks=family.why or _NO_PAIRS)
    said = keys.said(*family.layers)
    return [layer] * (1 if said is None else number_of_layers(keys, family))


_READERS = {
    "learned": _learned,
    "sinusoidal": _sinusoidal,
    "alibi": _alibi,
    "t5": _t5,
    "rotary": rotary_layers,
    "none": _none,
    "unlike": _unlike,
}
