"""Read the part of a configuration that is about RoPE, in old and new keys: what rotates, and how fast."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from posenc_lessons.encodings.config.families import Family
from posenc_lessons.encodings.config.keys import Keys, same_or_refuse
from posenc_lessons.encodings.config.sections import IGNORED, ON_TEXT, SECTIONS, TURNS, Sections, sections_of
from posenc_lessons.encodings.context_extension import ContextExtension
from posenc_lessons.encodings.doors import PositionEncoding
from posenc_lessons.encodings.temperature import QueryTemperature
from posenc_lessons.language import BilingualValueError, Text

LAYER_TYPES = ("full_attention", "sliding_attention", "chunked_attention")
ROPE_TYPES = ("default", "linear", "dynamic", "yarn", "llama3", "longrope", "proportional")


class Beside(NamedTuple):
    """An encoding beside a layer's own, such as what multiplies queries: a class and its arguments."""

    makes: type[PositionEncoding]
    settings: Mapping[str, Any]


class Rope(NamedTuple):
    """The settings of one layer's frequencies."""

    base: float
    rotary_dim: int
    turning_pairs: int | None
    extension: ContextExtension | None
    sections: Sections | None
    temperature: Beside | None
    remarks: tuple[Text, ...]


def rope_of(keys: Keys, family: Family, layer_type: str, head: int) -> Rope:
    """Return what ``keys`` say about layers of ``layer_type``, whose heads have ``head`` features.

    Raises:
        ValueError: keys that are missing, contradict each other or are unknown.
    """
    rope = _settings(keys, family, layer_type)
    base, remarks = _base(rope, keys, family, layer_type)
    rope_type = rope.said("rope_type", "type") or "default"
    rope.said("max_position_embeddings")  # Ministral 3 repeats it inside
    dealt = [name for name in (SECTIONS, TURNS) if rope.said(name) is not None]
    if rope_type == "mrope" and (dealt or family.sections):
        rope_type = "default"
    if dealt and not family.sections:
        remarks = [*remarks, IGNORED]
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
    sections = sections_of(rope, family, rotary_dim // 2)
    extension, more = _extension(rope, keys, family, rope_type)
    temperature = _temperature(rope)
    rope.refuse_unread(f"{family.source} (rope_type {rope_type!r})")
    if extension is not None:  # a list of the wrong length is refused here, and not at the first forward
        for length in (extension.original_length, extension.original_length + 1):
            extension.reaching(length).frequencies(rotary_dim, base)
    more = [*more, ON_TEXT] if sections else more
    return Rope(base, rotary_dim, turning_pairs, extension, sections, temperature, (*remarks, *more))


def _temperature(rope: Keys) -> Beside | None:
    """Return what multiplies the queries of Ministral 3 besides their rotation."""
    beta = rope.some_number("llama_4_scaling_beta", least=0)
    if not beta:
        return None
    step = rope.whole("original_max_position_embeddings")
    return Beside(QueryTemperature, {"scale": beta, "step": step, "plus": 0})


def _settings(keys: Keys, family: Family, layer_type: str) -> Keys:
    """Return ``rope_scaling`` or ``rope_parameters``, for this type of layer if they differ by type."""
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
        stretched = family.stretched is None or layer_type in family.stretched
        return Keys(old if stretched else {}, f"{keys.where}rope_scaling.")
    where = f"{keys.where}rope_parameters."
    types = set((*LAYER_TYPES, *family.types))
    nested = isinstance(new, Mapping) and any(
        isinstance(new[each], Mapping) for each in types.intersection(new)
    )
    if not isinstance(family.base, Mapping) and not nested:
        return Keys(new, where)
    by_type = Keys(new, where)
    if not isinstance(family.base, Mapping):
        return Keys(
            {each: by_type.said(each) for each in (*types, layer_type)}[layer_type] or {},
            f"{where}{layer_type}.",
        )
    chosen = {name: by_type.said(name) for name in dict.fromkeys((*family.base, *family.still))}.get(
        layer_type
    )
    by_type.refuse_unread(family.source)
    return Keys(chosen or {}, f"{where}{layer_type}.")


def _without_base(settings: Any) -> Any:
    """Return what ``rope_parameters`` and ``rope_scaling`` have in common, under the newer names."""
    if not isinstance(settings, Mapping):
        return settings
    named = {"rope_type" if key == "type" else key: value for key, value in settings.items()}
    return {key: value for key, value in named.items() if key not in ("rope_theta", "partial_rotary_factor")}


def _base(rope: Keys, keys: Keys, family: Family, layer_type: str) -> tuple[float, list[Text]]:
    inside, outside = rope.some_number("rope_theta", above=1), None
    every = family.theta if isinstance(family.theta, Mapping) else {layer_type: family.theta}
    theta = every.get(layer_type, ())
    if family.old_keys:
        for names in every.values():
            keys.said(*names) if names else None
        outside = keys.some_number(*theta, above=1) if theta else None
    if inside is not None and outside is not None:
        same_or_refuse(f"{rope.where}rope_theta", inside, f"{keys.where}{theta[0]}", outside)
    if (
        family.base_with_scaling
        and outside is not None
        and all(keys.said(name) is None for name in ("rope_scaling", "rope_parameters"))
    ):
        remark = Text(
            f"文件里有 {theta[0]} 却没有 rope_scaling：{family.source} 的代码这时不读它，底数是"
            f" {family.base:g}",
            f"the file has {theta[0]} but no rope_scaling: the code of {family.source} then does not"
            f" read it, and the"
            f" base is {family.base:g}",
        )
        return float(family.base), [remark]  # type: ignore[arg-type]
    if (said := outside if inside is None else inside) is not None:
        return said, []
    base = family.base
    if isinstance(base, Mapping):
        base = base[layer_type] if layer_type in base else next(iter(base.values()))
    remark = Text(
        f"文件里没有 rope_theta：底数 {base:g} 是 {family.source} 的代码定的",
        f"the file has no rope_theta: base {base:g} is the default in the code of {family.source}",
    )
    return base, [remark]


def _share(rope: Keys, keys: Keys, family: Family, rope_type: str) -> float:
    """Return how much of the head rotates: 1.0 is all."""
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
    if family.head == "qk_rope_head_dim":
        return 1.0
    if share not in (None, 1.0) and family.rotary_share is None and rope_type != "proportional":
        raise BilingualValueError(
            f"{name} 是 {share}，但 {family.source} 的代码不读它，总是旋转整个头",
            f"{name} is {share}, but the code of {family.source} does not read it and rotates the whole head",
        )
    return share if share is not None else family.rotary_share or 1.0


def _rotary_dim(keys: Keys, family: Family, share: float, head: int) -> int:
    if (
        family.head == "qk_rope_head_dim"
    ):  # the width of the part that turns, whatever share of the head it is
        return head
    width = int(head * share)
    if "rotary_dim" in family.missing:
        return keys.whole("rotary_dim", least=2)
    if "rotary_dim" in family.ignored:
        return width
    if family.rotary_share is not None and (said := keys.said("rotary_dim")) is not None:
        same_or_refuse(f"{keys.where}rotary_dim", said, f"int({head} · {family.share_keys[0]})", width)
    return width


def _extension(
    rope: Keys, keys: Keys, family: Family, rope_type: str
) -> tuple[ContextExtension | None, list[Text]]:
    """Return the extension of the frequencies, and what a reader should know about it."""
    if rope_type == "default":
        if family.old_keys:
            keys.said("original_max_position_embeddings")  # Phi-3 says it even if nothing is extended
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
    """Return the length in training; older files say it outside ``rope_scaling``."""
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
            f"there is no {name}: the code takes {family.longest[0]}={longest} as the trained length",
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
            f"{rope.where}mscale and {rope.where}mscale_all_dim go together: only one is used by some"
            f" programs and ignored by others",
        )
    if one and all_dim:
        ratio = (0.1 * one * math.log(factor) + 1) / (0.1 * all_dim * math.log(factor) + 1)
        if scale is not None:
            same_or_refuse(f"{rope.where}attention_factor", scale, "mscale / mscale_all_dim", ratio)
        scale = ratio
    rope.flag("finetuned", True)  # whether weights were trained further: the frequencies are the same
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
