"""Read the layers of a model with RoPE: which of them rotate, how, and how far they see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from posenc_lessons.encodings.arguments import number
from posenc_lessons.encodings.config.by_hand import LATENT, SINK
from posenc_lessons.encodings.config.families import WITHOUT_ATTENTION, Family
from posenc_lessons.encodings.config.keys import MOST_FEATURES, Keys
from posenc_lessons.encodings.config.layer_types import if_unlike, number_of_layers, types_of
from posenc_lessons.encodings.config.rope import Beside, Rope, rope_of
from posenc_lessons.encodings.config.views import Sees, View, views
from posenc_lessons.encodings.doors import PositionEncoding
from posenc_lessons.encodings.pairing import Pairing
from posenc_lessons.encodings.rotary import RotaryEncoding
from posenc_lessons.encodings.rotary_axes import MultiAxisRotary
from posenc_lessons.encodings.temperature import PowerTemperature, QueryTemperature
from posenc_lessons.encodings.together import Together
from posenc_lessons.language import BilingualValueError, Text


@dataclass(frozen=True)
class LayerPositions:
    """The positions in one layer, according to a configuration.

    Attributes:
        makes: the class of its encoding; ``PositionEncoding`` itself if the layer knows no positions.
        settings: that class's arguments.
        temperature: what multiplies queries besides, a class and its arguments; None if nothing does.
        table: what is added to the embeddings besides, once, before the first layer; None if nothing is.
        sees, window: how far the layer sees, as in a ``View``.
        remarks: what is unusual.
        lacks: the kind of encoding that the layer has and this library does not; None if it has it.
    """

    makes: type[PositionEncoding]
    settings: Mapping[str, Any]
    sees: Sees = "whole"
    window: int | None = None
    remarks: tuple[Text, ...] = ()
    lacks: Text | None = None
    temperature: Beside | None = None
    table: Beside | None = None

    def encoding(self) -> PositionEncoding:
        """Return a new encoding with these settings; ValueError if the library has no such encoding."""
        if self.lacks is not None:
            raise BilingualValueError(
                f"这里没有这种编码，所以造不出来：{self.lacks.zh}",
                f"there is no encoding of this kind here, so none is made: {self.lacks.en}",
            )
        whole = Beside(self.makes, self.settings)
        parts = [each for each in (self.table, whole, self.temperature) if each is not None]
        made = [each.makes(**each.settings) for each in parts]
        return made[0] if len(made) == 1 else Together(*made)


_BOTH_WAYS = Text(
    "use_bidirectional_attention：词元也看得见后面的；窗口分在两边，每边只有一半",
    "use_bidirectional_attention: tokens see later ones too, and a window reaches half as far, on both sides",
)
_NO_ATTENTION = Text(
    "这一层没有注意力：顺序来自递归或卷积",
    "this layer has no attention: order comes from a recurrence or a convolution",
)
_COUNTS = Text(
    "代码自己数位置：0、1、2……，不接受 position_ids",
    "the code counts positions by itself, 0, 1, 2, …: it takes no position_ids",
)


def rotary_layers(keys: Keys, family: Family) -> list[LayerPositions]:
    """Return every layer of a model with RoPE; ValueError for missing or contradictory keys."""
    n_layers = number_of_layers(keys, family)
    bases, remarks = _bases(keys, family, n_layers)
    rotating, more = _rotating(keys, family, bases)
    types, and_more = types_of(keys, family, rotating)
    if all(layer_type in WITHOUT_ATTENTION for layer_type in types):
        for name in ("rope_theta", "rope_scaling", "rope_parameters", *family.share_keys):
            keys.said(name)  # of no use to layers without attention
    seen, pairing = views(keys, family, types), _pairing(keys, family)
    if not (family.without_window and not any(view.window for view in seen)):
        rotating = [
            one and layer_type not in family.still for one, layer_type in zip(rotating, types, strict=True)
        ]
    heads = _heads(keys, family, types)
    special = (SINK,) if family.sink else ()
    if family.head == "qk_rope_head_dim" and family.last:
        special = (*special, *LATENT)
    remarks = (*family.remarks, *special, *remarks, *more, *and_more)
    if not family.told:
        remarks = (*remarks, _COUNTS)
    if keys.said("use_bidirectional_attention") in (True, "all"):
        remarks = (*remarks, _BOTH_WAYS)
    read: dict[Any, LayerPositions] = {}
    kinds = list(zip(types, rotating, heads, bases, seen, strict=True))
    for kind in kinds:
        if kind not in read:
            read[kind] = _layer(keys, family, *kind, pairing, remarks)
    return [read[kind] for kind in kinds]


def no_attention() -> LayerPositions:
    """Return a layer whose order comes from a recurrence or a convolution."""
    return LayerPositions(PositionEncoding, {}, remarks=(_NO_ATTENTION,))


def _layer(
    keys: Keys,
    family: Family,
    layer_type: str,
    rotates: bool,
    head: int,
    own_base: float | None,
    view: View,
    pairing: Pairing,
    remarks: tuple[Text, ...],
) -> LayerPositions:
    if layer_type in WITHOUT_ATTENTION:
        return no_attention()
    rope = rope_of(keys, family, layer_type, head) if rotates or not family.still else None
    if rope is not None and own_base:
        rope = rope._replace(base=own_base)
    if rotates and rope is not None:
        makes, settings = _rotation(rope, head, pairing)
        remarks = (*rope.remarks, *remarks)
        return LayerPositions(makes, settings, *view, remarks, temperature=rope.temperature)
    alone = _temperature(keys, family)
    if alone is None:
        return LayerPositions(PositionEncoding, {}, *view, remarks)
    return LayerPositions(alone.makes, alone.settings, *view, remarks)


def _rotation(rope: Rope, head: int, pairing: Pairing) -> tuple[type[PositionEncoding], dict[str, Any]]:
    """Return the class of a rotating layer's encoding, and its arguments."""
    settings = {
        "d_head": head,
        "base": rope.base,
        "pairing": pairing,
        "rotary_dim": rope.rotary_dim,
        "extension": rope.extension,
    }
    if rope.sections is None:
        return RotaryEncoding, {**settings, "turning_pairs": rope.turning_pairs}
    return MultiAxisRotary, {**settings, "sections": rope.sections.pairs, "layout": rope.sections.layout}


