"""The layers of a model with RoPE, as its configuration has them: which turn, how, and how far they see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from posenc_lessons.encodings.config.families import Family
from posenc_lessons.encodings.config.keys import Keys, same_or_refuse
from posenc_lessons.encodings.config.rope import LAYER_TYPES, rope_of
from posenc_lessons.encodings.doors import PositionEncoding
from posenc_lessons.encodings.pairing import Pairing
from posenc_lessons.encodings.rotary import RotaryEncoding
from posenc_lessons.encodings.temperature import QueryTemperature
from posenc_lessons.language import BilingualValueError, Text

View = Literal["whole", "sliding", "chunked"]


@dataclass(frozen=True)
class LayerPositions:
    """What a configuration says of the positions in one layer.

    Attributes:
        makes: the class of its encoding; ``PositionEncoding`` itself where the layer knows no positions.
        settings: that class's arguments.
        sees: the whole text, the last ``window`` tokens, or the chunk of ``window`` tokens it is in.
        window: how many; None where the layer sees all, or the file does not say.
        remarks: what is unusual.
    """

    makes: type[PositionEncoding]
    settings: Mapping[str, Any]
    sees: View = "whole"
    window: int | None = None
    remarks: tuple[Text, ...] = ()

    def encoding(self) -> PositionEncoding:
        """A fresh encoding with these settings."""
        return self.makes(**self.settings)


_BOTH_WAYS = Text(
    "use_bidirectional_attention：词元也看得见后面的；窗口分在两边，每边只有一半",
    "use_bidirectional_attention: tokens see later ones too, and a window reaches half as far, on both sides",
)


def rotary_layers(keys: Keys, family: Family) -> list[LayerPositions]:
    """Every layer of a model with RoPE; ValueError for keys that are missing or contradict each other."""
    n_layers = keys.whole(*family.layers)
    turning, remarks = _turning(keys, family, n_layers)
    types, more = _types(keys, family, turning)
    if family.without_rope == "whole":
        turning = [layer_type != "full_attention" for layer_type in types]
    heads, windows, pairing = _heads(keys, family, types), _windows(keys, family), _pairing(keys, family)
    remarks = (*family.remarks, *remarks, *more)
    if keys.said("use_bidirectional_attention") in (True, "all"):
        remarks = (*remarks, _BOTH_WAYS)
    read: dict[tuple[str, bool, int], LayerPositions] = {}
    for kind in zip(types, turning, heads, strict=True):
        if kind not in read:
            read[kind] = _layer(keys, family, *kind, pairing, windows.get(kind[0]), remarks)
    return [read[kind] for kind in zip(types, turning, heads, strict=True)]


def _layer(
    keys: Keys,
    family: Family,
    layer_type: str,
    turns: bool,
    head: int,
    pairing: Pairing,
    window: int | None,
    remarks: tuple[Text, ...],
) -> LayerPositions:
    rope = rope_of(keys, family, layer_type, head)
    temperature: dict[str, Any] | None = None
    if "attn_temperature_tuning" in family.missing:
        sizes = {"scale": keys.number("attn_scale"), "step": keys.whole("floor_scale")}
        temperature = sizes if keys.flag("attn_temperature_tuning", False) else None
    makes: type[PositionEncoding] = PositionEncoding
    settings: dict[str, Any] = {}
    if turns:
        makes, remarks = RotaryEncoding, (*rope.remarks, *remarks)
        settings = {
            "d_head": head,
            "base": rope.base,
            "pairing": pairing,
            "rotary_dim": rope.rotary_dim,
            "extension": rope.extension,
            "turning_pairs": rope.turning_pairs,
        }
    elif temperature is not None:
        makes, settings = QueryTemperature, temperature
    sees: View = "whole" if window is None else "chunked" if layer_type.startswith("chunked") else "sliding"
    return LayerPositions(makes, settings, sees, window, remarks)


def _turning(keys: Keys, family: Family, n_layers: int) -> tuple[list[bool], tuple[Text, ...]]:
    """Which layers turn, as far as ``no_rope_layers`` tells."""
    if family.without_rope != "listed":
        return [True] * n_layers, ()
    every = keys.said("no_rope_layer_interval")
    every = 4 if every is None else keys.whole("no_rope_layer_interval")
    rule = [int((i + 1) % every != 0) for i in range(n_layers)]
    listed = keys.per_layer("no_rope_layers", n_layers, (0, 1)) if keys.said("no_rope_layers") else None
    remarks = _if_unlike(keys, "no_rope_layers", listed, "no_rope_layer_interval", rule)
    return [bool(turns) for turns in (rule if listed is None else listed)], remarks


def _types(keys: Keys, family: Family, turning: list[bool]) -> tuple[list[str], tuple[Text, ...]]:
    """``layer_types``, or what the code makes of the keys it has instead."""
    n_layers = len(turning)
    if family.windows == "none":
        return ["full_attention"] * n_layers, ()
    if family.windows == "all":
        return ["sliding_attention"] * n_layers, ()
    part = "chunked_attention" if family.windows == "with_rope" else "sliding_attention"
    if family.windows == "period":
        said = keys.said(*family.pattern) if family.pattern else None
        period = family.period if said is None else keys.whole(*family.pattern)
        narrow = [(i + 1) % period != 0 for i in range(n_layers)]
    elif family.windows == "upper":
        first = (
            keys.whole("max_window_layers", least=0) if keys.flag("use_sliding_window", False) else n_layers
        )
        keys.said("max_window_layers")
        narrow = [i >= first for i in range(n_layers)]
    elif family.windows == "with_rope":
        narrow = turning
    else:
        narrow = [keys.flag("use_sliding_window", False) and not turns for turns in turning]
    rule = [part if small else "full_attention" for small in narrow]
    listed = keys.per_layer("layer_types", n_layers, LAYER_TYPES)
    remarks = (
        _if_unlike(keys, "layer_types", listed, "/".join(family.pattern), rule) if family.pattern else ()
    )
    types = rule if listed is None else listed
    if "global_head_dim" in family.missing and types[-1] != "full_attention":
        if listed is not None:
            same_or_refuse(f"{keys.where}layer_types[-1]", types[-1], family.source, "full_attention")
        types = [*types[:-1], "full_attention"]
    return types, remarks


def _if_unlike(keys: Keys, name: str, listed: Any, other: str, rule: Any) -> tuple[Text, ...]:
    """A remark, where a list is given and so is the rule for another one."""
    if listed is None or listed == rule or not any(keys.said(each) for each in other.split("/")):
        return ()
    return (
        Text(
            f"{name} 和 {other} 说的不一样：代码按 {name}",
            f"{name} and {other} do not say the same: the code goes by {name}",
        ),
    )


def _windows(keys: Keys, family: Family) -> dict[str, int | None]:
    """How many tokens a layer of each type sees; None for all of them."""
    if family.windows == "none":
        return {}
    if family.windows == "with_rope":
        size = keys.said("attention_chunk_size")
        return {"chunked_attention": None if size is None else keys.whole("attention_chunk_size")}
    size = keys.said("sliding_window")
    if family.windows in ("upper", "without_rope") and not keys.flag("use_sliding_window", False):
        size = None
    return {"sliding_attention": None if size is None else keys.whole("sliding_window")}


def _heads(keys: Keys, family: Family, types: list[str]) -> list[int]:
    """How many features a head has in each layer."""
    if keys.said(family.head) is not None:
        head = keys.whole(family.head, least=2)
    else:
        width, heads = keys.whole(*family.width), keys.whole(*family.heads)
        if width % heads:
            raise BilingualValueError(
                f"没有 {keys.where}{family.head}，而 {family.width[0]}={width} 不能被"
                f" {family.heads[0]}={heads} 整除",
                f"there is no {keys.where}{family.head}, and {family.width[0]}={width} is not divisible by"
                f" {family.heads[0]}={heads}",
            )
        head = width // heads
    if family.head != "head_dim" and (said := keys.said("head_dim")) is not None:
        same_or_refuse(f"{keys.where}head_dim", said, f"{keys.where}{family.head}", head)
    if "global_head_dim" not in family.missing:
        return [head] * len(types)
    if (own := keys.said("per_layer_config")) is not None:
        by_layer = {
            int(i): Keys(settings, f"{keys.where}per_layer_config.{i}.") for i, settings in own.items()
        }
        return [by_layer[i].whole("head_dim", least=2) if i in by_layer else head for i in range(len(types))]
    whole = keys.whole("global_head_dim", least=2)
    return [whole if layer_type == "full_attention" else head for layer_type in types]


def _pairing(keys: Keys, family: Family) -> Pairing:
    """The family's, unless DeepSeek's key says otherwise."""
    if family.head == "qk_rope_head_dim" and not keys.flag("rope_interleave", True):
        return "half_split"
    return family.pairing
