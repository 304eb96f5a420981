"""Read how many layers a model has and of which type each of them is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from posenc_lessons.encodings.config.families import WITHOUT_ATTENTION, Family
from posenc_lessons.encodings.config.keys import MOST_LAYERS, Keys, same_or_refuse
from posenc_lessons.encodings.config.rope import LAYER_TYPES
from posenc_lessons.language import BilingualValueError, Text


def number_of_layers(keys: Keys, family: Family) -> int:
    """Return how many layers there are, those of an encoder and of its decoder together."""
    listed = family.listed and keys.said(family.listed)
    if keys.said(*family.layers) is None and isinstance(listed, list) and listed:
        return len(listed)
    if not family.later:
        return keys.layers(*family.layers)
    later = keys.layers(*family.later) if keys.said(*family.later) is not None else 0
    return keys.layers(*family.layers) + later


def layer_types(keys: Keys, family: Family, n_layers: int) -> list[str]:
    """Return the type of each layer of a model that needs nothing else of the types."""
    return types_of(keys, family, [True] * n_layers)[0]


def types_of(keys: Keys, family: Family, rotating: list[bool]) -> tuple[list[str], tuple[Text, ...]]:
    """Return ``layer_types``, or what the code derives from other keys."""
    n_layers = len(rotating)
    if not family.listed:
        return _follow(family.rule, n_layers), ()
    rule = _follow(family.rule, n_layers)
    if family.period and keys.said(*family.period) is not None:
        rule = _every(family, keys.whole(*family.period), n_layers)
    if family.listed == "attention_layers" and (repeated := keys.said("attention_types")) is not None:
        told = Keys({"attention_types": _repeated(f"{keys.where}attention_types", repeated)}, keys.where)
        rule = told.per_layer("attention_types", n_layers, family.types) or []
    sliding = keys.flag("use_sliding_window", False)
    if family.upper:
        first = keys.whole("max_window_layers", least=0) if sliding else n_layers
        keys.said("max_window_layers")
        rule = ["sliding_attention" if i >= first else "full_attention" for i in range(n_layers)]
    elif family.by_rope and (sliding or "sliding_attention" not in family.by_rope):
        rule = [family.by_rope[int(rotates)] for rotates in rotating]
    for name in ("attn_layer_indices", "full_attn_idxs"):  # Bamba's and LFM2's older keys
        if isinstance(where := keys.said(name), list):
            other = "conv" if "conv" in family.types else "linear_attention"
            rule = ["full_attention" if i in where else other for i in range(n_layers)]
    known = (*LAYER_TYPES, *family.types, *rule, *family.rule["cycle"], *family.windows, *family.still)
    others = WITHOUT_ATTENTION if set(known) & set(WITHOUT_ATTENTION) else ()
    allowed = tuple(dict.fromkeys((*known, *others)))
    if isinstance(family.base, Mapping):
        allowed = tuple(dict.fromkeys((*allowed, *family.base)))
    listed = keys.per_layer(family.listed, n_layers, allowed)
    names = "/".join(family.period)
    remarks = if_unlike(keys, family.listed, listed, names, rule) if names else ()
    types = rule if listed is None else listed
    if "global_head_dim" in family.missing and types[-1] != "full_attention":
        same_or_refuse(f"{keys.where}{family.listed}[-1]", types[-1], family.source, "full_attention")
    return types, remarks


def _repeated(name: str, given: Any) -> list[str]:
    """Return the types of GPT-Neo's ``attention_types``: [[["global", "local"], 12]] is 24 layers."""
    types = []
    for each in given if isinstance(given, list) else [given]:
        right = isinstance(each, list) and len(each) == 2 and isinstance(each[0], list)
        if not right or type(each[1]) is not int or not 0 < each[1] * len(each[0]) <= MOST_LAYERS:
            raise BilingualValueError(
                f'{name} 应当是 [[["global", "local"], 12]] 这样的列表：层的类型，和重复的次数；'
                f"收到 {given!r}",
                f'{name} must be a list such as [[["global", "local"], 12]], types of layers and how often'
                f" they repeat; got {given!r}",
            )
        types += each[0] * each[1]
    return types


def _follow(rule: Mapping[str, Any], n_layers: int) -> list[str]:
    """Return the types of ``n_layers`` layers by a rule as in the table of families."""
    start, end, cycle = list(rule.get("start", ())), list(rule.get("end", ())), rule["cycle"]
    middle = [cycle[i % len(cycle)] for i in range(n_layers - len(start) - len(end))]
    types = [*start, *(middle[::-1] if rule.get("back") else middle)]
    return [*types[: n_layers - len(end)], *end]


def _every(family: Family, period: int, n_layers: int) -> list[str]:
    """Return the types if every ``period``-th layer is of the rare type of the family's rule."""
    first, last = family.rule["cycle"][0], family.rule["cycle"][-1]
    if family.rare_first:
        return [first if i % period == 0 else last for i in range(n_layers)]
    return [last if (i + 1) % period == 0 else first for i in range(n_layers)]


def if_unlike(keys: Keys, name: str, listed: Any, other: str, rule: Any) -> tuple[Text, ...]:
    """Return a remark if a list is given, and so is a rule that gives another list."""
    if listed is None or listed == rule or not any(keys.said(each) for each in other.split("/")):
        return ()
    return (
        Text(
            f"{name} 和 {other} 说的不一样：代码按 {name}",
            f"{name} and {other} do not say the same: the code goes by {name}",
        ),
    )