def _temperature(keys: Keys, family: Family) -> Beside | None:
    """Return what multiplies the queries of layers that do not rotate; None if nothing does."""
    if family.still_power:  # Beam's, two numbers in its code
        exponent, step = family.still_power
        return Beside(PowerTemperature, {"exponent": exponent, "step": int(step)})
    if "attn_temperature_tuning" not in family.missing:
        return None
    sizes = {"scale": keys.number("attn_scale"), "step": keys.whole("floor_scale")}
    return Beside(QueryTemperature, sizes) if keys.flag("attn_temperature_tuning", False) else None


def _bases(keys: Keys, family: Family, n_layers: int) -> tuple[list[float | None], tuple[Text, ...]]:
    """Return each layer's own base by ``layer_rope_theta``, 0 for none; None where a layer has none of
    its own."""
    listed = keys.said("layer_rope_theta") if "layer_rope_theta" in family.by_layer else None
    if listed is None:
        return [None] * n_layers, ()
    if not isinstance(listed, list) or len(listed) != n_layers:
        raise BilingualValueError(
            f"{keys.where}layer_rope_theta 必须是 {n_layers} 个数，每层一个，收到 {listed!r}",
            f"{keys.where}layer_rope_theta must be {n_layers} numbers, one for each layer; got {listed!r}",
        )
    bases = [float(number(f"{keys.where}layer_rope_theta", each, least=0)) for each in listed]
    if 0.0 not in bases:
        return list(bases), ()
    remark = Text(
        "layer_rope_theta 里的 0 表示这一层不旋转（NoPE）",
        "a 0 in layer_rope_theta means that the layer turns nothing (NoPE)",
    )
    return list(bases), (remark,)


def _rotating(keys: Keys, family: Family, bases: list[float | None]) -> tuple[list[bool], tuple[Text, ...]]:
    """Return which layers rotate, as far as ``no_rope_layers`` and ``layer_rope_theta`` tell."""
    n_layers = len(bases)
    if "no_rope_layers" not in family.by_layer:
        return [base != 0 for base in bases], ()
    every = keys.said("no_rope_layer_interval")
    every = 4 if every is None else keys.whole("no_rope_layer_interval")
    rule = [int((i + 1) % every != 0) for i in range(n_layers)]
    listed = keys.per_layer("no_rope_layers", n_layers, (0, 1)) if keys.said("no_rope_layers") else None
    remarks = if_unlike(keys, "no_rope_layers", listed, "no_rope_layer_interval", rule)
    return [bool(rotates) for rotates in (rule if listed is None else listed)], remarks


def _heads(keys: Keys, family: Family, types: list[str]) -> list[int]:
    """Return how many features a head has in each layer."""
    if keys.said(family.head) is not None:
        head = keys.whole(family.head, least=2, most=MOST_FEATURES)
    else:
        width, heads = keys.whole(*family.width, most=MOST_FEATURES), keys.whole(*family.heads)
        if width % heads:
            raise BilingualValueError(
                f"没有 {keys.where}{family.head}，而 {family.width[0]}={width} 不能被"
                f" {family.heads[0]}={heads} 整除",
                f"there is no {keys.where}{family.head}, and {family.width[0]}={width} is not divisible by"
                f" {family.heads[0]}={heads}",
            )
        head = width // heads
    keys.said("head_dim")  # where another key has the width that turns, it says nothing of it
    if "global_head_dim" not in family.missing:
        return [head] * len(types)
    if (own := keys.said("per_layer_config")) is not None:
        by_layer = Keys(own, f"{keys.where}per_layer_config.")
        settings = by_layer.by_number(len(types))
        by_layer.refuse_unread(family.source)
        return [
            Keys(settings[layer], f"{by_layer.where}{layer}.").whole("head_dim", least=2, most=MOST_FEATURES)
            if layer in settings
            else head
            for layer in range(len(types))
        ]
    whole = keys.whole("global_head_dim", least=2, most=MOST_FEATURES)
    return [whole if layer_type == "full_attention" else head for layer_type in types]


def _pairing(keys: Keys, family: Family) -> Pairing:
    """Return the family's pairing, unless DeepSeek's key says otherwise."""
    if "rope_interleave" in family.missing and not keys.flag("rope_interleave", True):
        return "half_split"
    return family.pairing
