"""The part of a configuration that is about RoPE, in old keys and new ones: what turns, and how fast."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from posenc_lessons.encodings.config.families import Family
from posenc_lessons.encodings.config.keys import Keys, same_or_refuse
from posenc_lessons.encodings.context_extension import ContextExtension
from posenc_lessons.language import BilingualValueError, Text

LAYER_TYPES = ("full_attention", "sliding_attention", "chunked_attention")
ROPE_TYPES = ("default", "linear", "dynamic", "yarn", "llama3", "longrope", "proportional")


class Rope(NamedTuple):
    """What one layer's frequencies come from."""

    base: float
    rotary_dim: int
    turning_pairs: int | None
    extension: ContextExtension | None
    remarks: tuple[Text, ...]


def rope_of(keys: Keys, family: Family, layer_type: str, head: int) -> Rope:
    """What ``keys`` say of the layers of ``layer_type``, whose heads have ``head`` features.

    Raises:
        ValueError: keys that are missing, contradict each other or are not known.
    """
    rope = _settings(keys, family, layer_type)
    base, remarks = _base(rope, keys, family, layer_type)
    rope_type = rope.said("rope_type", "type") or "default"
    rope_type = family.renamed.get(str(rope_type), rope_type)
    if rope_type not in ROPE_TYPES:
        raise BilingualValueError(
            f"{rope.where}rope_type 只能是 {', '.join(ROPE_TYPES)} 之一，收到 {rope_type!r}",
            f"{rope.where}rope_type must be one of {', '.join(ROPE_TYPES)}; got {rope_type!r}",
        )
    share = _share(rope, keys, family, rope_type)
    rotary_dim, turning_pairs = head, None
    if rope_type == "proportional":
        turning_pairs = int(share * head // 2)
    else:
        rotary_dim = _rotary_dim(keys, family, share, head)
    extension, more = _extension(rope, keys, family, rope_type)
    rope.refuse_unread(f"{family.source} (rope_type {rope_type!r})")
    return Rope(base, rotary_dim, turning_pairs, extension, (*remarks, *more))


def _settings(keys: Keys, family: Family, layer_type: str) -> Keys:
    """``rope_scaling`` or ``rope_parameters``, of this type of layer where they differ by type."""
    new, old = keys.said("rope_parameters"), None
    if family.old_keys:
        old = keys.said("rope_scaling")
        if new is not None and old is not None:
            names = f"{keys.where}rope_parameters", f"{keys.where}rope_scaling"
            same_or_refuse(names[0], _without_base(new), names[1], _without_base(old))
    if new is None and old is None:
        rope = family.rope.get(layer_type) if family.by_type and family.rope else family.rope
        return Keys(rope or {}, f"{keys.where}rope_parameters.")
    if new is None:  # Gemma 3's local layers are never stretched
        stretched = not family.by_type or layer_type == "full_attention"
        return Keys(old if stretched else {}, f"{keys.where}rope_scaling.")
    where = f"{keys.where}rope_parameters."
    if not family.by_type:
        return Keys(new, where)
    by_type = Keys(new, where)
    chosen = {name: by_type.said(name) for name in LAYER_TYPES[:2]}[layer_type]
    by_type.refuse_unread(family.source)
    return Keys(chosen or {}, f"{where}{layer_type}.")


def _without_base(settings: Any) -> Any:
    """What ``rope_parameters`` and ``rope_scaling`` both say, under the newer name."""
    if not isinstance(settings, Mapping):
        return settings
    named = {"rope_type" if key == "type" else key: value for key, value in settings.items()}
    return {key: value for key, value in named.items() if key not in ("rope_theta", "partial_rotary_factor")}


def _base(rope: Keys, keys: Keys, family: Family, layer_type: str) -> tuple[float, list[Text]]:
    inside, outside, theta = rope.some_number("rope_theta", above=1), None, family.theta
    if family.old_keys and family.by_type:
        local = keys.some_number("rope_local_base_freq", above=1)
        outside = keys.some_number(*theta, above=1)
        if layer_type == "sliding_attention":
            outside, theta = local, ("rope_local_base_freq",)
    elif family.old_keys:
        outside = keys.some_number(*theta, above=1)
    if inside is not None and outside is not None:
        same_or_refuse(f"{rope.where}rope_theta", inside, f"{keys.where}{theta[0]}", outside)
    if (said := outside if inside is None else inside) is not None:
        return said, []
    base = family.base[layer_type] if isinstance(family.base, Mapping) else family.base
    remark = Text(
        f"文件里没有 rope_theta：底数 {base:g} 是 {family.source} 的代码定的",
        f"there is no rope_theta in the file: base {base:g} is what the code of {family.source} takes",
    )
    return base, [remark]


def _share(rope: Keys, keys: Keys, family: Family, rope_type: str) -> float:
    """How much of the head turns: 1.0 is all."""
    name, bounds = "partial_rotary_factor", {"above": 0.0}
    inside = rope.some_number(name, **bounds)
    outside = keys.some_number(*family.share_keys, **bounds) if family.old_keys else None
    if inside is not None and outside is not None:
        same_or_refuse(f"{rope.where}{name}", inside, f"{keys.where}{family.share_keys[0]}", outside)
    share = outside if inside is None else inside
    if share is not None and share > 1:
        raise BilingualValueError(
            f"{name} 必须不超过 1，收到 {share:g}", f"{name} must be at most 1; got {share:g}"
        )
    if share not in (None, 1.0) and family.rotary_share is None and rope_type != "proportional":
        raise BilingualValueError(
            f"{name} 是 {share}，但 {family.source} 的代码不读它，总是整个头都转",
            f"{name} is {share}, but the code of {family.source} does not read it and turns the whole head",
        )
    return share if share is not None else family.rotary_share or 1.0


def _rotary_dim(keys: Keys, family: Family, share: float, head: int) -> int:
    width = int(head * share)
    if "rotary_dim" in family.missing:
        return keys.whole("rotary_dim", least=2)
    if family.rotary_share is not None and (said := keys.said("rotary_dim")) is not None:
        same_or_refuse(f"{keys.where}rotary_dim", said, f"int({head} · {family.share_keys[0]})", width)
    return width


def _extension(
    rope: Keys, keys: Keys, family: Family, rope_type: str
) -> tuple[ContextExtension | None, list[Text]]:
    """How the frequencies are stretched, and what a reader should know of it."""
    if rope_type == "default":
        if family.old_keys:
            keys.said("original_max_position_embeddings")  # Phi-3 says it where nothing is stretched, too
        return None, []
    original, remarks = _trained_length(rope, keys, family, rope_type)
    if rope_type == "proportional":
        factor = rope.some_number("factor", least=1) or 1.0
        return (ContextExtension("linear", factor, original) if factor > 1 else None), []
    if rope_type in ("linear", "dynamic"):
        method: Any = rope_type
        return ContextExtension(method, rope.number("factor", least=1), original), []
    if rope_type == "llama3":
        slow, fast = (rope.number(f"{name}_freq_factor", above=0) for name in ("low", "high"))
        factor = rope.number("factor", least=1)
        return ContextExtension("llama3", factor, original, slow=slow, fast=fast), []
    said, longest = rope.some_number("factor", least=1), keys.whole(*family.longest)
    ratio = longest / original
    if said is not None and ratio not in (said, 1.0):
        remarks.append(
            Text(
                f"factor 是 {said:g}，而 {longest} / {original} = {ratio:g}：代码以 factor 为准",
                f"factor is {said:g} while {longest} / {original} = {ratio:g}: the code goes by factor",
            )
        )
    stretch = _longrope if rope_type == "longrope" else _yarn
    return stretch(rope, ratio if said is None else said, original), remarks


def _trained_length(rope: Keys, keys: Keys, family: Family, rope_type: str) -> tuple[int, list[Text]]:
    """The length that the stretching starts from, which older files say outside ``rope_scaling``."""
    name = "original_max_position_embeddings"
    outside = keys.said(name) if family.old_keys else None
    if rope_type not in ("yarn", "llama3", "longrope"):
        return keys.whole(*family.longest), []
    inside = rope.said(name)
    if inside is not None and outside is not None:
        same_or_refuse(f"{rope.where}{name}", inside, f"{keys.where}{name}", outside)
    if inside is None and outside is None and rope_type != "llama3":
        longest = keys.whole(*family.longest)
        remark = Text(
            f"没有写 {name}：代码拿 {family.longest[0]}={longest} 当作训练长度",
            f"{name} is not said: the code takes {family.longest[0]}={longest} for the trained length",
        )
        return longest, [remark]
    return (rope if outside is None else keys).whole(name), []


def _longrope(rope: Keys, factor: float, original: int) -> ContextExtension:
    return ContextExtension(
        "longrope",
        factor,
        original,
        attention_scale=rope.some_number("attention_factor", least=0),
        short_factors=rope.said("short_factor"),
        long_factors=rope.said("long_factor"),
    )


def _yarn(rope: Keys, factor: float, original: int) -> ContextExtension:
    scale = rope.some_number("attention_factor", least=0)
    one, all_dim = (rope.some_number(name, least=0) for name in ("mscale", "mscale_all_dim"))
    if (one is None) != (all_dim is None):
        raise BilingualValueError(
            f"{rope.where}mscale 和 {rope.where}mscale_all_dim 要么都写，要么都不写："
            f"只写一个，有的程序用它，有的不理",
            f"{rope.where}mscale and {rope.where}mscale_all_dim go together: one alone is used by some"
            f" programs and ignored by others",
        )
    if one and all_dim:
        ratio = (0.1 * one * math.log(factor) + 1) / (0.1 * all_dim * math.log(factor) + 1)
        if scale is not None:
            same_or_refuse(f"{rope.where}attention_factor", scale, "mscale / mscale_all_dim", ratio)
        scale = ratio
    truncate: Any = rope.flag("truncate", True)
    return ContextExtension(
        "yarn",
        factor,
        original,
        slow=rope.some_number("beta_slow", above=0),
        fast=rope.some_number("beta_fast", above=0),
        truncate=truncate,
        attention_scale=scale,
    )
